/** Rows of logs of contracts. */
import { bytesOfWord } from '../../../chain/encoding/words.js';
import { decodeId, encodeId } from '../../../chain/encoding/encoding.js';
import type { IdPrefix } from '../../../chain/encoding/encoding.js';
import type { Json, JsonObject } from '../../../chain/encoding/json.js';
import { microOf } from '../../../chain/position.js';
import type { LogRow, LogWithCreations } from '../../../store/queries/contract-logs.js';

interface Options {
  /** It is the row of the contract that emitted the event, in a call of another one. */
  ofEmitter: boolean;
  /** Arguments of known events as what they are. */
  typed: boolean;
}

export function logRow(log: LogWithCreations, { ofEmitter, typed }: Options): JsonObject {
  const called = log.called_id ?? log.contract_id;
  const calledMade = log.called_id === null ? log.contract_made : log.called_made;
  const isForeign = log.called_id !== null;
  const contract = ofEmitter ? log.contract_id : called;
  const caller = isForeign && !ofEmitter ? log.contract_id : null;
  return {
    contract_id: contract,
    contract_tx_hash: ofEmitter ? log.contract_made : calledMade,
    call_tx_hash: log.hash,
    height: Number(log.height),
    block_hash: log.block_hash,
    block_time: Number(log.time),
    micro_index: microOf(BigInt(log.position)) - 1,
    log_idx: log.log_index,
    event_hash: base32(bytesOfWord(log.topics[0]!)),
    event_name: log.event,
    args: argumentsOf(log, typed),
    data: dataOf(log.data),
    ext_caller_contract_id: caller,
    ext_caller_contract_tx_hash: caller === null ? null : log.contract_made,
    parent_contract_id: isForeign && ofEmitter ? called : null,
    topics: log.topics,
    raw_data: log.data,
  };
}

/** What the arguments of known events are: a kind of identifier, or a number. */
const ARGUMENTS: Readonly<Record<string, readonly (IdPrefix | 'number')[]>> = {
  Allowance: ['ak', 'ak', 'number'],
  Approval: ['ak', 'ak', 'number'],
  ApprovalForAll: ['ak', 'ak'],
  Burn: ['ak', 'number'],
  Mint: ['ak', 'number'],
  PairCreated: ['ct', 'ct', 'ct'],
  Swap: ['ak', 'number'],
  TemplateMint: ['ak', 'number', 'number'],
  Transfer: ['ak', 'ak', 'number'],
};

function argumentsOf({ event, topics }: LogRow, typed: boolean): Json[] {
  const words = topics.slice(1);
  const types = typed && event !== null ? ARGUMENTS[event] : undefined;
  if (types?.length !== words.length) return words;
  return words.map((word, i) => {
    const type = types[i]!;
    return type === 'number' ? BigInt(word) : encodeId(type, bytesOfWord(word));
  });
}

const BASE32HEX = '0123456789ABCDEFGHIJKLMNOPQRSTUV';
const BITS = 5;

/** Base 32 with the extended hexadecimal alphabet, and with padding. */
function base32(bytes: Buffer): string {
  let text = '';
  let held = 0;
  let bits = 0;
  for (const byte of bytes) {
    held = ((held << 8) | byte) & 0xffff;
    bits += 8;
    for (; bits >= BITS; bits -= BITS) text += BASE32HEX[(held >> (bits - BITS)) & 31];
  }
  if (bits > 0) text += BASE32HEX[(held << (BITS - bits)) & 31];
  return text.padEnd(Math.ceil(text.length / 8) * 8, '=');
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** As text if it is one, else in base 64. */
function dataOf(data: string): string {
  const bytes = decodeId(data, 'cb');
  try {
    return strictUtf8.decode(bytes);
  } catch {
    return Buffer.from(bytes).toString('base64');
  }
}
