/** Saves a state of the ledger to disk, so that a stored chain does not have to be executed from the beginning after a restart. */
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { deserialize, serialize } from 'node:v8';
import { draftOf, emptyState } from '../ledger/persistent-state.js';
import type { Earnings, Ending, Kinds, State } from '../ledger/state.js';

const KINDS = ['account', 'preclaim', 'name', 'auction', 'oracle', 'query', 'contract', 'channel'] as const;
type SavedKind = (typeof KINDS)[number];

interface Saved {
  /** Id of the block after which the state is. */
  block: string;
  height: number;
  version: number;
  held: { [K in SavedKind]: [string, Kinds[K]][] };
  earnings: [string, Earnings][];
  expiring: [string, readonly Ending[]][];
}

/** Any prefix: the ledger removes the prefix of identifiers, so saved ones have none. */
const PREFIX = 'xx_';

/** Replaces the whole file atomically. */
export function saveState(path: string, block: string, state: State): void {
  const saved: Saved = {
    block,
    height: state.height,
    version: state.version,
    held: Object.fromEntries(KINDS.map((kind) => [kind, [...state.all(kind)]])) as Saved['held'],
    earnings: [...state.all('earnings')],
    expiring: [...state.all('expiring')],
  };
  writeFileSync(`${path}.new`, serialize(saved));
  renameSync(`${path}.new`, path);
}

/** Returns undefined if there is no readable state. It must then be computed. */
export function readState(path: string): { block: string; state: State } | undefined {
  let saved: Saved;
  try {
    saved = deserialize(readFileSync(path)) as Saved;
  } catch {
    return undefined;
  }
  const draft = draftOf(emptyState());
  const put = <K extends SavedKind>(kind: K): void => {
    for (const [id, record] of saved.held[kind]) draft.put(kind, PREFIX + id, record);
  };
  KINDS.forEach(put);
  for (const [height, earnings] of saved.earnings) draft.putEarnings(Number(height), earnings);
  for (const [height, endings] of saved.expiring) {
    for (const ending of endings) draft.expire(Number(height), ending);
  }
  draft.startGeneration(saved.height, saved.version);
  return { block: saved.block, state: draft.freeze() };
}
