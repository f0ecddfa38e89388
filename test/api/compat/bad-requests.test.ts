import { expect } from 'chai';
import { compatEndpoints } from '../../../src/api/compat/endpoints.js';
import type { CompatEndpoint } from '../../../src/api/compat/endpoint.js';
import type { TestApi } from '../../support/api.js';
import { recordedService, rowsOf } from '../../support/compat.js';
import type { RecordedService } from '../../support/compat.js';
import { recordedNode } from '../../support/recorded-node.js';
import { replayAll } from '../../support/replays.js';
import { shareOf } from '../../support/share.js';

/** Values that are wrong for most parameters: of another type, empty, too long, of another kind, not decodable. */
const WRONG = [
  '',
  'x',
  '0',
  '99999999999999999999999999',
  'ak_',
  'ak_11111111111111111111111111111111273Ytt',
  'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi',
  'ct_GV68inYjmsaFLD7ygfA7ThtZ8vAxyGobv43kAnALM4oXQfbin',
  'ba_Xfbg4g==',
  'y'.repeat(3000),
  '\u0000',
  'ünï.chain',
  "'; DROP TABLE names; --",
  'gen:5-9007199254740991',
  '%',
];

/** Statuses of answers to malformed requests. Too long targets are 414. */
const ALLOWED = [200, 400, 404, 414];

