import { expect } from 'chai';
import { walk } from '../support/walk.js';

/** How the walk is counted, and what it was before: docs/decisions/0037-world.md. */
describe('Who reads how one pass over a healthy resource decides', () => {
  it('opens at most 25 files, in at most 60 steps', async () => {
    const { rooms, steps } = await walk();

    expect(rooms).to.include.members(['world/world.ts', 'decide/blockers.ts', 'decide/children.ts', 'desired']);
    expect(rooms.length, rooms.join(', ')).to.be.at.most(25);
    expect(steps).to.be.at.most(60);
  });
});
