import { expect } from 'chai';
import { MIXTURE } from '../support/histories.js';
import { eventually } from '../support/populator.js';
import { administer } from '../support/roles.js';
import { followAsStream } from './followers.js';
import { beginning } from './chaos.js';
import { contradictions, differsFromModel, receivedFaults, waitUntilSettled } from './quiet-phase.js';
import { isServing, startWorld } from './world.js';
import type { World } from './world.js';

describe('the checks of chaos, after a change by hand', () => {
  let world: World;

  before(async () => {
    world = await startWorld(7);
  });
  after(() => world.close(false));

  const alter = (...sql: string[]): Promise<void> => administer(world.database, sql, 'mdw');

  it('find an event that a client did not receive', async () => {
    const { first, chain, since } = await beginning(world);
    for (let i = 0; i < 3; i++) await world.chain.mineKeyBlock();
    await waitUntilSettled(world, []);
    await alter(`DELETE FROM events WHERE seq = ${first + 2}`);
    const end = new AbortController();
    // The server has the last events in memory, so it is restarted.
    const [server] = world.servers;
    await server!.program.end('SIGTERM');
    await isServing(server!);
    const { url } = server!;
    const follower = followAsStream('stream', { urls: [url], since, first, chain, signal: end.signal });
    await eventually(
      () => receivedFaults(world, [follower]),
      (faults) => faults.some((fault) => fault.includes(`event ${first + 3}`)),
    );
    end.abort();
    // The populator would mend the following changes.
    world.populator.program.signal('SIGSTOP');
  });

  it('find nothing before a row is altered', async () => {
    expect(await differsFromModel(world)).to.deep.equal([]);
    expect(await contradictions(world)).to.deep.equal([]);
    expect(await world.query(MIXTURE)).to.deep.equal([]);
  });

  it('find one altered row', async () => {
    await alter('UPDATE transactions SET fee = fee + 1 WHERE position = (SELECT max(position) FROM transactions)');
    expect(await differsFromModel(world)).to.have.lengthOf(1);
    await alter('UPDATE transactions SET fee = fee - 1 WHERE position = (SELECT max(position) FROM transactions)');
  });

  it('find an answer that differs from the node', async () => {
    const digit = (from: string, to: string): string =>
      `UPDATE transactions SET body = replace(body, '"nonce":${from}', '"nonce":${to}')
       WHERE position = (SELECT max(position) FROM transactions)`;
    await alter(digit('', '1'));
    // Cached answers are still of the state before the change.
    await eventually(
      () => contradictions(world),
      (found) => found.length > 0,
    );
  });

  it('find two branches in one snapshot', async () => {
    await alter(
      `UPDATE micro_blocks SET prev_hash = 'mh_other' WHERE position = (SELECT max(position) FROM micro_blocks)`,
    );
    expect(await world.query(MIXTURE)).to.have.lengthOf(1);
  });
});
