import { expect } from 'chai';
import type { Scene } from './scene.js';
import { testify, watchCopies } from './witness.js';
import type { Testimony, Witness } from './witness.js';

/** Heights at which the copies are made to differ, far below all forks. */
const HEIGHTS = 'BETWEEN 8 AND 15';
const LIST = '/middleware/transactions/interval/8/15';

/** Rounds of the same answers after which no server is left that remembers others. */
const ROUNDS = 6;

export interface Copies {
  /**
   * Makes the copy that serves another than any that is loaded from the chain, without a change of its hashes: the copy
   * is `marked`, one that is loaded is `loaded`. Asks from then on which of them answers, each of eight clients with a
   * pause of `pauseMs`.
   */
  watch(pauseMs: number): Promise<Witness>;
}

/** To be had while the copy that serves is as it was loaded. */
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
  const testimony = (): Promise<Testimony> => testify(http, paths, LIST);
  const loaded = await testimony();
  expect(loaded.list.length).to.be.within(100, 999);

  /** Every object that an answer is made of. */
  const isMarked = ({ answers, list }: Testimony): boolean =>
    list.every((row) => row.includes('"marked":true')) &&
    [...answers].every(([path, text]) => text !== loaded.answers.get(path));

  const mark = async (): Promise<Testimony> => {
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
    // Servers forget the answers they gave when the chain grows.
    await scene.chain('/grow', { generations: 1 });
    let marked = await testimony();
    for (let rounds = 0; rounds < ROUNDS; rounds = isMarked(marked) ? rounds + 1 : 0) marked = await testimony();
    return marked;
  };

  return { watch: async (pauseMs) => watchCopies(http, LIST, { marked: await mark(), loaded }, pauseMs) };
}
