/**
 * What the compatible API must answer about a recorded chain, from the recording alone: no code of the service is used. All integers are texts,
 * as with `int-as-string=true`.
 */
import { recording, recordedGenerations } from './recording.js';
import type { Recording } from './recording.js';

type Members = Record<string, unknown>;

export interface ModelTransaction {
  hash: string;
  /** Number on the chain, from 0. */
  index: number;
  height: number;
  microIndex: number;
  microBlock: string;
  microTime: string;
  envelope: Members;
  tx: Members;
  /** Answer about the call; undefined if there is none. */
  info: Members | undefined;
}

interface ModelKeyBlock {
  height: number;
  block: Members;
  microBlocks: { hash: string; header: Members; transactions: number }[];
  transactions: number;
}

export interface CompatModel {
  keyBlocks: ModelKeyBlock[];
  /** Oldest first. */
  transactions: ModelTransaction[];
}

/** JSON whose integers are texts. Numbers within texts stay: a text is matched as a whole. */
export const asTexts = (json: string): unknown =>
  JSON.parse(
    json.replace(/"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g, (token) =>
      /^-?\d+$/.test(token) ? `"${token}"` : token,
    ),
  );

export function compatModel(of: Recording): CompatModel {
  const transactions: ModelTransaction[] = [];
  const keyBlocks = recordedGenerations(of).map(({ height, keyBlock, microBlocks }): ModelKeyBlock => {
    const before = transactions.length;
    const micros = microBlocks.map(({ hash, header, transactions: text }, microIndex) => {
      const members = asTexts(header) as Members;
      const listed = (asTexts(text) as { transactions: Members[] }).transactions;
      for (const envelope of listed) {
        transactions.push({
          hash: envelope['hash'] as string,
          index: transactions.length,
          height,
          microIndex,
          microBlock: hash,
          microTime: members['time'] as string,
          envelope,
          tx: envelope['tx'] as Members,
          info: infoOf(of, envelope['hash'] as string),
        });
      }
      return { hash, header: members, transactions: listed.length };
    });
    return {
      height,
      block: asTexts(keyBlock) as Members,
      microBlocks: micros,
      transactions: transactions.length - before,
    };
  });
  return { keyBlocks, transactions };
}

function infoOf(of: Recording, hash: string): Members | undefined {
  const answer = recording(of).get(`GET /v2/transactions/${hash}/info`);
  return answer?.status === 200 ? (asTexts(answer.body) as Members) : undefined;
}

/** The answer of the node about an object, as it is at the end of the recording; undefined if it has none. */
export function nodeObject(of: Recording, path: string): Members | undefined {
  const answer = recording(of).get(`GET /v3${path}`) ?? recording(of).get(`GET /v2${path}`);
  return answer?.status === 200 ? (asTexts(answer.body) as Members) : undefined;
}

/** Paths of the node that the recording has answers for. */
export const recordedPaths = (of: Recording, pattern: RegExp): string[] => [
  ...new Set(
    [...recording(of).keys()].flatMap((request) => pattern.exec(request.replace(/^GET \/v[23]/, ''))?.[0] ?? []),
  ),
];

/** The part of an id after its kind: the same for all ids with these bytes. */
export const bytesOf = (id: string): string => id.slice(3);

/** A transaction, and those that it wraps. */
export function nested(tx: Members): Members[] {
  const inner = (tx['tx'] as { tx?: Members } | undefined)?.tx;
  return inner === undefined ? [tx] : [tx, ...nested(inner)];
}

/** Bytes of the accounts that a transaction names, or one that it wraps. */
const OF_ACCOUNTS = /^(sender|recipient|account|ga|caller|initiator|responder|from|to|owner|payer)_id$/;
export const accountsIn = ({ tx }: ModelTransaction): string[] =>
  nested(tx).flatMap((one) =>
    Object.entries(one).flatMap(([name, value]) =>
      OF_ACCOUNTS.test(name) && typeof value === 'string' && value.startsWith('ak_') ? [bytesOf(value)] : [],
    ),
  );

/** Types by the word of the parameter `type_group`. */
export const GROUPS: Readonly<Record<string, RegExp>> = {
  channel: /^Channel/,
  contract: /^Contract/,
  ga: /^GA/,
  name: /^Name/,
  oracle: /^Oracle/,
  paying: /^PayingFor/,
  spend: /^Spend/,
};

/** The word of the parameter `type`. */
export const wordOf = (type: string): string =>
  type === 'OracleRespondTx'
    ? 'oracle_response'
    : type
        .replace(/Tx$/, '')
        .replace('GA', 'Ga')
        .replace(/\B[A-Z]/g, '_$&')
        .toLowerCase();

/** Members of the row that are the node's own. */
export function expectedRow({ envelope, microIndex, microTime }: ModelTransaction): Members {
  const { tx: _tx, ...members } = envelope;
  return { ...members, micro_index: String(microIndex), micro_time: microTime };
}

/** Members of the inner transaction that rows show in another form. */
const REPLACED: Record<string, string[]> = {
  OracleQueryTx: ['query'],
  OracleRespondTx: ['response'],
  NameUpdateTx: ['pointers'],
  PayingForTx: ['tx'],
  GAMetaTx: ['tx'],
};

const base64 = (text: unknown): string => Buffer.from(String(text)).toString('base64');

/** Members that a row's transaction must have, from what the node says of it. */
export function expectedTx({ tx, info }: ModelTransaction): Members {
  const type = tx['type'] as string;
  const same = Object.fromEntries(Object.entries(tx).filter(([name]) => !(REPLACED[type] ?? []).includes(name)));
  const call = info?.['call_info'] as Members | undefined;
  const authentication = info?.['ga_info'] as Members | undefined;
  switch (type) {
    case 'ContractCreateTx':
    case 'GAAttachTx':
      return {
        ...same,
        contract_id: call!['contract_id'],
        return_type: call!['return_type'],
        gas_used: call!['gas_used'],
      };
    case 'ContractCallTx':
      return { ...same, return_type: call!['return_type'], gas_used: call!['gas_used'], ...resultOf(call!) };
    case 'GAMetaTx':
      return { ...same, return_type: authentication!['return_type'], gas_used: authentication!['gas_used'] };
    case 'OracleRegisterTx':
      return { ...same, oracle_id: `ok_${bytesOf(tx['account_id'] as string)}` };
    case 'OracleQueryTx':
      return { ...same, query: base64(tx['query']) };
    case 'OracleRespondTx':
      return { ...same, response: base64(tx['response']) };
    default:
      return same;
  }
}

/** `result`, and `return` where it is a word. */
function resultOf({ return_type: type }: Members): Members {
  if (type === 'ok') return { result: 'ok' };
  return type === 'revert' ? { result: 'ok', return: 'invalid' } : { result: 'invalid', return: 'error' };
}
