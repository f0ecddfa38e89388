import { isObject, parseExact } from '../../../chain/encoding/json.js';
import type { JsonObject } from '../../../chain/encoding/json.js';
import { integer } from '../../../chain/facts.js';
import { heightOf, keyPosition } from '../../../chain/position.js';
import { nestedTransactions } from '../../../chain/transactions/nested.js';
import { TRANSACTION_TYPES } from '../../../chain/transactions/catalogue.js';
import type { Queryable } from '../../../store/connection/database.js';
import * as queries from '../../../store/queries/compat/objects.js';
import type { CompatChannelRow } from '../../../store/queries/compat/objects.js';
import { transactionTotal } from '../../../store/queries/compat/transaction-totals.js';
import { readEffects } from '../effects.js';
import type { Effect } from '../effects.js';
import { compatible } from '../endpoint.js';
import { notFound } from '../errors.js';
import { mentionAs } from '../mentions.js';
import { inOrder, list, rangeOf } from '../page.js';
import type { Row } from '../page.js';
import { hash, id, word } from '../parameters.js';
import { roundIn } from '../render/transactions.js';
import { textOf } from '../render/values.js';
import * as s from '../schemas.js';
import { endOf, heightsOf, positionsOf } from '../scope.js';

const CHANNEL_TYPES = TRANSACTION_TYPES.map(({ name }) => name).filter((name) => name.startsWith('Channel'));

/** A transaction of a channel, without those around it. */
interface Step {
  position: bigint;
  time: number;
  hash: string;
  tx: JsonObject;
}

type Stored = Awaited<ReturnType<typeof queries.compatChannelTransactions>>['rows'][number];

function stepOf({ position, body, time }: Stored): Step {
  const envelope = parseExact(body) as JsonObject;
  const nested = [...nestedTransactions(envelope['tx'])];
  const tx = nested.find((one) => CHANNEL_TYPES.includes(textOf(one['type']))) ?? nested[0] ?? {};
  return { position: BigInt(position), time: Number(time), hash: textOf(envelope['hash']), tx };
}

const amountIn = (tx: JsonObject, member: string): bigint => integer(tx[member]) ?? 0n;

/** What a transaction adds to the coins in its channel. */
function change({ tx }: Step): bigint {
  switch (tx['type']) {
    case 'ChannelCreateTx':
      return amountIn(tx, 'initiator_amount') + amountIn(tx, 'responder_amount');
    case 'ChannelDepositTx':
      return amountIn(tx, 'amount');
    case 'ChannelWithdrawTx':
      return -amountIn(tx, 'amount');
    default:
      return 0n;
  }
}

const roundOf = ({ tx }: Step) => tx['round'] ?? roundIn(tx['payload']);

/** The last value of a member in the transactions of a channel. */
const lastOf = (steps: readonly Step[], member: string) =>
  steps.findLast(({ tx }) => tx[member] !== undefined)?.tx[member];

function channelRow({ id: channelId, active }: CompatChannelRow, steps: readonly Step[]): JsonObject {
  const [first] = steps;
  const last = steps.at(-1)!;
  const { tx = {} } = first ?? {};
  return {
    channel: channelId,
    active,
    initiator: tx['initiator_id'] ?? null,
    responder: tx['responder_id'] ?? null,
    state_hash: lastOf(steps, 'state_hash') ?? null,
    // All that is in an ended channel was paid out or locked.
    amount: active ? steps.reduce((sum, step) => sum + change(step), 0n) : 0n,
    last_updated_height: heightOf(last.position),
    last_updated_time: last.time,
    last_updated_tx_hash: last.hash,
    last_updated_tx_type: last.tx['type'] ?? null,
    updates_count: steps.length,
    ...(active && {
      channel_reserve: tx['channel_reserve'] ?? null,
      delegate_ids: isObject(tx['delegate_ids']) ? tx['delegate_ids'] : { initiator: [], responder: [] },
      initiator_amount: tx['initiator_amount'] ?? null,
      responder_amount: tx['responder_amount'] ?? null,
      lock_period: tx['lock_period'] ?? null,
      round: steps.map(roundOf).findLast((round) => round !== undefined) ?? 1,
    }),
  };
}

async function channelRows(db: Queryable, rows: readonly CompatChannelRow[]): Promise<Row[]> {
  const { rows: stored } = await queries.compatChannelTransactions(
    db,
    rows.map((row) => row.id),
  );
  return rows.map((row) => {
    const steps = stored.filter(({ channel }) => channel === row.id).map(stepOf);
    steps.sort((a, b) => (a.position < b.position ? -1 : 1));
    return { key: [BigInt(row.position)], value: channelRow(row, steps) };
  });
}

export const channels = list({
  v3: { path: '/channels', id: 'GetChannels' },
  v2: { path: '/channels', id: 'get_channels' },
  tag: 'Channels',
  summary: 'Channels by their creation',
  query: { state: word('state', 'Only open channels, or only those that were ended.', ['active', 'inactive']) },
  strict: true,
  row: s.channel,
  key: ['int'],
  hasCount: true,
  scopes: ['gen'],
  open({ query, scope }, { db }) {
    const { low, high, forward } = heightsOf(scope);
    const range = { low: keyPosition(Number(low)), high: endOf(Number(high)) };
    const active = query.state === undefined ? null : query.state === 'active';
    return {
      forward,
      total: () => queries.compatChannelTotal(db, { active, ...range }),
      async read(part) {
        const { rows, head } = await queries.compatChannels(db, { active, ...rangeOf(part, range) }, part);
        return { rows: inOrder(await channelRows(db, rows), part), head };
      },
    };
  },
});

const CHANNEL = { id: id('A channel.', 'ch') };

export const channel = compatible({
  v3: { path: '/channels/{id}', id: 'GetChannel' },
  v2: { path: '/channels/{id}', id: 'get_channel' },
  tag: 'Channels',
  summary: 'A channel',
  params: CHANNEL,
  query: { block_hash: hash('Accepted, and not used: the answer is of the head.', 'kh', 'mh') },
  answer: s.channel,
  async handle({ params }, { db }) {
    const { rows, head } = await queries.compatChannel(db, params.id);
    const [row] = await channelRows(db, rows);
    if (row === undefined) throw notFound(params.id);
    return { value: row.value, head };
  },
});

export const channelUpdates = list({
  v3: { path: '/channels/{id}/updates', id: 'GetChannelUpdates' },
  v2: { path: '/channels/{id}/updates', id: 'get_channel_updates' },
  tag: 'Channels',
  summary: 'Transactions of a channel, newest first',
  params: CHANNEL,
  row: s.effect,
  key: ['int'],
  hasCount: true,
  scopes: ['gen', 'time', 'transaction'],
  async open({ params, scope }, { db }) {
    const { rows } = await queries.compatChannel(db, params.id);
    if (rows.length === 0) throw notFound(params.id);
    const { forward, ...range } = await positionsOf(db, scope);
    const of = { mentions: [mentionAs(params.id, 'ch')], types: null, texts: [], ...range };
    const render = (effects: readonly Effect[]) =>
      Promise.resolve(
        effects.map(({ tx, common: { internal_source: _internal, ...common } }) => ({
          channel: params.id,
          tx_type: tx['type']!,
          ...common,
          tx,
        })),
      );
    return { forward, read: readEffects(db, of, CHANNEL_TYPES, render), total: () => transactionTotal(db, of) };
  },
});
