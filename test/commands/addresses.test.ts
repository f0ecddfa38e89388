import { expect } from 'chai';
import Operator from '../../src/commands/operator.js';
import { demoConfig } from '../../devtools/demo/demo.js';
import { variables } from '../../src/operator/desired/config.js';
import { readResource } from '../../src/operator/resource.js';
import type { Middleware } from '../../src/operator/types.js';
import { CONFIG } from '../../scripts/image/root.js';

const DATABASE_URL = 'postgres://u:p@db/d';
const loopback = (port: number) => ({ host: '127.0.0.1', port });

describe('addresses', () => {
  it('of a demo are those of this machine alone, unless they are given', () => {
    const parts = { settings: { DATABASE_URL, NODE_URL: 'http://127.0.0.1:3013' }, folder: '/x' };
    for (const env of [{}, { HTTP_ADDRESS: '', METRICS_ADDRESS: ' ', WEBSOCKET_ADDRESS: '' }])
      expect(demoConfig(env, parts)).to.deep.include({
        httpAddress: loopback(8080),
        websocketAddress: loopback(3020),
        metricsAddress: loopback(9090),
      });
    expect(demoConfig({ HTTP_ADDRESS: ':8081' }, parts).httpAddress).to.deep.equal({ host: '0.0.0.0', port: 8081 });
  });

  it('of metrics are those of this machine alone in an operator that is started by hand', () => {
    expect(Operator.flags['metrics-address'].default).to.equal('127.0.0.1:9090');
  });

  it('of metrics can be reached from outside of a container', () => {
    const resource = readResource({
      apiVersion: 'chain-middleware.io/v1alpha1',
      kind: 'Middleware',
      metadata: { name: 'a', namespace: 'b', uid: 'c' },
      spec: { node: { urls: ['http://node:3013'] }, database: { secretName: 'db' } },
    }) as Middleware;
    expect(variables(resource)).to.include({ METRICS_ADDRESS: '0.0.0.0:9090' });
    expect(CONFIG.env).to.include({ METRICS_ADDRESS: '0.0.0.0:9090' });
  });
});
