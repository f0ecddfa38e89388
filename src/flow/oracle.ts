import { decodeId, encodeId, isId, withPrefix } from '../chain/encoding/encoding.js';
import { queryId } from '../chain/protocol/ids.js';
import type { JsonObject } from '../chain/encoding/json.js';
import { MiddlewareError } from '../observe/errors.js';
import { reasonOf } from './http.js';
import { begin } from './walk.js';
import type { Walk } from './walk.js';

interface OracleOptions {
  /** Generations from registration to expiry. */
  ttl: number;
  /** Generations by which it is then extended. */
  extension: number;
  /** Generations that a query, and then its response, stays. */
  queryTtl: number;
  /** Price of a query, in aettos. */
  queryFee: bigint;
  question: string;
  answer: string;
}

const delta = (value: number): JsonObject => ({ type: 'delta', value });

/** An oracle from registration over extension and a query, which its own account puts to it, to the response. */
export async function oracleFlow(walk: Walk, options: OracleOptions): Promise<void> {
  const { account } = walk;
  const oracle = withPrefix('ok', account);
  await begin(walk);
  await register(walk, oracle, options);
  await extend(walk, oracle, options.extension);

  const asked = await walk.send('query', 'oracles/query', {
    sender_id: account,
    oracle_id: oracle,
    query: options.question,
    query_fee: options.queryFee,
    query_ttl: delta(options.queryTtl),
    response_ttl: delta(options.queryTtl),
  });
  const query = queryId(account, BigInt(asked.tx['nonce'] as number), oracle);
  printQuery(walk, await queryOf(walk, oracle, query));

  const answered = await walk.send('respond', 'oracles/respond', {
    oracle_id: oracle,
    query_id: query,
    response: options.answer,
    response_ttl: delta(options.queryTtl),
  });
  printQuery(walk, await queryOf(walk, oracle, query));
  await walk.printAnswers(
    answered.hash,
    `/middleware/oracles/${oracle}?limit=10&page=1`,
    '/middleware/oracles/list?limit=10&page=1',
  );
}

async function register(walk: Walk, oracle: string, { ttl, queryFee }: OracleOptions): Promise<void> {
  const found = await walk.look(`/v2/oracles/${oracle}`);
  if (found.status === 200) {
    walk.print(`${oracle} is registered already, until generation ${expiryOf(found.body as JsonObject)}`);
    return;
  }
  walk.print(`${oracle} is none yet (${reasonOf(found)})`);
  await walk.send('register', 'oracles/register', {
    account_id: walk.account,
    query_format: 'text',
    response_format: 'text',
    query_fee: queryFee,
    oracle_ttl: delta(ttl),
  });
  walk.print(`${oracle} lasts until generation ${expiryOf(await walk.read(`/v2/oracles/${oracle}`))}`);
}

async function extend(walk: Walk, oracle: string, extension: number): Promise<void> {
  const before = expiryOf(await walk.read(`/v2/oracles/${oracle}`));
  await walk.send('extend', 'oracles/extend', { oracle_id: oracle, oracle_ttl: delta(extension) });
  const after = expiryOf(await walk.read(`/v2/oracles/${oracle}`));
  walk.print(`${oracle} lasts until generation ${after}, ${after - before} longer`);
}

/** Old nodes call it `expires`. */
const expiryOf = ({ ttl, expires }: JsonObject): number => Number(ttl ?? expires);

async function queryOf(walk: Walk, oracle: string, query: string): Promise<JsonObject> {
  const { oracle_queries } = await walk.read(`/v2/oracles/${oracle}/queries?limit=1000`);
  const found = (oracle_queries as JsonObject[]).find(({ id, query_id }) => (id ?? query_id) === query);
  if (found === undefined) throw new MiddlewareError('no_query', `${oracle} does not have ${query}`);
  return found;
}

const EMPTY = encodeId('or', new Uint8Array(0));

function printQuery(walk: Walk, query: JsonObject): void {
  const response = query['response'] as string;
  const said = response === EMPTY || !isId(response, 'or') ? 'no response yet' : `the response "${textOf(response)}"`;
  walk.print(`Query ${(query['id'] ?? query['query_id']) as string} "${textOf(query['query'] as string)}" has ${said}`);
}

const textOf = (encoded: string): string => Buffer.from(decodeId(encoded)).toString();
