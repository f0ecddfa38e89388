import { expect } from 'chai';
import type { Consensus } from '../../src/chain/protocol/generations.js';
import type { Currency } from '../../src/chain/networks.js';
import { testApi } from '../support/api.js';
import { emptyDatabase } from '../support/seed.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { reply, startServer } from '../support/http-server.js';
import { startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

const AE = { name: 'aeternity', symbol: 'AE', subunit: 'aetto', digits: 18 };
const COIN: Currency = { name: 'Small coin', symbol: 'SML', subunit: 'grain', digits: 6 };

describe('the network of a chain', () => {
  let server: TestDatabase;
  before(async () => (server = await testDatabase()));
  after(async () => {
    await closeDevnodes();
    await server.drop();
  });

  /** A copy of a generated chain, made by a populator. */
  async function served(consensus: Consensus, currency?: Currency) {
    const name = `${consensus}${currency === undefined ? '' : '_coin'}`;
    const generate = { seed: `network ${name}`, generations: 30, txsPerGeneration: 3, consensus };
    const node = await generated({ ...generate, ...(currency && { currency }) });
    const populating = await startPopulating(server, name, [node.externalUrl]);
    await populating.at(node.top().hash);
    await eventually(
      () => Promise.resolve(populating.log),
      (lines) => lines.some(({ msg }) => msg === 'Caught up with the node'),
    );
    const api = await testApi(populating.database);
    return { api, populating, close: () => api.close().then(() => populating.stop()) };
  }

  for (const [consensus, network_id, rewards, block] of [
    ['pow', 'ae_dev', 'protocol', 180_000],
    ['on_demand', 'ae_dev', 'protocol', 180_000],
    ['hyperchain', 'hc_dev', 'unknown', 3_000],
  ] as const)
    it(`says the form, the time of a block and the coin (${consensus})`, async () => {
      const { api, close } = await served(consensus);
      const network = (await api.json('/middleware/network')) as Record<string, unknown>;
      const { milliseconds_per_block, genesis_key_block_hash, ...rest } = network;
      expect(rest).to.deep.equal({
        ...{ network_id, consensus, rewards },
        currency: consensus === 'hyperchain' ? { name: 'Hypercoin', symbol: 'HYC', subunit: 'hyctto', digits: 18 } : AE,
      });
      const { key_block } = (await api.json('/v2/generations/height/0')) as { key_block: { hash: string } };
      expect(genesis_key_block_hash).to.equal(key_block.hash);
      expect(milliseconds_per_block).to.be.within(block * 0.9, block * 1.1);
      await close();
    });

  it('has exports in its coin, with its digits', async () => {
    const { api, close } = await served('hyperchain', COIN);
    expect(await api.json('/middleware/network'))
      .to.have.property('currency')
      .that.deep.equals(COIN);
    const { body } = await api.get('/middleware/transactions/interval/0/30', {
      headers: { accept: 'application/x-ndjson' },
    });
    const rows = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<'fee_aettos' | 'fee_ae', string>);
    expect(rows).to.not.be.empty;
    for (const { fee_aettos, fee_ae } of rows) {
      const [whole, fraction = ''] = fee_ae.split('.');
      expect(BigInt(whole + fraction.padEnd(COIN.digits, '0'))).to.equal(BigInt(fee_aettos));
    }
    await close();
  });

  it('is not known before the first load', async () => {
    const seeded = await emptyDatabase();
    const api = await testApi(seeded.database);
    const { status } = await api.get('/middleware/network');
    expect(status).to.equal(503);
    await api.close();
    await seeded.drop();
  });

  it('keeps the coin that was told if a node tells rubbish or none', async () => {
    const node = await generated({ seed: 'rubbish', generations: 5, consensus: 'hyperchain', currency: COIN });
    let told: { status: number; body: string } | undefined;
    const between = await startServer(async (request, response) => {
      if (told !== undefined && request.url === '/v3/currency') return reply(response, told.status, told.body);
      const answer = await fetch(node.externalUrl + request.url!);
      reply(response, answer.status, await answer.text());
    });
    for (const answer of [undefined, { status: 200, body: '{"symbol":"X"}' }, { status: 404, body: '{}' }]) {
      told = answer;
      const { database, at, stop } = await startPopulating(server, 'rubbish', [between.url]);
      await node.mineKeyBlock();
      await at(node.top().hash);
      const api = await testApi(database);
      expect(await api.json('/middleware/network'))
        .to.have.property('currency')
        .that.deep.equals(COIN);
      await api.close();
      await stop();
    }
    await between.close();
  });
});
