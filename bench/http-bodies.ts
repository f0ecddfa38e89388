/** Transactions of types as they come in a real chain: payments and calls of contracts are the most. */
import { encodeId, hash } from '../src/chain/encoding/encoding.js';

export interface Body {
  blockHash: string;
  height: number;
  hash: string;
  /** Number in the chain, from which all that varies is made. */
  number: number;
  sender: string;
  recipient: string;
}

/** Contracts that calls run. */
export const CONTRACTS = 50;

/** Of so many transactions, these are the types; the others are payments. */
const CYCLE = 20;
/** Calls among them, wrapped ones too. */
export const CALLS_OF_20 = 8;
const MAKE: Readonly<Record<number, (body: Body) => string>> = {
  1: call,
  3: call,
  4: call,
  6: call,
  8: call,
  11: call,
  13: call,
  7: (body) => `"channel_id":"${id('ch', body.number % 1000)}","from_id":"${body.sender}",${deposit(body)}`,
  9: (body) =>
    `"account_id":"${body.sender}","commitment_id":"${id('cm', body.number)}",${common(body)},"type":"NamePreclaimTx"`,
  15: (body) =>
    `"fee":16840000000000,"nonce":${body.height + 1},"oracle_id":"${id('ok', body.number % 200)}","query":"ov_${text(body.number, 60)}",` +
    `"query_fee":${body.number}000,"query_ttl":{"type":"delta","value":20},"response_ttl":{"type":"delta","value":20},` +
    `"sender_id":"${body.sender}","ttl":${body.height + 500},"type":"OracleQueryTx"`,
  17: (body) =>
    `"fee":16840000000000,"nonce":${body.height + 1},"payer_id":"${body.recipient}","tx":{"signatures":["sg_${text(body.number, 93)}"],` +
    `"tx":{${call(body)},"version":1}},"type":"PayingForTx"`,
};

/** The text of the transaction as a node gives it. */
export function bodyOf(body: Body): string {
  const make = MAKE[body.number % CYCLE] ?? payment;
  return (
    `{"block_hash":"${body.blockHash}","block_height":${body.height},"hash":"${body.hash}",` +
    `"signatures":["sg_${text(body.number, 93)}"],"tx":{${make(body)},"version":1}}`
  );
}

export const contractOf = (number: number): string => id('ct', number % CONTRACTS);

const common = ({ height }: Body): string => `"fee":16840000000000,"nonce":${height + 1},"ttl":${height + 500}`;
const deposit = (body: Body): string =>
  `"amount":${body.number}000,${common(body)},"round":7,"state_hash":"st_${text(7, 44)}","type":"ChannelDepositTx"`;

function payment(body: Body): string {
  const { number, recipient, sender } = body;
  return (
    `"amount":${number + 1}000000000000000,${common(body)},"payload":"ba_${text(number, (number * 7) % 90)}Xfbg4g==",` +
    `"recipient_id":"${recipient}","sender_id":"${sender}","type":"SpendTx"`
  );
}

function call(body: Body): string {
  const { number, sender } = body;
  return (
    `"abi_version":3,"amount":0,"call_data":"cb_${text(number, 40 + ((number * 13) % 150))}","caller_id":"${sender}",` +
    `"contract_id":"${contractOf(number)}",${common(body)},"gas":1579000,"gas_price":1000000000,"type":"ContractCallTx"`
  );
}

const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

/** Letters that follow from a number. */
function text(number: number, length: number): string {
  let [made, state] = ['', number + 1];
  for (let i = 0; i < length; i += 1) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    made += LETTERS[(state >> 8) % LETTERS.length]!;
  }
  return made;
}

/** An id with its checksum. */
const id = (prefix: 'ct' | 'ch' | 'cm' | 'ok', number: number): string =>
  encodeId(prefix, hash(Buffer.from(`${prefix} ${number}`)));
