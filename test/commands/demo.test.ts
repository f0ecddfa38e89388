import { expect } from 'chai';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';

const ANY_PORT = '127.0.0.1:0';

describe('mdw demo', function () {
  this.timeout(120_000);
  const folder = mkdtempSync(join(tmpdir(), 'mdw-demo-'));
  // As root, the database's user must be able to enter it.
  chmodSync(folder, 0o755);
  let running: RunningMdw;

  after(() => rmSync(folder, { recursive: true }));
  afterEach(() => void running.process.kill('SIGKILL'));

  const start = async () => {
    const env = {
      HTTP_ADDRESS: ANY_PORT,
      METRICS_ADDRESS: ANY_PORT,
      WEBSOCKET_ADDRESS: ANY_PORT,
      POLL_INTERVAL_MS: '100',
    };
    running = startMdw(['demo', '--node-address', ANY_PORT], env, folder);
    const [, base] = await running.saw(/^Middleware +(http:\S+)$/m);
    return (path: string) => fetch(`${base}${path}`);
  };

  it('answers for a chain that lives, and ends cleanly on Ctrl-C', async () => {
    const get = await start();

    const status = (await (await get('/middleware/status')).json()) as { version: string };
    const current = (await (await get('/v2/generations/current')).json()) as { key_block: { height: number } };
    running.process.kill('SIGINT');
    const end = await running.ended;

    expect(status.version).to.equal('0.1.0');
    expect(current.key_block.height).to.be.at.least(300);
    expect({ status: end.status, stderr: end.stderr }).to.deep.equal({ status: 0, stderr: '' });
  });

  it('goes on with the same data, also after kill -9', async () => {
    const hashes = new Set<string>();
    for (let run = 0; run < 2; run++) {
      const get = await start();
      hashes.add(((await (await get('/v2/key-blocks/height/300')).json()) as { hash: string }).hash);
      running.process.kill('SIGKILL');
      await running.ended;
    }

    expect(hashes.size).to.equal(1);
  });
});
