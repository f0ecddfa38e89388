import { expect } from 'chai';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';

describe('The health of the operator', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-health-'));
  let operator: RunningMdw | undefined;

  after(async () => {
    operator?.process.kill('SIGTERM');
    await operator?.ended;
    rmSync(folder, { recursive: true });
  });

  it('is alive but not ready while the API server does not answer', async () => {
    // Accepts connections and never answers.
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const kubeconfig = join(folder, 'kubeconfig');
    const server = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    writeFileSync(
      kubeconfig,
      stringify({
        apiVersion: 'v1',
        kind: 'Config',
        'current-context': 'c',
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        clusters: [{ name: 'c', cluster: { server } }],
        users: [{ name: 'u', user: {} }],
      }),
    );
    const args = ['operator', '--metrics-address', '127.0.0.1:0', '--lease-namespace', 'x', '--kubeconfig', kubeconfig];

    operator = startMdw(args);
    const [, port] = await operator.saw(/"port":(\d+)/);

    const status = async (path: string): Promise<number> => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    expect(await status('/healthz')).to.equal(200);
    expect(await status('/readyz')).to.equal(503);
    expect(await status('/metrics')).to.equal(200);
    silent.close();
  });
});
