/** The requests of clients that leave: all kinds, for what is stored and for what is not. */
import { endpoints } from '../../src/api/endpoints.js';
import type { Database } from '../../src/store/connection/database.js';
import type { Choices } from './histories.js';
import { HANDSHAKE, maskedText } from './raw-websocket.js';
import { madeHash } from './seed.js';

/** Values for the parameters of paths, by the name of the parameter, or by its name and the first letters of its example. */
export type Ids = Record<string, readonly string[]>;

export async function idsOf(database: Database): Promise<Ids> {
  const [row] = (
    await database.query<Record<'accounts' | 'transactions' | 'contracts' | 'blocks' | 'names', string[] | null>>({
      name: 'test.ids',
      text: `
        SELECT
          (SELECT array_agg(id) FROM (SELECT id FROM lists WHERE kind = 1 LIMIT 20) AS l) AS accounts,
          (SELECT array_agg(hash) FROM (SELECT hash FROM transactions LIMIT 50) AS t) AS transactions,
          (SELECT array_agg(id) FROM contracts) AS contracts,
          (SELECT array_agg(hash) FROM micro_blocks) AS blocks,
          (SELECT array_agg(name) FROM names) AS names`,
    })
  ).rows;
  const accounts = row?.accounts ?? [];
  return {
    account: accounts,
    sender: accounts,
    receiver: accounts,
    'hash th': row?.transactions ?? [],
    'hash mh': row?.blocks ?? [],
    'address ct': row?.contracts ?? [],
    name: row?.names ?? [],
    height: ['0', '7', '29'],
    from: ['0', '3'],
    to: ['5', '29'],
  };
}

const POSTED = '{"tx":"tx_"}';

/** All kinds of requests that have no effect beyond their answer, by name: method, path, accepted type. */
interface Asked {
  method: 'GET' | 'HEAD' | 'POST' | 'OPTIONS';
  path: string;
  headers?: string;
  body?: string;
}

const one = <T>(random: Choices, all: readonly T[]): T => all[random.int(0, all.length - 1)]!;

/** The path of an endpoint, with values of the copy or those of the documents. */
function pathOf({ path, params }: (typeof endpoints)[number], ids: Ids, random: Choices): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const example = String(params[name]!.meta()?.['example']);
    const known = ids[name] ?? ids[`${name} ${example.slice(0, 2)}`] ?? [];
    return known.length > 0 && !random.chance(0.2) ? encodeURIComponent(one(random, known)) : example;
  });
}

const get = (path: string, headers = ''): Asked => ({ method: 'GET', path, headers });

const DOCUMENTS = ['/', '/docs', '/docs/swagger-ui.css', '/openapi.json', '/explorer', '/guide', '/guide/events'];
const OF_NODE = ['/v2/status', '/v3/late', '/v3/large', '/v3/half', '/v3/never', '/v3/broken'];

/** Each makes one request of its kind. */
export type Kind = (random: Choices) => Asked;

export function kindsOf(ids: Ids): Record<string, Kind> {
  const kinds: Record<string, Kind> = {};
  for (const endpoint of endpoints) {
    const { method, path, tables } = endpoint;
    if (method === 'post') continue;
    const query = (random: Choices): string => (random.chance(0.5) ? '?limit=10' : '');
    // The stream has its own kinds.
    if (path !== '/middleware/events') {
      kinds[`GET ${path}`] = (random) => ({
        method: random.chance(0.05) ? 'HEAD' : 'GET',
        path: pathOf(endpoint, ids, random) + (endpoint.query['limit'] === undefined ? '' : query(random)),
        headers: random.chance(0.5) ? 'Cache-Control: no-cache\r\n' : '',
      });
    }
    for (const type of tables ? ['text/csv', 'application/x-ndjson'] : []) {
      kinds[`${type} ${path}`] = (random) =>
        get(
          pathOf(endpoint, ids, random),
          `Accept: ${type}\r\n${random.chance(0.3) ? 'Accept-Encoding: gzip\r\n' : ''}`,
        );
    }
  }
  for (const path of DOCUMENTS)
    kinds[`document ${path}`] = (random) => get(path, random.chance(0.5) ? 'Accept-Encoding: br, gzip\r\n' : '');
  for (const path of OF_NODE) kinds[`node ${path}`] = () => get(path);
  kinds['an unknown transaction'] = (random) => get(`/v2/transactions/${madeHash('th', String(random.int(0, 1e9)))}`);
  kinds['post to the node'] = () => ({ method: 'POST', path: '/v2/transactions', body: POSTED });
  kinds['a large post to the node'] = () => ({ method: 'POST', path: '/v2/large', body: ' '.repeat(100_000) });
  kinds['verify a source'] = (random) => ({
    method: 'POST',
    path: '/middleware/contracts/verify',
    headers: 'Content-Type: application/json\r\n',
    body: JSON.stringify({
      contract_id: one(random, ids['address ct']!),
      source: random.chance(0.5) ? 'late' : ' '.repeat(random.int(0, 50_000)),
      compiler: '8.0.0',
    }),
  });
  kinds['preflight'] = () => ({ method: 'OPTIONS', path: '/v2/status', headers: 'Origin: http://a\r\n' });
  kinds['a malformed request'] = () => get('/middleware/size/height/x');
  kinds['an event stream'] = () => get('/middleware/events?kinds=key_blocks,transactions');
  kinds['an event stream from the beginning'] = () => get('/middleware/events?kinds=transactions&from=0');
  return kinds;
}

export function bytesOf({ method, path, headers = '', body }: Asked): Buffer {
  const length = body === undefined ? '' : `Content-Length: ${Buffer.byteLength(body)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nHost: a\r\n${headers}${length}\r\n${body ?? ''}`);
}

/** Messages of a websocket, after its handshake at a path. */
export function websocketBytes(path: string, random: Choices): Buffer {
  const messages = Array.from({ length: random.int(0, 3) }, () =>
    one(random, [
      { op: 'subscribe', payload: 'key_blocks' },
      { op: 'subscribe', payload: 'transactions', from: 0 },
      { op: 'subscribe', subscriptions: ['key_blocks', 'micro_blocks', 'tx_update'], cursors: true },
      { op: 'unsubscribe', payload: 'key_blocks' },
      { op: 'nonsense' },
    ]),
  );
  return Buffer.concat([
    Buffer.from(HANDSHAKE.replace('GET / ', `GET ${path} `)),
    ...messages.map((message) => maskedText(JSON.stringify(message))),
  ]);
}
