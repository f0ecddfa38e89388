import { expect } from 'chai';
import type { Scene } from './scene.js';
import { recordAnswers, watchCopies } from './witness.js';
import type { CopyAnswers, Witness } from './witness.js';

/** Heights at which the copies are made to differ, far below all reorgs. */
const HEIGHTS = 'BETWEEN 8 AND 15';
const LIST = '/middleware/transactions/interval/8/15';

/** Rounds with the same answers after which no server has other answers cached. */
const ROUNDS = 6;

export interface Copies {
  /**
   * Makes the copy that serves different from any copy that is loaded from the chain, without a change of its hashes: it
   * is `marked`, a loaded copy is `loaded`. From then on eight clients check which of them answers, each with a
   * pause of `pauseMs`.
   */
  watch(pauseMs: number): Promise<Witness>;
}

/** Call this while the copy that serves is unchanged since it was loaded. */
export async function knowCopies(scene: Scene): Promise<Copies> {
  const { http } = scene;
  const [some] = await scene.sql<{ height: number; micro: string; hash: string }>(
    `SELECT (m.position >> 33)::int AS height, m.hash AS micro, t.hash
     FROM mdw.micro_blocks AS m JOIN mdw.transactions AS t ON (t.position >> 16) << 16 = m.position
     WHERE m.position >> 33 ${HEIGHTS} LIMIT 1`,
  );
  const paths = [
    '/middleware/generations/8/12',
    `/v2/generations/height/${some!.height}`,
    `/v2/micro-blocks/hash/${some!.micro}/transactions`,
    `/v2/micro-blocks/hash/${some!.micro}/header`,
    `/v2/transactions/${some!.hash}`,
  ];
  const testimony = (): Promise<CopyAnswers> => recordAnswers(http, paths, LIST);
  const loaded = await testimony();
  expect(loaded.list.length).to.be.within(100, 999);

  /** Each JSON object of an answer. */
  const isMarked = ({ answers, list }: CopyAnswers): boolean =>
    list.every((row) => row.includes('"marked":true')) &&
    [...answers].every(([path, text]) => text !== loaded.answers.get(path));

  const mark = async (): Promise<CopyAnswers> => {
    const { activeSchema: schema } = await scene.status();
    for (const [table, height] of [
      ['key_blocks', 'height'],
      ['micro_blocks', 'position >> 33'],
      ['transactions', 'position >> 33'],
    ] as const) {
      await scene.sql(
        `UPDATE ${schema}.${table} SET body = left(body, -1) || ',"marked":true}'
         WHERE ${height} ${HEIGHTS} AND body NOT LIKE '%,"marked":true}'`,
      );
    }
    // Servers clear their response cache when the chain grows.
    await scene.chain('/grow', { generations: 1 });
    let marked = await testimony();
    for (let rounds = 0; rounds < ROUNDS; rounds = isMarked(marked) ? rounds + 1 : 0) marked = await testimony();
    return marked;
  };

  return { watch: async (pauseMs) => watchCopies(http, LIST, { marked: await mark(), loaded }, pauseMs) };
}
