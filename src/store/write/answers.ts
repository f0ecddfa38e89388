import type { DbTransaction } from '../connection/database.js';
import { saveInfos } from '../due-infos.js';
import type { AnsweredInfo } from '../due-infos.js';
import { PROJECTIONS } from '../projections/list.js';

/**
 * Stores call information that nodes answered after the block, and what derived tables have of it. To be called after `saveDecoded`: the other calls
 * can be decoded from now on.
 */
export async function saveAnswers(tx: DbTransaction, answers: readonly AnsweredInfo[]): Promise<void> {
  await saveInfos(tx, answers);
  const known = answers.filter(({ info }) => info !== null);
  if (known.length === 0) return;
  for (const { writes } of PROJECTIONS) await writes?.answered?.(tx, known);
}
