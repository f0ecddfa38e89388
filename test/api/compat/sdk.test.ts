import { Middleware, MiddlewareSubscriber } from '@aeternity/aepp-sdk';
import { expect } from 'chai';
import { recordedService } from '../../support/compat.js';
import type { RecordedService } from '../../support/compat.js';
import { createWorld } from '../../support/events.js';

const ALICE = 'ak_HwCr5Q3Ao5oKvq7nALafpmUe3MBby3JmTsrp6Muu8GnEu74Dp';
const ORACLE = 'ok_HwCr5Q3Ao5oKvq7nALafpmUe3MBby3JmTsrp6Muu8GnEu74Dp';
const CONTRACT = 'ct_GV68inYjmsaFLD7ygfA7ThtZ8vAxyGobv43kAnALM4oXQfbin';
const NAME = 'middlewaretest1.chain';

/** A page as the SDK returns it. */
interface Page {
  data: { hash?: string }[];
  next(): Promise<Page>;
  prev(): Promise<Page>;
  nextPath?: string;
}

describe('the SDK of today, with the compatible API as its middleware', () => {
  let service: RecordedService;
  let middleware: Middleware;

  before(async () => {
    service = await recordedService('realnode');
    middleware = new Middleware(`http://127.0.0.1:${service.api.port}/mdw`);
  });
  after(() => service.close());

  it('accepts the version, and reads blocks with dates and exact numbers', async () => {
    const status = await middleware.getStatus();
    expect(status.mdwHeight).to.equal(214);
    const block = await middleware.getKeyBlock('58' as never);
    expect(block.time).to.be.instanceOf(Date);
    const micro = await middleware.getKeyBlockMicroBlocks(block.hash as `kh_${string}`);
    const [first] = micro.data as unknown as { hash: `mh_${string}` }[];
    expect((await middleware.getMicroBlock(first!.hash)).hash).to.equal(first!.hash);
    expect((await middleware.getMicroBlockTransactions(first!.hash)).data).to.have.length(1);
  });

  it('follows lists of transactions by its own links, in both directions', async () => {
    const first = (await middleware.getTransactions({ account: ALICE, limit: 5 })) as unknown as Page;
    const second = await first.next();
    const back = await second.prev();
    const hashes = ({ data }: Page): unknown[] => data.map(({ hash }) => hash);
    expect(hashes(back)).to.deep.equal(hashes(first));
    expect(hashes(second)).not.to.have.members(hashes(first));
    const { tx } = (await middleware.getTransaction(first.data[0]!.hash as `th_${string}`)) as unknown as {
      tx: { amount: unknown; type: string };
    };
    expect(tx.type).to.equal('SpendTx');
    expect(tx.amount).to.be.a('bigint');
    expect(await middleware.getTransactionsCount()).to.deep.include({ body: 444 });
  });

  it('reads names, oracles, channels, contracts and activities', async () => {
    const name = await middleware.getName(NAME);
    expect(name.hash).to.equal('nm_xa89iRsKkmvTDJXttLZuoU48CD2A83UpcYcmSsMhPTQphhSeN');
    const lists: (() => Promise<{ data: unknown[] }>)[] = [
      () => middleware.getNames({ ownedBy: name.ownership.current as typeof ALICE }),
      () => middleware.getNames({ by: 'name', prefix: 'middle' }),
      () => middleware.getNameClaims(NAME),
      () => middleware.getNameUpdates(NAME),
      () => middleware.getNameTransfers(NAME),
      () => middleware.getAccountNameClaims(ALICE),
      () => middleware.getAccountActivities(ALICE),
      () => middleware.getOracles(),
      () => middleware.getOracleQueries(ORACLE),
      () => middleware.getOracleResponses(ORACLE),
      () => middleware.getOracleExtends(ORACLE),
      () => middleware.getChannels(),
    ];
    for (const read of lists) expect((await read()).data, String(read)).not.to.have.length(0);
    expect((await middleware.getAccountPointees(ALICE)).data).to.be.an('array');
    expect((await middleware.getNamesAuctions()).data).to.be.an('array');
    expect((await middleware.getOracle(ORACLE)).oracle).to.equal(ORACLE);
    expect((await middleware.getContract(CONTRACT)).contract).to.equal(CONTRACT);
  });

  it('reads series and statistics', async () => {
    const series = [
      () => middleware.getTransactionsStats({ intervalBy: 'day', limit: 3 }),
      () => middleware.getBlocksStats({ intervalBy: 'week', typeParam: 'key' } as never),
      () => middleware.getDifficultyStats(),
      () => middleware.getHashrateStats({ intervalBy: 'month', limit: 999 }),
      () => middleware.getNamesStats(),
      () => middleware.getContractsStats(),
      () => middleware.getAex9TransfersStats(),
      () => middleware.getTotalAccountsStats({ intervalBy: 'month', limit: 1000 }),
      () => middleware.getActiveAccountsStats({ intervalBy: 'week' }),
    ];
    for (const read of series) {
      const { data } = (await read()) as unknown as { data: Record<string, unknown>[] };
      expect(data, String(read)).to.have.length.above(0);
      expect(Object.keys(data[0]!), String(read)).to.include.members(['count', 'startDate', 'endDate']);
    }
    const stats = (await middleware.getStats()) as unknown as Record<string, number>;
    expect(stats['last24HsTransactions']).to.equal(444);
    expect(stats['maxTransactionsPerSecond']).to.be.above(0);
    const totals = (await middleware.getTotalStats({ limit: 1 })).data[0] as unknown as Record<string, unknown>;
    expect([totals['height'], totals['activeNames']]).to.deep.equal([213, 6]);
    const deltas = (await middleware.getDeltaStats({ limit: 1 })).data[0] as unknown as Record<string, unknown>;
    expect([deltas['height'], deltas['channelsOpened']]).to.deep.equal([213, 0]);
    const pointees = (await middleware.getAccountPointees(ALICE)) as unknown as { data: { name: string }[] };
    expect(pointees.data.map(({ name }) => name)).to.include(NAME);
  });

  it('is told what is not there yet, and what is missing', async () => {
    const reasonOf = async (read: () => Promise<unknown>): Promise<string> =>
      read().then(
        () => expect.fail('answered'),
        (error: Error) => error.message,
      );
    expect((await middleware.getDexSwaps()).data).to.deep.equal([]);
    expect(await reasonOf(() => middleware.getContractCalls())).to.contain('not available yet');
    expect(await reasonOf(() => middleware.getName('nothing.chain'))).to.contain('not found');
  });
});

describe('the subscriber of the SDK of today', () => {
  it('gets answers to its own requests, and events', async () => {
    const world = await createWorld({ generations: 1 });
    try {
      const { http } = await world.serve();
      const subscriber = new MiddlewareSubscriber(`${http.replace('http', 'ws')}/mdw/v3/websocket`);
      const seen: unknown[] = [];
      let onSeen = (): void => undefined;
      const refused = new Promise<Error | undefined>((resolve) =>
        subscriber.subscribeObject('ak_test', (_event, error) => resolve(error)),
      );
      const unsubscribe = subscriber.subscribeKeyBlocks((event, error) => {
        seen.push(error ?? event);
        onSeen();
      });
      expect((await refused)?.message).to.contain('invalid target: ak_test');
      await world.devnode.mineKeyBlock();
      await world.sync();
      await new Promise<void>((resolve) => {
        onSeen = () => resolve();
        if (seen.length > 0) resolve();
      });
      expect(seen[0]).not.to.be.instanceOf(Error);
      expect(
        JSON.stringify(seen[0], (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
      ).to.contain(world.devnode.top().hash);
      unsubscribe();
    } finally {
      await world.close();
    }
  });
});
