import { expect } from 'chai';
import { emptyService, testApi } from '../support/api.js';
import type { Reply, TestApi } from '../support/api.js';
import { recordingDatabase } from '../support/recording-database.js';
import { append, madeBlocks, madeHash, setChain } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const ACCOUNT = `/middleware/transactions/account/${madeHash('ak', 'alice')}`;
const UNKNOWN = `/middleware/contracts/transactions/creation/address/${madeHash('ak', 'none').replace('ak', 'ct')}`;

describe('The first load', () => {
  let service: Awaited<ReturnType<typeof emptyService>>;
  let seeded: SeededDatabase;
  let api: TestApi;
  const statusOf = async (path: string, headers: Record<string, string> = {}): Promise<number> =>
    (await api.get(path, { headers })).status;

  before(async () => {
    service = await emptyService();
    ({ seeded, api } = service);
  });
  after(() => service.close());

  const OWN = [
    ...['/middleware/count/current', '/middleware/size/height/7', '/middleware/generations/0/9', ACCOUNT],
    ...['/middleware/transactions/interval/0/9', '/middleware/reward/height/0', '/middleware/height/at/0'],
  ];
  const isNotLoaded = (path: string, { status, headers, body }: Reply, reason: string): void => {
    expect([path, status, body]).to.deep.equal([path, 503, JSON.stringify({ reason })]);
    expect(headers['retry-after'], path).to.equal('2');
    expect(headers['cache-control'], path).to.equal('no-store');
  };

  it('is reported while nothing is stored: an empty answer would be wrong', async () => {
    const reason = 'The chain is loaded for the first time: nothing is stored yet';
    for (const path of OWN) isNotLoaded(path, await api.get(path), reason);
    isNotLoaded('as CSV', await api.get(ACCOUNT, { headers: { accept: 'text/csv' } }), reason);
  });

  it('does not affect requests without the database, and forwarded ones', async () => {
    expect(await statusOf('/openapi.json')).to.equal(200);
    const { body } = await api.get('/v2/key-blocks/height/3');
    expect(body).to.equal('"of the node"');
  });

  it('is reported for heights that the node has but the database does not have yet', async () => {
    await append(seeded.database, null, madeBlocks([{}, { microBlocks: [[{}]] }, {}]));
    await setChain(seeded.database, 'node_height = 5, seen_at = now()');
    const reason = 'The chain is loaded for the first time: the head is at height 2';
    for (const path of [
      ...['/middleware/size/height/3', '/middleware/count/height/3', '/middleware/reward/height/3'],
      ...['/middleware/generations/0/3', '/middleware/new/generations/0/3', '/middleware/generations/4/900'],
      ...['/middleware/transactions/interval/0/3', '/middleware/height/at/999999999', UNKNOWN],
    ]) {
      isNotLoaded(path, await api.get(path), reason);
    }
    isNotLoaded(
      'as CSV',
      await api.get('/middleware/transactions/interval/0/3', { headers: { accept: 'text/csv' } }),
      reason,
    );
  });

  it('does not refuse requests for loaded data, whose answers name the head', async () => {
    for (const path of [
      ...['/middleware/size/height/2', '/middleware/reward/height/2', '/middleware/generations/0/2', ACCOUNT],
      ...['/middleware/transactions/interval/0/2', '/middleware/height/at/120000', '/middleware/count/current'],
    ]) {
      const { status, headers } = await api.get(path);
      expect([path, status, headers['x-chain-height']]).to.deep.equal([path, 200, '2']);
    }
    expect(await statusOf('/middleware/reward/height/x')).to.equal(400);
    expect(await statusOf('/middleware/size/height/3', { 'x-min-height': '3' })).to.equal(412);
  });

  it('is checked once: heights up to a head that an answer has named are stored', async () => {
    const ran: { name: string; rows: number }[] = [];
    const other = await testApi(recordingDatabase(seeded.database, ran), { nodeUrls: [] });
    const namesOf = async (path: string): Promise<string[]> => {
      ran.length = 0;
      expect(await other.get(path)).to.include({ status: 200 });
      return ran.map(({ name }) => name);
    };
    try {
      expect(await namesOf('/middleware/size/height/2')).to.deep.equal(['first_load.facts', 'sums.size']);
      expect(await namesOf('/middleware/size/height/1')).to.deep.equal(['sums.size']);
    } finally {
      await other.close();
    }
  });

  it('has ended when the node has no more blocks, and for good once the copy is live', async () => {
    const answers = async (): Promise<number[]> =>
      Promise.all(
        ['/middleware/size/height/9', '/middleware/generations/0/9', '/middleware/reward/height/9', UNKNOWN].map(
          (path) => statusOf(path),
        ),
      );
    await setChain(seeded.database, 'node_height = 2');
    expect(await answers()).to.deep.equal([200, 200, 404, 404]);
    await setChain(seeded.database, 'live = true, node_height = 9');
    expect(await answers()).to.deep.equal([200, 200, 404, 404]);
  });
});
