/** Checks for the time when no fault is active and the chain does not change. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isObject, parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { Json } from '../../src/chain/encoding/json.js';
import { kindOf } from '../../src/store/event-kinds.js';
import { chainDump, cleanDump } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { administer } from '../support/roles.js';
import { checkAnswers } from '../support/soak-requests.js';
import type { TimedAnswer, LoggedEvent } from '../support/soak-requests.js';
import { ask } from '../support/steady-client.js';
import { compareReceived } from './checks.js';
import type { Away, Received, StoredBlock } from './checks.js';
import type { World } from './world.js';

/** Max sessions of a populator and two servers, with pools of ten and sessions that listen. */
const MAX_SESSIONS = 40;

/** Waits until the copy has the nodes' head, both servers answer from it and all clients have its events. Throws if that takes too long. */
export async function waitUntilSettled(
  world: World,
  received: readonly { name: string; received: Received }[],
): Promise<void> {
  const { hash } = world.chain.nodes[0]!.top();
  const within = async <T>(what: string, ask: () => Promise<T>, isDone: (answer: T) => boolean): Promise<void> => {
    await eventually(ask, isDone).catch((cause: Error) => {
      throw new Error(`${what}: ${cause.message}`, { cause });
    });
  };
  await within(
    `the copy gets to ${hash}`,
    () => storedBlocks(world).then((blocks) => blocks.at(-1)?.hash, String),
    (head) => head === hash,
  );
  await within(
    'all call information is read',
    () => world.query<{ due: number }>('SELECT count(*)::int AS due FROM due_infos').then(([row]) => row!.due, String),
    (due) => due === 0,
  );
  for (const { url, program } of world.servers) {
    await within(
      `${program.name} answers from ${hash}`,
      () => ask(`${url}/v2/generations/current`).then(({ text }) => text, String),
      (text) => text.includes(hash),
    );
  }
  const [chain] = await world.query<{ seq: string }>('SELECT event_seq AS seq FROM chain');
  for (const { name, received: one } of received) {
    await within(
      `${name} receives event ${chain!.seq}`,
      () => Promise.resolve(one.last),
      (last) => last >= Number(chain!.seq),
    );
  }
}

/** All stored blocks, oldest first. A key block has no transactions. */
export async function storedBlocks(world: World): Promise<Required<StoredBlock>[]> {
  return world.query(
    `SELECT hash, transactions, logged FROM (
       SELECT hash, height << 33 AS position, 0 AS transactions, 0 AS logged FROM key_blocks
       UNION ALL SELECT hash, position, tx_count, (
         SELECT count(DISTINCT l.position)::int FROM contract_logs AS l
         WHERE l.position >= m.position AND l.position < m.position + m.tx_count
       ) FROM micro_blocks AS m
     ) AS blocks ORDER BY position`,
  );
}

let model = 0;

/** Tables that differ from those of a clean load of the nodes' chain. */
export async function differsFromModel(world: World): Promise<string[]> {
  const schema = `clean_${(model += 1)}`;
  const lived = await chainDump(world.copy);
  const server = { url: world.model, drop: () => Promise.resolve() };
  const clean = await cleanDump(server, schema, world.chain.nodes[0]!.externalUrl);
  await administer(world.model, `DROP SCHEMA ${schema} CASCADE`);
  return differences(lived, clean);
}

export const differences = (lived: Record<string, string[]>, clean: Record<string, string[]>): string[] =>
  Object.entries(clean).flatMap(([table, rows]) => {
    const has = lived[table] ?? [];
    const at = rows.findIndex((row, i) => row !== has[i]);
    if (at === -1 && has.length === rows.length) return [];
    return [`${table}: row ${at} is ${has[at === -1 ? rows.length : at]}, the model has ${rows[at]}`];
  });

