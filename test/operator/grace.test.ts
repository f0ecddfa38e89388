import { expect } from 'chai';
import type { Deployment } from '../../src/operator/types.js';
import { OperatorModel } from '../support/operator-model.js';

describe('the termination grace period of a server pod', () => {
  for (const [server, websocket, seconds] of [
    [{}, {}, 5 + 120 + 15],
    [{ streamDrainMs: 300_500 }, {}, 5 + 301 + 15],
    [{ streamDrainMs: 0 }, { drainMs: 7_000 }, 5 + 7 + 15],
  ] as const) {
    it(`covers ${JSON.stringify({ server, websocket })}`, () => {
      const model = new OperatorModel({ spec: { server, websocket } });
      model.settle();
      const { spec } = model.objects.get('Deployment/sample-server-blue') as Deployment;
      const config = [...model.objects.values()].find(({ kind }) => kind === 'ConfigMap') as unknown as {
        data: Record<string, string>;
      };

      expect(spec.template.spec['terminationGracePeriodSeconds']).to.equal(seconds);
      expect(config.data['STREAM_DRAIN_MS']).to.equal(
        String('streamDrainMs' in server ? server.streamDrainMs : 120_000),
      );
    });
  }
});
