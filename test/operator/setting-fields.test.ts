import { expect } from 'chai';
import { settings } from '../../src/config/settings.js';
import type { Setting } from '../../src/config/settings.js';
import { customResourceDefinition } from '../../src/operator/schema/crd.js';
import { OperatorModel } from '../support/operator-model.js';

interface Schema {
  properties?: Record<string, Schema>;
  description?: string;
  default?: string | number | boolean;
}

describe('A setting that is a field of the resource', () => {
  const { versions } = customResourceDefinition().spec as {
    versions: { schema: { openAPIV3Schema: Schema } }[];
  };
  const spec = versions[0]!.schema.openAPIV3Schema.properties!['spec']!;
  const fields = (Object.values(settings) as Setting[]).flatMap((setting) =>
    setting.field === undefined ? [] : [{ ...setting, field: setting.field }],
  );

  it('has the text and the default of the setting there', () => {
    expect(fields.length).to.be.above(10);
    for (const { field, help, fallback, fieldFallback } of fields) {
      const schema = field.split('.').reduce<Schema | undefined>((at, part) => at?.properties?.[part], spec);
      expect(schema?.description, field).to.equal(`${help}.`);
      const wanted = fieldFallback ?? fallback;
      expect(schema?.default?.toString(), field).to.equal(wanted);
    }
  });

  it('reaches the pods as its variable', () => {
    const populator = { powEdgeBits: 15, pollIntervalMs: 2_000, tokenDryRuns: 'off' };
    const model = new OperatorModel({ spec: { populator, websocket: { greeting: 'hello' } } });
    model.pass();
    const config = [...model.objects.values()].find(({ kind }) => kind === 'ConfigMap');
    expect(config?.['data']).to.include({
      ...{ POW_EDGE_BITS: '15', POLL_INTERVAL_MS: '2000', TOKEN_DRY_RUNS: 'off', WEBSOCKET_GREETING: 'hello' },
      ...{ PROOF: 'full', WEBSOCKET_MAX_PER_ADDRESS: '0', METRICS_ADDRESS: '0.0.0.0:9090' },
    });
    expect(config?.['data']).to.not.have.any.keys('POW_INTERVAL_MS', 'NODE_INTERNAL_URL', 'COMPILER_URL');
  });

  it('takes key blocks or a time where it is a depth', () => {
    const variable = (maxUnprovenReorg?: number | string): unknown => {
      const model = new OperatorModel({ spec: { populator: { maxUnprovenReorg } } });
      model.pass();
      const config = [...model.objects.values()].find(({ kind }) => kind === 'ConfigMap');
      return (config?.['data'] as Record<string, string>)['MAX_UNPROVEN_REORG'];
    };
    for (const [given, wanted] of [
      [undefined, '100'],
      [0, '0'],
      [999_999_999, '999999999'],
      ['7', '7'],
      ['30m', '30m'],
      ['1d', '1d'],
    ] as const)
      expect(variable(given), String(given)).to.equal(wanted);
    for (const wrong of ['', '30 m', '1h30m', '-1', -1, 7.5, 1_000_000_000])
      expect(() => variable(wrong), String(wrong)).to.throw(
        /a number of key blocks, or a time such as 90s, 30m, 5h or 1d/,
      );
  });
});
