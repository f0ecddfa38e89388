import { expect } from 'chai';
import { emptyService } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { append, madeBlocks, madeHash } from '../support/seed.js';
import type { SeededDatabase } from '../support/seed.js';

const LIST = `/middleware/transactions/account/${madeHash('ak', 'alice')}`;

describe('x-min-height', () => {
  let service: Awaited<ReturnType<typeof emptyService>>;
  let seeded: SeededDatabase;
  let api: TestApi;

  before(async () => {
    service = await emptyService();
    ({ seeded, api } = service);
  });
  after(() => service.close());

  const ask = async (path: string, height: string, more: Record<string, string> = {}) => {
    const { status, body } = await api.get(path, { headers: { 'x-min-height': height, ...more } });
    return status === 200 ? status : [status, (JSON.parse(body) as { reason: string }).reason];
  };

  it('is not reached while nothing is stored', async () => {
    expect(await ask('/middleware/count/current', '0')).to.deep.equal([
      412,
      'x-min-height is 0, but nothing is stored yet',
    ]);
    await append(seeded.database, null, madeBlocks([{}, { microBlocks: [[{}]] }, {}]));
  });

  for (const path of ['/middleware/count/current', LIST, '/v2/key-blocks/height/1', '/middleware/reward/height/1']) {
    it(`applies to ${path}, cached or not`, async () => {
      const low = [412, 'x-min-height is 3, but the head is at height 2'];
      expect(await ask(path, '3')).to.deep.equal(low);
      for (let i = 0; i < 2; i++) expect(await ask(path, '2'), 'as high').to.equal(200);
      expect((await api.get(path)).status).to.equal(200);
      expect(await ask(path, '3')).to.deep.equal(low);
    });
  }

  it('applies to exports', async () => {
    expect(await ask(LIST, '3', { accept: 'text/csv' })).to.deep.equal([
      412,
      'x-min-height is 3, but the head is at height 2',
    ]);
    expect(await ask(LIST, '2', { accept: 'text/csv' })).to.equal(200);
  });

  it('does not apply to forwarded requests', async () => {
    const { status, body } = await api.get('/v2/key-blocks/height/3', { headers: { 'x-min-height': '3' } });
    expect([status, body]).to.deep.equal([200, '"of the node"']);
  });

  it('is refused if it is not a height', async () => {
    for (const text of ['', '-1', '1.5', 'x', '99999999999']) {
      const [status, reason] = (await ask('/middleware/count/current', text)) as [number, string];
      expect([status, reason], text).to.deep.equal([400, 'Invalid input: the header x-min-height must be a height']);
    }
  });
});
