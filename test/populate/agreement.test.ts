import { expect } from 'chai';
import { preferredBranch } from '../../src/populate/agreement.js';

describe('the branch that nodes prefer', () => {
  const ours = (rank: number) => ({ rank, hash: 'kh_stored' });
  const theirs = (rank: number) => ({ rank, hash: 'kh_branch' });
  const preferred = (followed: number, ...others: { rank: number; hash: string }[]): string =>
    preferredBranch({ followed, others }, 'kh_branch', 'kh_stored');

  it('is not known from a single node, or if the others have a third block', () => {
    expect(preferred(0)).to.equal('nobody');
    expect(preferred(1, { rank: 0, hash: 'kh_third' })).to.equal('nobody');
    expect(preferredBranch({ followed: 1, others: [ours(0)] }, 'kh_branch', undefined)).to.equal('nobody');
  });

  it('is that of more nodes, wherever they are named', () => {
    expect(preferred(1, theirs(2), ours(0))).to.equal('branch');
    expect(preferred(0, ours(1), ours(2))).to.equal('stored');
    expect(preferred(3, theirs(2))).to.equal('branch');
  });

  it('is that of the node that is named first if as many have both', () => {
    expect(preferred(0, ours(1))).to.equal('branch');
    expect(preferred(1, ours(0))).to.equal('stored');
    expect(preferred(1, theirs(2), ours(0), ours(3))).to.equal('stored');
    expect(preferred(3, theirs(0), ours(1), ours(2))).to.equal('branch');
  });
});
