/** Swaps of exchanges: which events are some, the tokens of their pairs, and how both APIs read lists of them. */
import type { Json } from '../../chain/encoding/json.js';
import { wordOf } from '../../chain/encoding/words.js';
import type { Queryable } from '../../store/connection/database.js';
import type { Answers, Head } from '../../store/queries/answer.js';
import { logRows } from '../../store/queries/contract-logs.js';
import type { LogRow, LogsOf } from '../../store/queries/contract-logs.js';
import { SWAP_TOKENS, compatPairs, compatPairsOfToken, compatTokenMetas } from '../../store/queries/compat/dex.js';
import type { Part } from '../../store/queries/compat/part.js';
import type { Key } from './cursor.js';
import { contractOf, metaOf } from './render/tokens.js';
import type { KeyList } from './token-lists.js';

interface SwapToken {
  id: string;
  name: Json;
  symbol: Json;
  decimals: Json;
}

/** An event that is a swap. Its contract is the pair. */
export interface Swap extends LogRow {
  /** Of the pair, in its order. */
  tokens: readonly [SwapToken, SwapToken];
  /** What the pair got of both, and what it gave. */
  amounts: readonly [in0: bigint, in1: bigint, out0: bigint, out1: bigint];
}

/** What was given and what was got: the amounts say the direction. */
export function sidesOf({ tokens: [first, second], amounts: [in0, in1, out0, out1] }: Swap) {
  return in0 > 0n
    ? { from: { ...first, amount: in0 }, to: { ...second, amount: out1 } }
    : { from: { ...second, amount: in1 }, to: { ...first, amount: out0 } };
}

/** Positions, both included. */
type Range = Pick<LogsOf, 'low' | 'high'>;

/** Those of some contracts that are pairs, with their tokens. The shares of a pair are a token, so what only says that it is a pair does not count. */
async function pairsAmong(db: Queryable, words: readonly bigint[]): Promise<Map<string, Swap['tokens']>> {
  const { rows } = words.length === 0 ? { rows: [] } : await compatPairs(db, words);
  if (rows.length === 0) return new Map();
  const ids = new Set(rows.flatMap(({ pair, token0, token1 }) => [pair, token0, token1]));
  const { rows: said } = await compatTokenMetas(db, [...ids].map(contractOf));
  const byId = new Map(said.map((row) => [row.contract_id, row]));
  const tokenOf = (digits: string): SwapToken => {
    const id = contractOf(digits);
    const { name, symbol, decimals } = metaOf({ meta: byId.get(id)?.meta ?? null });
    return { id, name, symbol, decimals };
  };
  return new Map(
    rows
      .filter(({ pair }) => byId.has(contractOf(pair)))
      .map(({ pair, token0, token1 }) => [contractOf(pair), [tokenOf(token0), tokenOf(token1)]]),
  );
}

/** The events that are swaps of a pair. */
async function swapsOf(db: Queryable, logs: readonly LogRow[]): Promise<Swap[]> {
  const pairs = await pairsAmong(db, [...new Set(logs.map(({ contract_id: id }) => id))].map(wordOf));
  return logs.flatMap((log) => {
    const tokens = pairs.get(log.contract_id);
    const amounts = tokens === undefined ? undefined : amountsIn(log);
    return tokens === undefined || amounts === undefined ? [] : [{ ...log, tokens, amounts }];
  });
}

/** `in0|in1|out0|out1`. */
function amountsIn({ topics, data }: LogRow): Swap['amounts'] | undefined {
  // The data is followed by four bytes of a checksum.
  const text = Buffer.from(data.slice(3), 'base64').subarray(0, -4).toString('utf8');
  if (topics.length !== 3 || !/^\d{1,78}(\|\d{1,78}){3}$/.test(text)) return undefined;
  const [in0, in1, out0, out1] = text.split('|').map(BigInt);
  return [in0!, in1!, out0!, out1!];
}

type Read = (part: Part<Key>) => Promise<Answers<LogRow>>;
type IsWanted = (swap: Swap) => boolean;

