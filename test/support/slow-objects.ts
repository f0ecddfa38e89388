/** Oracles, channels, contracts and spends, plainly: see slow-model.ts. Rules: docs/protocol. */
import { decodeId } from '../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { derivedId, distinction, plainTransactions, textOf, topHeight } from './slow-model.js';
import type { PlainChain, PlainTransaction } from './slow-model.js';
import { plainNameHash } from './slow-names.js';

const ofType = (chain: PlainChain, ...types: string[]): PlainTransaction[] =>
  plainTransactions(chain).filter(({ effective }) => types.includes(textOf(effective['type'])));

/** Active oracles, latest registrations first. */
export function plainOracles(chain: PlainChain): JsonObject[] {
  const oracles: { oracle_id: string; transaction: PlainTransaction; expires_at: number }[] = [];
  for (const transaction of ofType(chain, 'OracleRegisterTx', 'OracleExtendTx')) {
    const { effective: tx, height } = transaction;
    const { type, value } = tx['oracle_ttl'] as { type: string; value: number };
    if (tx['type'] === 'OracleRegisterTx') {
      const oracle_id = `ok_${textOf(tx['account_id']).slice(3)}`;
      const before = oracles.findIndex((oracle) => oracle.oracle_id === oracle_id);
      if (before !== -1) oracles.splice(before, 1);
      oracles.push({ oracle_id, transaction, expires_at: type === 'delta' ? height + value : value });
    } else {
      const oracle = oracles.find(({ oracle_id }) => oracle_id === tx['oracle_id']);
      if (oracle !== undefined) oracle.expires_at += value;
    }
  }
  return oracles
    .filter(({ expires_at }) => expires_at >= topHeight(chain))
    .reverse()
    .map(({ oracle_id, transaction, expires_at }) => ({
      oracle_id,
      transaction_hash: transaction.hash,
      block_height: transaction.height,
      expires_at,
      tx: transaction.effective,
    }));
}

/** The oracle that a name points to at a position in the chain. */
function oracleBehind(chain: PlainChain, name: string, before: PlainTransaction): string | undefined {
  let pointers: { key: string; id: string }[] = [];
  for (const { hash, effective: tx } of plainTransactions(chain)) {
    if (hash === before.hash) break;
    if (tx['type'] === 'NameClaimTx' && plainNameHash(textOf(tx['name'])) === name && Number(tx['name_salt']) !== 0)
      pointers = [];
    if (tx['type'] === 'NameUpdateTx' && tx['name_id'] === name) pointers = tx['pointers'] as typeof pointers;
  }
  const id = pointers.find(({ key }) => key === 'oracle_pubkey')?.id;
  return id && `ok_${id.slice(3)}`;
}

/** Queries of each oracle, newest first. */
export function plainQuestions(chain: PlainChain): Map<string, JsonObject[]> {
  const told = ({ effective, hash, time }: PlainTransaction): JsonObject => ({ ...effective, hash, timestamp: time });
  const responses = ofType(chain, 'OracleRespondTx', 'OracleResponseTx');
  const questions = new Map<string, JsonObject[]>();
  for (const transaction of ofType(chain, 'OracleQueryTx')) {
    const { effective: tx, authentication } = transaction;
    const sender = textOf(tx['sender_id']);
    const asked = textOf(tx['oracle_id']);
    const parts =
      authentication?.account === sender
        ? [authentication.id, decodeId(asked)]
        : [decodeId(sender), distinction(transaction, sender, 32), decodeId(asked)];
    const query_id = derivedId('oq', ...parts);
    const oracle = asked.startsWith('nm_') ? oracleBehind(chain, asked, transaction) : asked;
    if (oracle === undefined) continue;
    const response = responses.find(({ effective }) => effective['query_id'] === query_id);
    const question = { query_id, request: told(transaction), response: response ? told(response) : null };
    questions.set(oracle, [question, ...(questions.get(oracle) ?? [])]);
  }
  return questions;
}

const CLOSING = ['ChannelCloseMutualTx', 'ChannelCloseSoloTx', 'ChannelSlashTx', 'ChannelSettleTx'];

function channelOf(transaction: PlainTransaction): string | undefined {
  const { effective: tx } = transaction;
  if (tx['type'] !== 'ChannelCreateTx') return tx['channel_id'] as string | undefined;
  const initiator = textOf(tx['initiator_id']);
  const responder = decodeId(textOf(tx['responder_id']));
  return derivedId('ch', decodeId(initiator), distinction(transaction, initiator, 32), responder);
}

/** Ids of all channels, by creation, and the transactions of each in chain order. */
export function plainChannels(chain: PlainChain): Map<string, PlainTransaction[]> {
  const channels = new Map<string, PlainTransaction[]>();
  for (const transaction of ofType(chain, 'ChannelCreateTx')) channels.set(channelOf(transaction)!, []);
  for (const transaction of plainTransactions(chain)) channels.get(channelOf(transaction) ?? '')?.push(transaction);
  return channels;
}

export const openChannels = (chain: PlainChain): string[] =>
  [...plainChannels(chain)]
    .filter(([, transactions]) => !transactions.some(({ effective }) => CLOSING.includes(textOf(effective['type']))))
    .map(([id]) => id);

/** Contracts by creation, with their creation and the direct calls of each. */
export function plainContracts(
  chain: PlainChain,
): Map<string, { creation: PlainTransaction; calls: PlainTransaction[] }> {
  const contracts = new Map<string, { creation: PlainTransaction; calls: PlainTransaction[] }>();
  for (const creation of ofType(chain, 'ContractCreateTx', 'GAAttachTx')) {
    const owner = textOf(creation.effective['owner_id']);
    contracts.set(derivedId('ct', decodeId(owner), distinction(creation, owner)), { creation, calls: [] });
  }
  for (const transaction of plainTransactions(chain)) {
    if (transaction.type !== 'ContractCallTx') continue;
    contracts.get(textOf(transaction.tx['contract_id']))?.calls.push(transaction);
  }
  return contracts;
}

/** Every call of a contract in chain order, also those that another transaction wraps. */
export const plainCalls = (chain: PlainChain, contract: string): PlainTransaction[] =>
  ofType(chain, 'ContractCallTx').filter(({ effective }) => effective['contract_id'] === contract);

/** Spends per day of the micro block time, UTC, both bounds exclusive (`YYYYMMDD`). */
export function plainRate(chain: PlainChain, from: string, to: string): JsonObject[] {
  const days = new Map<string, { count: number; amount: bigint }>();
  for (const { type, tx, time } of plainTransactions(chain)) {
    if (type !== 'SpendTx') continue;
    const date = new Date(time).toISOString().slice(0, 10);
    const { count, amount } = days.get(date) ?? { count: 0, amount: 0n };
    days.set(date, { count: count + 1, amount: amount + BigInt(tx['amount'] as bigint) });
  }
  const compact = (date: string): string => date.replaceAll('-', '');
  return [...days]
    .filter(([date]) => compact(date) > from && compact(date) < to)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([date, { count, amount }]) => ({ date, count, amount: String(amount) }));
}

/** Spends from one id to another, newest first. */
export const spendsBetween = (chain: PlainChain, sender: string, receiver: string): JsonObject[] =>
  plainTransactions(chain)
    .filter(({ type, tx }) => type === 'SpendTx' && tx['sender_id'] === sender && tx['recipient_id'] === receiver)
    .map(({ whole }) => whole)
    .reverse();
