import { expect } from 'chai';
import { alertRules } from '../../src/operator/desired/alerts.js';
import { variables } from '../../src/operator/desired/config.js';
import { headLimits } from '../../src/operator/desired/head-limits.js';
import { specSchema } from '../../src/operator/schema/spec.js';

const resource = (more: object) => ({
  metadata: { namespace: 'default', name: 'chain', uid: 'u', generation: 1 },
  status: {},
  spec: specSchema.parse({ node: { urls: ['http://node:3013'] }, database: { secret: { name: 'db' } }, ...more }),
});

describe('the network of a resource', () => {
  for (const [more, maxLag, maxAge] of [
    [{}, 5, '30m'],
    [{ network: { blockTime: '3m' } }, 5, '30m'],
    [{ network: { blockTime: '3s' } }, 300, '2m'],
    [{ network: { blockTime: '25s' } }, 36, '250s'],
    [{ network: { blockTime: '1h' } }, 5, '600m'],
    [{ network: { blockTime: '0s' } }, 900, '2m'],
    [{ network: { blockTime: '3s' }, head: { maxLag: 7, maxAge: '1h' } }, 7, '1h'],
  ] as const)
    it(`gives the limits of the head and the alerts (${JSON.stringify(more)})`, () => {
      const limits = headLimits(resource(more));
      expect(limits).to.include({ maxLag, maxAge });
      const exprOf = (name: string): string => alertRules(resource(more), '').find(({ alert }) => alert === name)!.expr;
      expect(exprOf('MiddlewareBehindNode')).to.match(new RegExp(`> ${maxLag}$`));
      expect(exprOf('MiddlewareTopTooOld')).to.match(new RegExp(`> ${limits.maxAgeMs / 1000}$`));
    });

  it('is what pods refuse other nodes and databases by', () => {
    expect(variables(resource({}))).to.not.have.property('NETWORK_ID');
    expect(variables(resource({ network: { id: 'hc_mine' } }))).to.include({ NETWORK_ID: 'hc_mine' });
  });

  it('is refused with an id that no network has, or a time that is none', () => {
    for (const more of [{ network: { id: '' } }, { network: { id: 'a b' } }, { network: { blockTime: '3' } }])
      expect(() => resource(more), JSON.stringify(more)).to.throw();
  });
});
