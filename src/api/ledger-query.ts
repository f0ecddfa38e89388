/** Query parameters of the ledger of an account. */
import type { Kind } from '../chain/money/kinds.js';
import { accountOf } from '../chain/money/movement.js';
import { LAST_POSITION, MAX_HEIGHT, keyPosition } from '../chain/position.js';
import type { Queryable } from '../store/connection/database.js';
import type { BalancePlace } from '../store/queries/ledger.js';
import { positionsOfTimes } from '../store/queries/moments.js';
import type { QueryPart } from './endpoint.js';
import type { Exchange } from './exchange.js';
import { logPages } from './log-query.js';
import { badRequest, queryParameter } from './parse.js';
import * as p from './schemas/parameters.js';

/** Heights and times, both ends included; null for no limit. */
interface Period {
  low: bigint;
  high: bigint;
  since: bigint | null;
  until: bigint | null;
}

export const period: QueryPart<Period> = {
  parameters: { from: p.fromHeight, to: p.toHeight, from_time: p.fromTime, to_time: p.toTime },
  read(query) {
    const from = queryParameter(p.fromHeight, 'from', query) ?? 0;
    const to = queryParameter(p.toHeight, 'to', query) ?? MAX_HEIGHT;
    return {
      low: keyPosition(from),
      high: keyPosition(to + 1) - 1n,
      since: queryParameter(p.fromTime, 'from_time', query) ?? null,
      until: queryParameter(p.toTime, 'to_time', query) ?? null,
    };
  },
};

/** The positions of a period, both ends included. */
export async function positionsOf(
  db: Queryable,
  { low, high, since, until }: Period,
): Promise<{ low: bigint; high: bigint }> {
  if (since === null && until === null) return { low, high };
  // Everything before the first block that is later.
  const [first, behind] = await positionsOfTimes(db, [since ?? 0n, until === null ? null : until + 1n]);
  return {
    low: since === null || first! < low ? low : first!,
    high: until === null || behind! - 1n > high ? high : behind! - 1n,
  };
}

export const kinds: QueryPart<readonly Kind[] | null> = {
  parameters: { kind: p.movementKinds },
  read: (query) => queryParameter(p.movementKinds, 'kind', query) ?? null,
};

/** Which part of a ledger: as for logs, but for the words of the order. */
export const ledgerPages: typeof logPages = {
  ...logPages,
  parameters: { ...logPages.parameters, order: p.direction },
  read({ order, ...query }, cap) {
    const forward = queryParameter(p.direction, 'order', { order }) === 'asc';
    return { ...logPages.read(query, cap), forward };
  },
};

/** The next page, with the query that `linkNext` returned, as a path in JSON; `null` at the end of the list. */
export const nextText = (ctx: Exchange, query: string | null): string =>
  query === null ? 'null' : JSON.stringify(`${ctx.path}?${query}`);

type BalanceAt = { height: number } | { block: string } | { time: bigint } | null;

/** At which place of the chain a balance is asked for; null for the head. */
export const balancePlace: QueryPart<BalanceAt> = {
  parameters: { height: p.height, time: p.atTime, block: p.block },
  read(query) {
    const height = queryParameter(p.height, 'height', query);
    const time = queryParameter(p.atTime, 'time', query);
    const block = queryParameter(p.block, 'block', query);
    const given = [height, time, block].filter((value) => value !== undefined);
    if (given.length > 1) throw badRequest('Invalid input: give one of height, time and block');
    if (height !== undefined) return { height };
    if (time !== undefined) return { time };
    return block === undefined ? null : { block };
  },
};

export async function placeOfBalance(db: Queryable, at: BalanceAt): Promise<BalancePlace> {
  if (at === null) return { upTo: LAST_POSITION };
  if (!('time' in at)) return at;
  const [behind] = await positionsOfTimes(db, [at.time + 1n]);
  return { upTo: behind! - 1n };
}

/** A contract and an oracle have the account of the same bytes. */
export const ledgerAccount = (id: string): string => (/^(ct|ok)_/.test(id) ? accountOf(id) : id);
