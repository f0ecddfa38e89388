/** Query parameters of the list of logs. */
import { LAST_POSITION, MAX_HEIGHT, keyPosition } from '../chain/position.js';
import type { LogPlace, LogsOf } from '../store/queries/contract-logs.js';
import type { QueryPart } from './endpoint.js';
import { queryParameter } from './parse.js';
import { taken } from './query.js';
import * as p from './schemas/parameters.js';

const TOPICS = { topic1: p.topic(1), topic2: p.topic(2), topic3: p.topic(3) };

/** Which logs. */
export const logFilter: QueryPart<LogsOf> = {
  parameters: {
    contract: p.contract.meta({ ...p.contract.meta(), description: 'Only logs that this contract emitted.' }),
    called: p.contract.meta({
      ...p.contract.meta(),
      description: 'Only logs of calls of this contract, and of its creation.',
    }),
    event: p.event,
    ...TOPICS,
    from: p.fromHeight,
    to: p.toHeight,
  },
  read(query) {
    const contract = queryParameter(p.contract, 'contract', query);
    const called = queryParameter(p.contract, 'called', query);
    const event = queryParameter(p.event, 'event', query);
    const topics = new Map<1 | 2 | 3, bigint>();
    for (const place of [1, 2, 3] as const) {
      const value = queryParameter(TOPICS[`topic${place}`], `topic${place}`, query);
      if (value !== undefined) topics.set(place, value);
    }
    const from = queryParameter(p.fromHeight, 'from', query) ?? 0;
    const to = queryParameter(p.toHeight, 'to', query) ?? MAX_HEIGHT;
    return {
      ...(contract !== undefined && { contract }),
      ...(called !== undefined && { called }),
      ...(event !== undefined && { event }),
      topics,
      low: keyPosition(from),
      high: keyPosition(to + 1) - 1n,
    };
  },
};

interface LogPages {
  forward: boolean;
  after: LogPlace | null;
  take: number;
  /** How many logs the client asked for; null for all of them. */
  wanted: bigint | null;
}

/** Which part of them. */
export const logPages: QueryPart<LogPages> = {
  parameters: { ...taken.parameters, cursor: p.logCursor, order: p.order },
  read(query, cap) {
    const cursor = queryParameter(p.logCursor, 'cursor', query) ?? '';
    const [, position, index] = /^(\d+)\.(\d+)$/.exec(cursor) ?? [];
    return {
      forward: queryParameter(p.order, 'order', query) === 'oldest',
      after: position === undefined ? null : { position: clamped(position), index: Number(index) },
      ...taken.read(query, cap),
    };
  },
  ignored: (query) => taken.ignored!(query),
};

const clamped = (digits: string): bigint => (BigInt(digits) > LAST_POSITION ? LAST_POSITION : BigInt(digits));
