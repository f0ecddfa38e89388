import { expect } from 'chai';
import { once } from 'node:events';
import { connect } from 'node:net';
import { readConfig } from '../../src/config.js';
import { ask, testApi } from '../support/api.js';
import { emptyDatabase } from '../support/seed.js';

const needed = { NODE_URL: 'http://localhost:3013', DATABASE_URL: 'postgres://localhost/mdw' };
const settingsWith = (env: Record<string, string>) => readConfig({ ...needed, ...env }, ['serve']);
const REQUEST = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n';

describe('an idle connection', () => {
  let seeded: Awaited<ReturnType<typeof emptyDatabase>>;
  before(async () => {
    seeded = await emptyDatabase();
  });
  after(() => seeded.drop());

  it('is kept for longer than load balancers keep theirs, 60 s, unless a setting says otherwise', async () => {
    const { keepAliveTimeoutMs } = settingsWith({});
    const api = await testApi(seeded.database, { keepAliveTimeoutMs });
    const keepAlive = { headers: { connection: 'keep-alive' } };
    for (const port of [api.port, api.metricsPort]) {
      const { headers } = await ask(port, '/healthz', keepAlive);
      expect(headers['keep-alive']).to.equal('timeout=65');
    }
    await api.close();
  });

  it('is closed after the time of the setting', async () => {
    const { keepAliveTimeoutMs } = settingsWith({ KEEP_ALIVE_TIMEOUT_MS: '1000' });
    const api = await testApi(seeded.database, { keepAliveTimeoutMs });
    for (const port of [api.port, api.metricsPort]) {
      const socket = connect(port, '127.0.0.1');
      const closed = once(socket, 'close');
      socket.resume().write(REQUEST);
      await closed;
    }
    await api.close();
  });
});
