import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { populateInto, startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { ROLES, administer, emptyCopy } from '../support/roles.js';

describe('a right that is withdrawn while the chain is populated', () => {
  let server: TestDatabase;
  let devnode: Devnode;

  before(async () => {
    server = await testDatabase();
    devnode = await generated({ seed: 'rights', generations: 4, txsPerGeneration: 4 });
  });
  after(async () => {
    await closeDevnodes();
    await server.drop();
  });

  for (const [index, [right, on]] of (
    [
      ['INSERT', 'transactions'],
      ['SELECT', 'key_blocks'],
      ['UPDATE', 'writer'],
    ] as const
  ).entries()) {
    it(`is waited for, and named in the log: ${right} on ${on}`, async () => {
      const schema = `withdrawn_${index}`;
      const populating = await startPopulating(server, schema, [devnode.externalUrl]);
      try {
        await populating.at(devnode.top().hash);
        await administer(server.url, `REVOKE ${right} ON ${on} FROM ${ROLES.populate}`, schema);
        await devnode.grow(2);
        await eventually(
          () => Promise.resolve(populating.log),
          (lines) => lines.some(({ code }) => code === 'missing_right'),
        );
        await administer(server.url, `GRANT ${right} ON ${on} TO ${ROLES.populate}`, schema);
        await devnode.grow(1);
        await populating.at(devnode.top().hash);
      } finally {
        await populating.stop();
      }
    });
  }

  it('ends the process if it was never there', async () => {
    const schema = 'without_right';
    const database = await emptyCopy(server.url, schema);
    await administer(server.url, `REVOKE INSERT ON transactions FROM ${ROLES.populate}`, schema);
    const populating = populateInto(database, [devnode.externalUrl]);
    const fault = await populating.ended.catch((error: unknown) => error);
    expect(fault).to.include({ code: 'missing_right' });
    await populating.stop().catch(() => undefined);
  });
});
