import { expect } from 'chai';
import { faultsOf, readPackages } from '../../scripts/dependencies.js';
import type { Packages } from '../../scripts/dependencies.js';

describe('the check of packages', () => {
  const changed = (change: (packages: Packages) => void): string[] => {
    const packages = readPackages();
    change(packages);
    return faultsOf(packages);
  };

  it('finds nothing in what is here', () => {
    expect(changed(() => undefined)).to.deep.equal([]);
  });

  for (const [what, change, fault] of [
    ['one without a reason', (p) => (p.production['left-pad'] = '^1.0.0'), 'left-pad: no reason'],
    ['a reason without a package', (p) => delete p.production['koa'], 'koa: a reason'],
    ['another range than that of the lock', (p) => (p.production['koa'] = '*'), 'koa: package-lock.json has'],
    ['one that is not pinned', (p) => delete p.locked['node_modules/koa'], 'koa: package-lock.json pins no version'],
    ['one without a hash', (p) => delete p.locked['node_modules/koa']!.integrity, 'neither version nor hash'],
    ['a licence', (p) => (p.locked['node_modules/koa']!.license = 'AGPL-3.0'), 'the licence AGPL-3.0'],
    ['a licence of development', (p) => (p.locked['node_modules/koa']!.license = 'MPL-2.0'), 'the licence MPL-2.0'],
    ['one without a licence', (p) => delete p.locked['node_modules/koa']!.license, 'the licence undefined'],
  ] as [string, (packages: Packages) => unknown, string][])
    it(`refuses ${what}`, () => {
      expect(changed(change).join('\n')).to.include(fault);
    });
});
