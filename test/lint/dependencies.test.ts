import { expect } from 'chai';
import { faultsOf, readPackages } from '../../scripts/dependencies.js';
import type { Packages } from '../../scripts/dependencies.js';

describe('the check of packages', () => {
  const changed = (change: (packages: Packages) => void): string[] => {
    const packages = readPackages();
    change(packages);
    return faultsOf(packages);
  };

  it('finds no fault in this repository', () => {
    expect(changed(() => undefined)).to.deep.equal([]);
  });

  for (const [what, change, fault] of [
    ['a package without a reason', (p) => (p.production['left-pad'] = '^1.0.0'), 'left-pad: no reason'],
    ['a reason without a package', (p) => delete p.production['koa'], 'koa: a reason'],
    [
      'a range that differs from that of the lock file',
      (p) => (p.production['koa'] = '*'),
      'koa: package-lock.json has',
    ],
    [
      'a package that is not pinned',
      (p) => delete p.locked['node_modules/koa'],
      'koa: package-lock.json pins no version',
    ],
    ['a package without a hash', (p) => delete p.locked['node_modules/koa']!.integrity, 'neither version nor hash'],
    [
      'a licence that is not allowed',
      (p) => (p.locked['node_modules/koa']!.license = 'AGPL-3.0'),
      'the licence AGPL-3.0',
    ],
    [
      'a licence that is allowed in development only',
      (p) => (p.locked['node_modules/koa']!.license = 'MPL-2.0'),
      'the licence MPL-2.0',
    ],
    ['a package without a licence', (p) => delete p.locked['node_modules/koa']!.license, 'the licence undefined'],
  ] as [string, (packages: Packages) => unknown, string][])
    it(`refuses ${what}`, () => {
      expect(changed(change).join('\n')).to.include(fault);
    });
});