/** Answers of a server that differ from those of the node or of the other server. */
export async function contradictions(world: World): Promise<string[]> {
  const height = world.chain.nodes[0]!.height();
  const blocks = await world.query<{ hash: string }>('SELECT hash FROM micro_blocks ORDER BY position DESC LIMIT 5');
  const transactions = await world.query<{ hash: string }>(
    'SELECT hash FROM transactions ORDER BY position DESC LIMIT 20',
  );
  const ofNode = [
    '/v2/generations/current',
    ...[0, 1, 2, 7].map((below) => `/v2/generations/height/${Math.max(0, height - below)}`),
    `/v2/key-blocks/height/${height}`,
    ...blocks.map(({ hash }) => `/v2/micro-blocks/hash/${hash}/transactions`),
    ...transactions.map(({ hash }) => `/v2/transactions/${hash}`),
  ];
  const own = [
    `/middleware/generations/${Math.max(0, height - 20)}/${height}`,
    `/middleware/transactions/interval/0/${height}?limit=100`,
    '/middleware/count/current',
    `/middleware/size/height/${height}`,
    '/middleware/names?limit=100',
    '/middleware/oracles/all?limit=100',
    '/middleware/channels/active',
  ];
  const [first, second] = world.servers;
  const node = world.chain.nodes[0]!.externalUrl;
  const pairs = [
    ...ofNode.flatMap((path) => world.servers.map(({ url }) => [path, url, node] as const)),
    ...own.map((path) => [path, first!.url, second!.url] as const),
  ];
  const faults: string[] = [];
  for (const [path, url, other] of pairs) {
    const [one, two] = [await ask(url + path), await ask(other + path)];
    if (one.status !== 200 || !same(one.text, two.text)) {
      faults.push(`${path}: ${one.status} ${one.text.slice(0, 300)}, but ${two.status} ${two.text.slice(0, 300)}`);
    }
  }
  return faults;
}

const same = (one: string, other: string): boolean =>
  stringifyExact(sorted(parseExact(one))) === stringifyExact(sorted(parseExact(other)));

/** Sorts the members of all objects by name. */
function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const members = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}

/** Faults of the received chains, and their differences from the stored chain. */
export async function receivedFaults(
  world: World,
  received: readonly { name: string; received: Received }[],
): Promise<string[]> {
  const stored = await storedBlocks(world);
  return received.flatMap(({ name, received: one }) =>
    [...one.faults.splice(0), ...compareReceived(one, stored)].map((fault) => `${name}: ${fault}`),
  );
}

/** Answers to requests sent on receipt of an event that contradict the event. */
export async function answerFaults(
  world: World,
  asked: readonly TimedAnswer[],
  { first, keyBlocks, away }: { first: number; keyBlocks: ReadonlyMap<number, string>; away: readonly Away[] },
): Promise<string[]> {
  const rows = await world.query<Record<'seq' | 'kind' | 'position' | 'hash' | 'transaction' | 'committed', string>>(
    `SELECT seq, ${kindOf()} AS kind, position, hash, xmin AS transaction,
       extract(epoch FROM pg_xact_commit_timestamp(xmin)) * 1000 AS committed
     FROM events WHERE seq > ${first} ORDER BY seq`,
  );
  const log: LoggedEvent[] = rows.map((row) => ({
    ...row,
    seq: Number(row.seq),
    position: BigInt(row.position),
    committed: Number(row.committed),
  }));
  // `isExcused` checks the other statuses.
  const answers = asked.filter(({ status }) => status === 200 || status === 404);
  return checkAnswers(answers, log, keyBlocks, { databaseDown: away, serverDown: [] }).faults;
}

/** Finds more database sessions than the pools of all programs allow. */
export async function tooManySessions(world: World): Promise<string[]> {
  const [row] = await world.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'mdw%'`,
  );
  return row!.count > MAX_SESSIONS ? [`${row!.count} sessions at the database`] : [];
}

const LOGGED_ERROR = /"code":"(internal|conflict|database_error|database_misused)"|"level":(50|60)/;

/** Lines of the programs' logs that report a bug of the program. */
export function loggedErrors(world: World): string[] {
  return readdirSync(world.logs, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .flatMap((entry) =>
      readFileSync(join(entry.parentPath, entry.name), 'utf8')
        .split('\n')
        .filter((line) => LOGGED_ERROR.test(line) && !line.includes('Stopped by force'))
        .map((line) => `${entry.parentPath.split('/').at(-1)}: ${line.slice(0, 600)}`),
    );
}
