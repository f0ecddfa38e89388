/**
 * A node's dry run of transactions over the recorded chain of tokens, from its recorded call information and its recorded lists of payments. The form is
 * that of the node's sources; the recording itself has no such answers. What a node cannot run, it refuses as a node does.
 */
import { callIn } from '../../src/chain/effective.js';
import { encodeId, withPrefix } from '../../src/chain/encoding/encoding.js';
import { isObject, parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { integer, readMicroBlock } from '../../src/chain/facts.js';
import type { Transaction } from '../../src/chain/facts.js';
import { feeGas } from '../../src/chain/gas.js';
import { serializeTransaction } from '../../src/chain/serialize/transactions.js';
import type { NodeOperation } from '../../src/chain/money/node-operations.js';
import { recordedNodeBlocks } from './recorded-money.js';
import { recordedGenerations, recording } from './recording.js';

const OF = 'realnode-tokens';

/** Calls in which a contract creates another one. */
export const CREATING: readonly string[] = [
  'th_29GVBPbrx36p5on27svq5N3moxwzSHGXwWtqgVNxNyhH5SHTSX',
  'th_2DzqEyfFaZnM9smWCUJdwQNtYTQaoB6yJhZ8DTV7aYLGat7SY',
  'th_2U65TkHJ2wKKxUDHY9CVxY1DFNhMdZ34G6efHXb8V3mZeHYFKd',
  'th_BLLobACx1iUXJyptWLdtTB8CScR2M597hvkoSSoKsfqTEH9Yw',
  'th_Cy7Vg2ozsQPi8yDDaCcUtGyMJUig3FXYSpYaaqH9ZWLhSYJtd',
  'th_JWijGFyQzPy917iinn3pLCnaHQyHNb17qUuJ4LTyrJkK5HnKF',
  'th_Jp9rqNS2suQaFBrce6vXwHW4ThSFKSGJPUvRGCyQtF4BgUZsp',
  'th_SHM3aPKzWX8Gh3x2H3g3PZbEAQ6c1gmytivq3RHFGEGqKLM4C',
  'th_Z4W1cXgJywZ5pMfkvrygxwn2k7aRFo1UKdvDkihju1UVAZhab',
];

export interface RecordedEvent {
  key: string;
  info: JsonObject;
}

const ZERO = { fee: 0, ttl: 0 };
const NAMES = 'ak_3ctjhTDDBJnARjFXbdCj3BetfLd8nGEhiEvv1zjbRqWBbckiV';
const ORACLE = '2HKX1E1cUB5EXZSECZ5C2rP7dacrkM3qW3epoFVFFP2yczgKZ3';
const NAME = 'nm_HmSkweZYyPNCfgS7rfRKHYcaiusSfDuw2QU2Ci9iLqK9HAC7K';
const delta = (value: number) => ({ type: 'delta', value });

/** Events of some of the calls that change names and oracles. The chain has these calls; the members are made up, as a node prints them. */
const OTHERS: Readonly<Record<string, RecordedEvent>> = {
  th_2dEJPw5meieG4u9dSzaa5Z2q5GNvyiovSTX64rkEtyJzGBkwqr: {
    key: 'AENS.preclaim',
    info: {
      ...ZERO,
      account_id: NAMES,
      commitment_id: 'cm_HmSkweZYyPNCfgS7rfRKHYcaiusSfDuw2QU2Ci9iLqK9HAC7K',
      nonce: 0,
    },
  },
  th_2t1Axk2vErN9YZ9NJshBJUvy8ryJHSuLLWUu6bchaJdnx7Ky8f: {
    key: 'AENS.claim',
    info: {
      ...{ ...ZERO, account_id: NAMES, name: 'bycontract23xx.chain', name_fee: 1094600000000000000n },
      ...{ name_salt: 7, nonce: 0 },
    },
  },
  th_2XvB9ZywWNAf2QqjBtfN6F166R9PgjZxxAC8HVBWsKDXts24Go: {
    key: 'AENS.update',
    info: {
      ...{ ...ZERO, account_id: NAMES, name_id: NAME, name_ttl: 500, client_ttl: 0, nonce: 0 },
      pointers: [{ id: NAMES, key: 'account_pubkey' }],
    },
  },
  th_2ev9rEZNegwUF8qHLNAjoRZjVhT2hPntYKAYkrdmj2vXdbS622: {
    key: 'Oracle.register',
    info: {
      ...{ ...ZERO, account_id: `ak_${ORACLE}`, abi_version: 3, query_format: 'string', response_format: 'string' },
      ...{ query_fee: 79083, oracle_ttl: delta(1000), nonce: 0 },
    },
  },
  th_mrEZZG4Gos27F2GGJEvz12t117LwJbKx1o6Qm6PoRY1pydNKK: {
    key: 'Oracle.query',
    info: {
      ...{
        ...ZERO,
        oracle_id: `ok_${ORACLE}`,
        sender_id: 'ak_2sn6aYLBZUvZSNWoHzQKhCii8tQevXeTwaD7LkSRE9dGwU5bhV',
        nonce: 1,
      },
      // A text that looks like members must not be found as one.
      ...{ query: `{"recipient_id":"${NAMES}"}`, query_fee: 79083, query_ttl: delta(50), response_ttl: delta(50) },
    },
  },
};

interface Recorded {
  transaction: Transaction;
  /** Its own unsigned text, and that of the transaction that it wraps. */
  text: string;
  inner: { text: string; caller: string | undefined } | undefined;
  call: JsonObject | undefined;
  events: RecordedEvent[];
}

export interface RecordedBlock {
  height: number;
  version: number;
  transactions: Recorded[];
}

let blocks: Map<string, RecordedBlock> | undefined;

/** By the hash of the block before the micro block. */
export function recordedBlocks(): Map<string, RecordedBlock> {
  if (blocks !== undefined) return blocks;
  blocks = new Map();
  const money = recordedNodeBlocks(OF);
  const all = recordedGenerations(OF);
  const contracts = new Set<string>();
  for (const { height, microBlocks } of all) {
    for (const { header, transactions } of microBlocks) {
      const block = readMicroBlock(header, transactions);
      const recorded = block.transactions.map((transaction): Recorded => {
        const call = callOf(transaction.hash);
        const contract = call?.['contract_id'];
        if (typeof contract === 'string') contracts.add(withPrefix('ak', contract));
        return {
          transaction,
          call,
          ...textsOf(transaction),
          events: [
            ...eventsOf(money.get(height)?.transactions.get(transaction.hash) ?? [], contracts),
            ...[OTHERS[transaction.hash]].flatMap((event) => event ?? []),
          ],
        };
      });
      blocks.set(block.prevHash, { height, version: block.version, transactions: recorded });
    }
  }
  return blocks;
}

function callOf(hash: string): JsonObject | undefined {
  const answer = recording(OF).get(`GET /v2/transactions/${hash}/info`);
  return answer?.status === 200 ? callIn(parseExact(answer.body)) : undefined;
}

const textOf = (tx: JsonObject): string => encodeId('tx', serializeTransaction(tx));

function textsOf({ tx }: Transaction): Pick<Recorded, 'text' | 'inner'> {
  const envelope = tx['tx'];
  const inner = isObject(envelope) ? envelope['tx'] : undefined;
  const { caller_id: caller, owner_id: owner } = isObject(inner) ? inner : {};
  const by = caller ?? owner;
  return {
    text: textOf(tx),
    inner: isObject(inner) ? { text: textOf(inner), caller: typeof by === 'string' ? by : undefined } : undefined,
  };
}

/** Payments as the node lists them: two neighbouring operations each. Which function it was, the list does not say. */
function eventsOf(operations: readonly NodeOperation[], contracts: ReadonlySet<string>): RecordedEvent[] {
  if (!operations.some(({ type }) => type === 'Contract.amount')) return [];
  const spends = operations.filter(({ type }) => type === 'Spend.amount');
  return spends.flatMap(({ account: recipient_id, amount }, i): RecordedEvent[] => {
    if (i % 2 === 0) return [];
    const key = contracts.has(recipient_id) ? 'Call.amount' : 'Chain.spend';
    const payload = encodeId('ba', Buffer.from(key));
    return [{ key, info: { ...ZERO, amount, nonce: 0, payload, recipient_id, sender_id: spends[i - 1]!.account } }];
  });
}

export interface NodeAnswer {
  status: number;
  text: string;
}

const refusal = (status: number, reason: string): NodeAnswer => ({ status, text: stringifyExact({ reason }) });

const MAX_GAS = 6_000_000n;

/** The answer to a request for a dry run. `change`: other events or another result of the last transaction. */
export function recordedReplay(
  body: string,
  change: (last: Pick<Recorded, 'call' | 'events'> & { hash: string }) => Pick<Recorded, 'call' | 'events'> = (last) =>
    last,
): NodeAnswer {
  const asked = parseExact(body) as { top: string; txs: { tx: string }[]; accounts?: { pub_key: string }[] };
  const block = recordedBlocks().get(asked.top);
  if (block === undefined) return refusal(404, 'Block not found');
  const credited = (asked.accounts ?? []).map(({ pub_key: id }) => id);
  const found = asked.txs.map(({ tx }) => {
    const own = block.transactions.find(({ text, inner }) => text === tx || inner?.text === tx);
    if (own === undefined) throw new Error('not a transaction of the block');
    return { own, isInner: own.text !== tx };
  });
  if (found.some(({ own, isInner }) => !isInner && own.inner !== undefined))
    return refusal(400, 'Bad request: Unsupported transaction type paying_for_tx');
  const gas = found.reduce((sum, { own: { transaction }, isInner }) => {
    const tx = isInner ? innerOf(transaction) : transaction.tx;
    return sum + feeGas(tx, block.height, block.version) + (integer(tx['gas']) ?? 0n);
  }, 0n);
  if (gas > MAX_GAS) return refusal(403, 'Over the gas limit');
  if (found.some(({ own }) => CREATING.includes(own.transaction.hash))) return refusal(500, 'Internal server error');
  const { own, isInner } = found.at(-1)!;
  const isRun = !isInner || (own.transaction.type === 'PayingForTx' && credited.includes(own.inner!.caller!));
  const last = change({ hash: own.transaction.hash, call: own.call, events: own.events });
  const results = found.map(({ own: { call } }, i) => {
    if (i < found.length - 1) return { type: 'contract_call', result: 'ok', ...(call && { call_obj: call }) };
    if (!isRun) return { type: 'contract_call', result: 'error', reason: 'Error: insufficient_funds' };
    return { type: 'contract_call', result: 'ok', ...(last.call && { call_obj: last.call }) };
  });
  const events = isRun ? last.events : [];
  return {
    status: 200,
    text: stringifyExact({
      results,
      tx_events: events.map((event) => ({
        kind: 'internal_call_tx',
        type: 'contract_call_tx',
        tx_hash: 'th_other',
        ...event,
      })),
    }),
  };
}

function innerOf({ tx }: Transaction): JsonObject {
  const envelope = tx['tx'];
  const inner = isObject(envelope) ? envelope['tx'] : undefined;
  if (!isObject(inner)) throw new Error('wraps nothing');
  return inner;
}
