import { expect } from 'chai';
import { MIXTURE } from '../support/histories.js';
import { eventually } from '../support/populator.js';
import { administer } from '../support/roles.js';
import { followAsStream } from './followers.js';
import { beginning } from './chaos.js';
import { contradictions, differsFromModel, incomplete, settled } from './rest.js';
import { isServing, startWorld } from './world.js';
import type { World } from './world.js';

describe('what chaos looks at, spoilt by hand', function () {
  this.timeout(120_000);
  let world: World;

  before(async () => {
    world = await startWorld(7);
  });
  after(() => world.close(false));

  const spoil = (...sql: string[]): Promise<void> => administer(world.database, sql, 'mdw');

  it('shows an event that a client did not get', async () => {
    const { first, chain, since } = await beginning(world);
    for (let i = 0; i < 3; i++) await world.chain.mineKeyBlock();
    await settled(world, []);
    await spoil(`DELETE FROM events WHERE seq = ${first + 2}`);
    const end = new AbortController();
    // It has the last events in memory.
    const [server] = world.servers;
    await server!.program.end('SIGTERM');
    await isServing(server!);
    const { url } = server!;
    const follower = followAsStream('stream', { urls: [url], since, first, chain, signal: end.signal });
    await eventually(
      () => incomplete(world, [follower]),
      (faults) => faults.some((fault) => fault.includes(`event ${first + 3}`)),
    );
    end.abort();
    // It would mend what is altered from here on.
    world.populator.program.signal('SIGSTOP');
  });

  it('is right before anything is altered', async () => {
    expect(await differsFromModel(world)).to.deep.equal([]);
    expect(await contradictions(world)).to.deep.equal([]);
    expect(await world.query(MIXTURE)).to.deep.equal([]);
  });

  it('shows one altered row', async () => {
    await spoil('UPDATE transactions SET fee = fee + 1 WHERE position = (SELECT max(position) FROM transactions)');
    expect(await differsFromModel(world)).to.have.lengthOf(1);
    await spoil('UPDATE transactions SET fee = fee - 1 WHERE position = (SELECT max(position) FROM transactions)');
  });

  it('shows an answer that is not that of the node', async () => {
    const digit = (from: string, to: string): string =>
      `UPDATE transactions SET body = replace(body, '"nonce":${from}', '"nonce":${to}')
       WHERE position = (SELECT max(position) FROM transactions)`;
    await spoil(digit('', '1'));
    // Answers that are kept are those of the state before.
    await eventually(
      () => contradictions(world),
      (found) => found.length > 0,
    );
  });

  it('shows two branches in one snapshot', async () => {
    await spoil(
      `UPDATE micro_blocks SET prev_hash = 'mh_other' WHERE position = (SELECT max(position) FROM micro_blocks)`,
    );
    expect(await world.query(MIXTURE)).to.have.lengthOf(1);
  });
});
