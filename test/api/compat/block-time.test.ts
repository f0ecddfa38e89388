import { expect } from 'chai';
import type { Queryable, Statement } from '../../../src/store/connection/database.js';
import { compatNamesAt } from '../../../src/store/queries/compat/names.js';
import { compatOracle, compatOracles } from '../../../src/store/queries/compat/objects.js';
import { countsIn } from '../../../src/store/queries/compat/series.js';
import { testApi } from '../../support/api.js';
import type { TestApi } from '../../support/api.js';
import { below, recordedService, rowsOf } from '../../support/compat.js';
import type { RecordedService } from '../../support/compat.js';
import { tamper } from '../../support/roles.js';

/** Height and time of the head of the recording, ms. */
const HEAD = { height: 214, time: 1_795_239_736_097 };
/** What the recording says of the difficulty of its only day. */
const DIFFICULTY = 67_325_487n;
/** Mean time between the last 100 key blocks of the recording, ms. */
const RECORDED_MS = 9_250;

const names = (id: string | null): string[] => [
  id === null
    ? 'UPDATE chain SET network_id = NULL, genesis_hash = NULL'
    : `UPDATE chain SET network_id = '${id}', genesis_hash = (SELECT hash FROM key_blocks WHERE height = 0)`,
];

/** Key blocks with so much time between them, below the same head. */
const blocksEach = (ms: number): string =>
  `UPDATE key_blocks SET time = ${HEAD.time} - (${HEAD.height} - height) * ${ms} WHERE height > 0`;

/** A name, an auction or an oracle. */
interface Expiring {
  name?: string;
  oracle?: string;
  expire_height?: number;
  auction_end?: number;
  approximate_expire_time: number;
}

describe('the compatible API takes the time between key blocks', () => {
  let service: RecordedService;
  before(async () => (service = await recordedService('realnode')));
  after(() => service.close());

  /** Each row with a height to come, in all lists and alone, with its time. */
  const expected = async (api: TestApi): Promise<[what: string, height: number, time: number][]> => {
    const all = await Promise.all(['/v3/names', '/v3/names/auctions', '/v3/oracles'].map((path) => rowsOf(api, path)));
    const alone = ['/v3/names/middlewaretest1.chain', `/v3/oracles/${all[2]![0]!['oracle'] as string}`];
    const rows = [...all.flat(), ...(await Promise.all(alone.map((path) => api.json(below(path)))))];
    return rows.flatMap((each) => {
      const row = each as Expiring;
      const height = row.expire_height ?? row.auction_end ?? 0;
      return height <= HEAD.height ? [] : [[row.name ?? row.oracle ?? '', height, row.approximate_expire_time]];
    });
  };

  for (const [of, statements, blockMs] of [
    ['of the main network, whatever it measures', [...names('ae_mainnet'), blocksEach(3_000)], 180_000],
    ['of the test network', names('ae_uat'), 180_000],
    ['of the main network while no network is recorded', names(null), 180_000],
    ['that the last 100 key blocks of another network took', names('ae_own'), RECORDED_MS],
    ['of a network with 3 s a block', [...names('ae_own'), blocksEach(3_000)], 3_000],
    ['of the main network where all key blocks have one time', [...names('ae_own'), blocksEach(0)], 180_000],
  ] as const)
    it(`${of}`, async () => {
      await tamper(service.database, 'CREATE TABLE kept AS SELECT height, time FROM key_blocks');
      // A server keeps answers until the chain grows.
      const api = await testApi(service.database);
      try {
        await tamper(service.database, [...statements]);
        const found = await expected(api);
        expect(found).to.have.length.above(8);
        for (const [what, height, time] of found)
          expect(time, what).to.equal(HEAD.time + (height - HEAD.height) * blockMs);
        const [rate] = (await rowsOf(api, '/v3/stats/hashrate?interval_by=week')) as { count: number }[];
        const per = BigInt(blockMs) * 1_000n;
        expect(rate!.count).to.equal(Number((2n * DIFFICULTY * 42n + per) / (2n * per)));
      } finally {
        await api.close();
        const back = 'UPDATE key_blocks AS k SET time = kept.time FROM kept WHERE kept.height = k.height';
        await tamper(service.database, [...names(null), back, 'DROP TABLE kept']);
      }
    });

  it('in the statement of the rows, so that both are of one head', async () => {
    const names: string[] = [];
    const noting: Queryable = {
      query<Row extends object>(statement: Statement) {
        names.push(statement.name);
        return service.database.query<Row>(statement);
      },
    };
    const [first] = (await rowsOf(service.api, '/v3/oracles')) as { oracle: string }[];
    await compatOracle(noting, first!.oracle);
    const all = { active: null, low: 0n, high: 1n << 40n };
    await compatOracles(noting, all, { ascending: false, from: undefined, inclusive: true, take: 1 });
    await compatNamesAt(noting, [1n]);
    await countsIn(noting, 'hashrate', { times: [0n, BigInt(HEAD.time)], fromBeginning: true });
    expect(names).to.deep.equal([
      'compat.oracle',
      'compat.oracles.all.descending',
      'compat.names_at',
      'compat.series.hashrate',
    ]);
  });
});