describe('malformed requests to the compatible API', () => {
  let service: RecordedService;
  let api: TestApi;
  /** A valid value for each parameter of a path. */
  const valid: Record<string, string[]> = {};

  before(async () => {
    service = await recordedService('realnode', 70);
    ({ api } = service);
    // Before that, what contracts did inside calls is not available.
    await replayAll(service.database, recordedNode(70));
    const transactions = await rowsOf(api, '/v3/transactions?limit=100');
    const blocks = transactions.map(({ block_hash: hash }) => hash as string);
    const id = (prefix: string): string =>
      new RegExp(`"(${prefix}_[1-9A-Za-z]+)"`).exec(JSON.stringify(transactions))![1]!;
    valid['hash'] = [transactions[0]!['hash'] as string, blocks[0]!];
    valid['hash_or_index'] = [transactions[0]!['hash'] as string, '3'];
    valid['hash_or_kbi'] = ['58', '0'];
    valid['id'] = [id('ak'), id('nm'), id('ok'), id('ch'), id('ct'), 'middlewaretest1.chain'];
    valid['height'] = ['3'];
  });
  after(() => service.close());

  /** Paths of an endpoint with valid parameters. */
  const pathsOf = ({ path }: CompatEndpoint): string[] => {
    const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
    const choices = Math.max(1, ...names.map((name) => valid[name]?.length ?? 1));
    return Array.from({ length: choices }, (_, i) =>
      names.reduce((text, name) => text.replace(`{${name}}`, valid[name]?.[i % valid[name].length] ?? 'x'), path),
    );
  };

  /** Fails unless the answer is an answer or an error in the form that all errors have. */
  async function check(target: string, allowed = ALLOWED): Promise<void> {
    const { status, body } = await api.get(target);
    if (!allowed.includes(status)) expect.fail(`${target}: ${status} ${body}`);
    if (status === 200) return;
    const error = JSON.parse(body) as Record<string, unknown>;
    expect(Object.keys(error), target).to.deep.equal(['error']);
    expect(error['error'], target).to.be.a('string').and.not.equal('');
    expect((error['error'] as string).length, target).to.be.below(800);
  }

  it('are answered as the contract has it, for each parameter of each route', async () => {
    const targets: [target: string, allowed: number[]][] = [];
    const filters = new Set<string>();
    for (const endpoint of compatEndpoints) {
      const isServed = endpoint.operation !== undefined;
      const allowed = isServed ? ALLOWED : [...ALLOWED, 503];
      // Filters of transactions are read by the same code in each list.
      const names = Object.keys(endpoint.query).filter((name) => !name.includes('.') && !filters.has(name));
      for (const name of names) if (name.endsWith('_id')) filters.add(name);
      const [path = ''] = pathsOf(endpoint);
      const others = ['unknown', 'rev', 'int-as-string', 'range', 'scope', 'limit'];
      for (const name of new Set([...names, ...others])) {
        for (const value of isServed ? WRONG : ['x'])
          targets.push([`${path}?${name}=${encodeURIComponent(value)}`, allowed]);
        targets.push([`${path}?${name}=1&${name}=x`, allowed]);
      }
      for (const parameter of Object.keys(endpoint.params)) {
        for (const value of WRONG) {
          const target = endpoint.path.replace(`{${parameter}}`, encodeURIComponent(value));
          targets.push([target.replaceAll(/\{\w+\}/g, '1'), allowed]);
        }
      }
    }
    expect(targets.length).to.be.above(2_500);
    const left = shareOf(targets).values();
    await Promise.all(
      Array.from({ length: 8 }, async () => {
        for (const [target, allowed] of left) await check(target, allowed);
      }),
    );
  });

  it('have the texts that clients compare', async () => {
    const cases: [string, number, string | RegExp][] = [
      ['/mdw/v3/transactions?limit=101', 400, 'invalid query: limit too large `101`'],
      ['/mdw/v3/transactions?limit=abc', 400, 'invalid query: invalid limit `abc`'],
      ['/mdw/v3/transactions?limit=0', 400, 'invalid query: invalid limit `0`'],
      ['/mdw/v3/transactions?limit=-5', 400, 'invalid query: invalid limit `-5`'],
      ['/mdw/v3/transactions?direction=x', 400, 'invalid query: invalid direction `x`'],
      ['/mdw/v3/names?by=x', 400, 'invalid query: by=x'],
      ['/mdw/v3/names?by=activation', 400, /^invalid query: /],
      ['/mdw/v3/names?state=auction&by=activation', 400, /^invalid query: /],
      [
        '/mdw/v3/names?state=auction&owned_by=ak_11111111111111111111111111111111273Yts',
        400,
        'invalid query: state=auction excludes owned_by',
      ],
      ['/mdw/v3/names?prefix=a', 400, /^invalid query: /],
      ['/mdw/v3/names?by=name&prefix=a&owned_by=ak_11111111111111111111111111111111273Yts', 400, /^invalid query: /],
      ['/mdw/v3/key-blocks?scope=gen:abc', 400, 'invalid scope: abc'],
      ['/mdw/v3/key-blocks?scope=moon:1-2', 400, 'invalid scope: moon'],
      ['/mdw/v3/micro-blocks/mh_x', 400, 'invalid hash: mh_x'],
      ['/mdw/v3/key-blocks/kh_x', 400, 'invalid hash: kh_x'],
      ['/mdw/v3/key-blocks/-1', 404, 'not found: -1'],
      ['/mdw/v3/key-blocks/123456789', 404, 'not found: 123456789'],
      ['/mdw/v3/accounts/ak_x/activities', 400, 'invalid id: ak_x'],
      ['/mdw/v3/transactions?type=moon', 400, 'invalid transaction type: moon'],
      ['/mdw/v3/transactions?type_group=moon', 400, 'invalid transaction group: moon'],
      ['/mdw/v3/transactions?account=ak_x', 400, 'invalid id: ak_x'],
      ['/mdw/v3/transactions?moon=1', 400, /^invalid query: moon /],
      ['/mdw/v3/transactions/count?id=ak_x', 400, 'invalid id: ak_x'],
      [
        '/mdw/v3/transactions/count?type=spend&scope=gen:1-2',
        400,
        "can't query by multiple filters and/or invalid filters",
      ],
      ['/mdw/v3/oracles/ak_11111111111111111111111111111111273Yts', 400, /^invalid id: /],
      ['/mdw/v3/nothing', 404, 'no such route'],
      ['/mdw', 404, 'no such route'],
      ['/mdw/v4/status', 404, 'no such route'],
      ['/mdw/v3/hyperchain/epochs', 400, 'This endpoint is only available on a hyperchain node'],
    ];
    for (const [target, status, text] of cases) {
      const answer = await api.get(target);
      expect(answer.status, `${target} ${answer.body}`).to.equal(status);
      const { error } = JSON.parse(answer.body) as { error: string };
      if (typeof text === 'string') expect(error, target).to.equal(text);
      else expect(error, target).to.match(text);
    }
  });

  it('of other methods have the same form', async () => {
    const { status, body } = await api.get('/mdw/v3/status', { method: 'POST' });
    expect([status, body]).to.deep.equal([405, '{"error":"Method not allowed"}']);
  });
});
