import { decodeId, encodeId, isId, withPrefix } from '../../src/chain/encoding/encoding.js';
import { queryId } from '../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { reasonOf } from './http.js';
import { printBalance } from './wallet.js';
import type { Wallet } from './wallet.js';

interface OracleOptions {
  /** Number of generations from registration to expiry. */
  ttl: number;
  /** Number of generations by which the oracle is then extended. */
  extension: number;
  /** Time to live of the query and of its response, in generations. */
  queryTtl: number;
  /** Fee of a query, in aettos. */
  queryFee: bigint;
  question: string;
  answer: string;
}

const delta = (value: number): JsonObject => ({ type: 'delta', value });

/** Runs all transactions of an oracle: registration, extension, a query from its own account, and the response. */
export async function oracleFlow(wallet: Wallet, options: OracleOptions): Promise<void> {
  const { account } = wallet;
  const oracle = withPrefix('ok', account);
  await printBalance(wallet);
  await register(wallet, oracle, options);
  await extend(wallet, oracle, options.extension);

  const asked = await wallet.send('query', 'oracles/query', {
    sender_id: account,
    oracle_id: oracle,
    query: options.question,
    query_fee: options.queryFee,
    query_ttl: delta(options.queryTtl),
    response_ttl: delta(options.queryTtl),
  });
  const query = queryId(account, BigInt(asked.tx['nonce'] as number), oracle);
  printQuery(wallet, await queryOf(wallet, oracle, query));

  const answered = await wallet.send('respond', 'oracles/respond', {
    oracle_id: oracle,
    query_id: query,
    response: options.answer,
    response_ttl: delta(options.queryTtl),
  });
  printQuery(wallet, await queryOf(wallet, oracle, query));
  await wallet.printAnswers(
    answered.hash,
    `/middleware/oracles/${oracle}?limit=10&page=1`,
    '/middleware/oracles/list?limit=10&page=1',
  );
}

async function register(wallet: Wallet, oracle: string, { ttl, queryFee }: OracleOptions): Promise<void> {
  const found = await wallet.readAny(`/v2/oracles/${oracle}`);
  if (found.status === 200) {
    wallet.print(`${oracle} is already registered until generation ${expiryOf(found.body as JsonObject)}`);
    return;
  }
  wallet.print(`${oracle} is not registered yet (${reasonOf(found)})`);
  await wallet.send('register', 'oracles/register', {
    account_id: wallet.account,
    query_format: 'text',
    response_format: 'text',
    query_fee: queryFee,
    oracle_ttl: delta(ttl),
  });
  wallet.print(`${oracle} is registered until generation ${expiryOf(await wallet.read(`/v2/oracles/${oracle}`))}`);
}

async function extend(wallet: Wallet, oracle: string, extension: number): Promise<void> {
  const before = expiryOf(await wallet.read(`/v2/oracles/${oracle}`));
  await wallet.send('extend', 'oracles/extend', { oracle_id: oracle, oracle_ttl: delta(extension) });
  const after = expiryOf(await wallet.read(`/v2/oracles/${oracle}`));
  wallet.print(`${oracle} is registered until generation ${after}, ${after - before} longer`);
}

/** Height at which an oracle expires. Old nodes call the member `expires`. */
const expiryOf = ({ ttl, expires }: JsonObject): number => Number(ttl ?? expires);

async function queryOf(wallet: Wallet, oracle: string, query: string): Promise<JsonObject> {
  const { oracle_queries } = await wallet.read(`/v2/oracles/${oracle}/queries?limit=1000`);
  const found = (oracle_queries as JsonObject[]).find(({ id, query_id }) => (id ?? query_id) === query);
  if (found === undefined) throw new MiddlewareError('no_query', `${oracle} does not have ${query}`);
  return found;
}

const EMPTY = encodeId('or', new Uint8Array(0));

function printQuery(wallet: Wallet, query: JsonObject): void {
  const response = query['response'] as string;
  const said = response === EMPTY || !isId(response, 'or') ? 'no response yet' : `the response "${textOf(response)}"`;
  wallet.print(
    `Query ${(query['id'] ?? query['query_id']) as string} "${textOf(query['query'] as string)}" has ${said}`,
  );
}

const textOf = (encoded: string): string => Buffer.from(decodeId(encoded)).toString();