/** The list of the swaps among some events. */
const listOf = (db: Queryable, read: Read, isWanted: IsWanted = () => true): KeyList<Swap> => ({
  ascending: false,
  types: ['int', 'int'],
  key: keyOf,
  read: filled(db, read, isWanted),
});

const keyOf = ({ position, log_index: index }: LogRow): Key => [BigInt(position), BigInt(index)];

/** Events that are read at a time: some may be no swaps. */
const MAX_EVENTS = 1_000;

/** Reads events until there are as many swaps as the part has. */
const filled =
  (db: Queryable, read: Read, isWanted: IsWanted): KeyList<Swap>['read'] =>
  async ({ ascending, from: start, inclusive: isFirst, take }) => {
    const found: Swap[] = [];
    let from = start;
    for (let size = take, inclusive = isFirst; ; size = Math.min(MAX_EVENTS, 5 * size), inclusive = false) {
      const { rows, head } = await read({ ascending, from, inclusive, take: size });
      const logs = [...rows].sort(inOrder(ascending));
      found.push(...(await swapsOf(db, logs)).filter(isWanted));
      const end = logs.at(-1);
      if (found.length >= take || end === undefined || logs.length < size) return { rows: found.slice(0, take), head };
      from = keyOf(end);
    }
  };

const inOrder =
  (ascending: boolean) =>
  (a: LogRow, b: LogRow): number => {
    const order =
      a.position === b.position ? a.log_index - b.log_index : BigInt(a.position) < BigInt(b.position) ? -1 : 1;
    return ascending ? order : -order;
  };

const reading =
  (db: Queryable, of: LogsOf): Read =>
  ({ ascending, from, inclusive, take }) => {
    const [position, index] = (from ?? []) as bigint[];
    const step = inclusive ? (ascending ? -1 : 1) : 0;
    const after = from === undefined ? null : { position: position!, index: Number(index) + step };
    return logRows(db, of, { forward: ascending, after, take });
  };

/** All swaps. */
export const swapList = (db: Queryable, range: Range): KeyList<Swap> =>
  listOf(db, reading(db, { event: SWAP_TOKENS, ...range }));

/** Those that an account made. */
export const swapListOfAccount = (db: Queryable, account: string, range: Range, isWanted?: IsWanted): KeyList<Swap> =>
  listOf(db, reading(db, { event: SWAP_TOKENS, ...range, topics: new Map([[1, wordOf(account)]]) }), isWanted);

/** Those of a pair, or of all pairs of a token. `isTraded`: whether the contract is one of both. */
export async function swapListOfContract(
  db: Queryable,
  contract: string,
  range: Range,
): Promise<{ isTraded: boolean; list: KeyList<Swap> }> {
  const word = wordOf(contract);
  const isPair = (await pairsAmong(db, [word])).size > 0;
  const { pairs, head } = isPair ? { pairs: [contract], head: null } : await pairsOfToken(db, word);
  const reads = pairs.map((pair) => reading(db, { contract: pair, event: SWAP_TOKENS, ...range }));
  const read: Read = async (part) => {
    const parts: Answers<LogRow>[] = [];
    for (const one of reads) parts.push(await one(part));
    const rows = parts.flatMap((one) => one.rows).sort(inOrder(part.ascending));
    return { rows: rows.slice(0, part.take), head: parts[0]?.head ?? head };
  };
  return { isTraded: pairs.length > 0, list: listOf(db, read) };
}

async function pairsOfToken(db: Queryable, token: bigint): Promise<{ pairs: string[]; head: Head | null }> {
  const { rows, head } = await compatPairsOfToken(db, token);
  const pairs = await pairsAmong(
    db,
    rows.map(({ pair }) => BigInt(pair)),
  );
  const isOf = (tokens: Swap['tokens']): boolean => tokens.some(({ id }) => wordOf(id) === token);
  return { pairs: [...pairs].flatMap(([pair, tokens]) => (isOf(tokens) ? [pair] : [])), head };
}
