import { expect } from 'chai';
import { generatedModel, recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { expectPages, expectRefused, malformed } from '../support/paging.js';
import { recording } from '../support/recording.js';
import { madeHash } from '../support/seed.js';
import { openChannels, plainChannels } from '../support/slow-objects.js';
import { transactionsIn } from '../support/outcome.js';

for (const [what, build] of Object.entries({
  'the recorded chain': () => recordedModel(),
  'the recorded chain up to height 193': () => recordedModel(193),
  'a generated chain': () => generatedModel('channels of some kinds'),
})) {
  describe(`channels of ${what}`, function () {
    this.timeout(60_000);
    let model: Modelled;
    before(async () => (model = await build()));
    after(() => model.close());

    it('are listed while they are open, oldest first', async () => {
      const open = openChannels(model.chain);
      expect(open.length).to.be.below(plainChannels(model.chain).size);
      expect(await model.exact('/middleware/channels/active')).to.deep.equal(open);
      expect(await model.exact('/middleware/channels/active?limit=1&page=9')).to.deep.equal(open);
    });

    it('list their transactions, the creation first', async () => {
      for (const [id, transactions] of plainChannels(model.chain)) {
        const path = `/middleware/channels/transactions/address/${id}`;
        const whole = transactions.map((transaction) => transaction.whole);
        await expectPages(model, path, whole, transactionsIn);
      }
      const path = `/middleware/channels/transactions/address/${madeHash('ak', 'nobody')}`;
      expect(await model.exact(path)).to.deep.equal({ transactions: [] });
    });

    it('refuse malformed identifiers', () =>
      expectRefused(model, malformed('/middleware/channels/transactions/address/', 'address')));
  });
}

describe('channels of the recorded chain', () => {
  let model: Modelled;
  before(async () => (model = await recordedModel()));
  after(() => model.close());

  it('are open only if the node still has them', async () => {
    const open = (await model.exact('/middleware/channels/active')) as string[];
    for (const id of open) expect(recording().get(`GET /v2/channels/${id}`)?.status, id).to.equal(200);
    const locked = [...recording()]
      .filter(([key, { status }]) => /^GET \/v2\/channels\/ch_\w+$/.test(key) && status === 200)
      .map(([, { body }]) => JSON.parse(body) as { id: string; locked_until: number });
    // Channels that the node has but the list does not have are closing.
    for (const { id } of locked.filter(({ locked_until }) => locked_until === 0)) expect(open).to.include(id);
  });
});
