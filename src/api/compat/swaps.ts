/** Swaps of exchanges: which events are some, and the tokens of their pairs. */
import { wordOf } from '../../chain/encoding/words.js';
import type { Queryable } from '../../store/connection/database.js';
import type { Answers } from '../../store/queries/answer.js';
import { logRows } from '../../store/queries/contract-logs.js';
import type { LogRow, LogsOf } from '../../store/queries/contract-logs.js';
import { SWAP_TOKENS, compatPairs, compatPairsOfToken, compatTokenMetas } from '../../store/queries/compat/dex.js';
import type { Part } from '../../store/queries/compat/part.js';
import { notFound } from './errors.js';
import type { ReadPart, Row } from './page.js';
import { swapRow } from './render/dex.js';
import type { Swap, SwapToken } from './render/dex.js';
import { contractOf, metaOf } from './render/tokens.js';
import type { Range } from './scope.js';

/** Those of some contracts that are pairs, with their tokens. The shares of a pair are a token, so what only says that it is a pair does not count. */
async function pairsAmong(db: Queryable, words: readonly bigint[]): Promise<Map<string, Swap['tokens']>> {
  const { rows } = words.length === 0 ? { rows: [] } : await compatPairs(db, words);
  if (rows.length === 0) return new Map();
  const ids = new Set(rows.flatMap(({ pair, token0, token1 }) => [pair, token0, token1]));
  const { rows: said } = await compatTokenMetas(db, [...ids].map(contractOf));
  const byId = new Map(said.map((row) => [row.contract_id, row]));
  const tokenOf = (digits: string): SwapToken => {
    const id = contractOf(digits);
    const { symbol, decimals } = metaOf({ meta: byId.get(id)?.meta ?? null });
    return { id, symbol, decimals };
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
    return tokens === undefined || amounts === undefined ? [] : [{ log, tokens, amounts }];
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

const rowOf = (swap: Swap): Row => ({
  key: [BigInt(swap.log.position), BigInt(swap.log.log_index)],
  value: swapRow(swap),
});

interface Place {
  position: bigint;
  index: bigint;
}

type Read = (part: Part<Place>) => Promise<Answers<LogRow>>;

/** Events that are read at a time: some may be no swaps. */
const MAX_EVENTS = 1_000;

/** Reads events until there are as many swaps as the part has. */
const filled =
  (db: Queryable, read: Read, isWanted: (swap: Swap) => boolean): ReadPart =>
  async ({ ascending, from: start, inclusive: isFirst, take }) => {
    const found: Row[] = [];
    let from = start === undefined ? undefined : { position: start[0] as bigint, index: start[1] as bigint };
    for (let size = take, inclusive = isFirst; ; size = Math.min(MAX_EVENTS, 5 * size), inclusive = false) {
      const { rows, head } = await read({ ascending, from, inclusive, take: size });
      const logs = [...rows].sort(inOrder(ascending));
      found.push(...(await swapsOf(db, logs)).filter(isWanted).map(rowOf));
      const end = logs.at(-1);
      if (found.length >= take || end === undefined || logs.length < size) return { rows: found.slice(0, take), head };
      from = { position: BigInt(end.position), index: BigInt(end.log_index) };
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
    const step = inclusive ? (ascending ? -1 : 1) : 0;
    const after = from === undefined ? null : { position: from.position, index: Number(from.index) + step };
    return logRows(db, of, { forward: ascending, after, take });
  };

/** Parts of all swaps, or of those that an account made, maybe with a token of a symbol. */
export function readSwaps(
  db: Queryable,
  range: Range,
  caller: bigint | undefined,
  symbol: string | undefined,
): ReadPart {
  const of = { event: SWAP_TOKENS, ...range, ...(caller !== undefined && { topics: new Map([[1, caller] as const]) }) };
  return filled(
    db,
    reading(db, of),
    ({ tokens }) => symbol === undefined || tokens.some((token) => token.symbol === symbol),
  );
}

/** Parts of the swaps of a pair, or of all pairs of a token. Throws if the contract is neither. */
export async function openSwapsOf(db: Queryable, contract: string, range: Range): Promise<ReadPart> {
  const word = wordOf(contract);
  const isPair = (await pairsAmong(db, [word])).size > 0;
  const pairs = isPair ? [contract] : await pairsOfToken(db, word);
  if (pairs.length === 0) throw notFound(contract);
  const reads = pairs.map((pair) => reading(db, { contract: pair, event: SWAP_TOKENS, ...range }));
  const read: Read = async (part) => {
    const parts: Answers<LogRow>[] = [];
    for (const one of reads) parts.push(await one(part));
    const rows = parts.flatMap((one) => one.rows).sort(inOrder(part.ascending));
    return { rows: rows.slice(0, part.take), head: parts[0]!.head };
  };
  return filled(db, read, () => true);
}

async function pairsOfToken(db: Queryable, token: bigint): Promise<string[]> {
  const { rows } = await compatPairsOfToken(db, token);
  const pairs = await pairsAmong(
    db,
    rows.map(({ pair }) => BigInt(pair)),
  );
  return [...pairs].flatMap(([pair, tokens]) => (tokens.some(({ id }) => wordOf(id) === token) ? [pair] : []));
}
