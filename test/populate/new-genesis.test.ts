import { expect } from 'chai';
import type { Devnode, GenerateOptions } from '../../devtools/devnode/start.js';
import { readIdentity } from '../../src/store/chain-state.js';
import { createDatabase } from '../../src/store/connection/database.js';
import type { Database } from '../../src/store/connection/database.js';
import { migrate } from '../../src/store/schema/migrate.js';
import { silent } from '../support/copy.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { chainDump, cleanDump, populateInto, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { startRelay } from '../support/relay.js';
import type { Relay } from '../support/relay.js';
import { testApi } from '../support/api.js';

/** Chains of one network: the first one, one with another genesis block, and a shorter one with the same genesis block and nothing else. */
const FIRST = { seed: 'anew', generations: 12, consensus: 'on_demand' } as const;
const ANEW = { ...FIRST, seed: 'anew again', generations: 5 } as const;
const SHORTER = { ...FIRST, generations: 4, blockIntervalMs: 90_000 } as const;

describe('a chain that begins anew', () => {
  let server: TestDatabase;
  let first: Devnode;
  let relay: Relay;
  let populating: Populating | undefined;
  let number = 0;

  before(async () => {
    server = await testDatabase();
    first = await generated(FIRST);
  });
  beforeEach(async () => (relay = await startRelay(first.externalUrl)));
  afterEach(async () => {
    await populating?.stop().catch(() => undefined);
    populating = undefined;
    await relay.shut();
  });
  after(async () => {
    await closeDevnodes();
    await server.drop();
  });

  const open = (schema: string): Database =>
    createDatabase({ url: server.url, schema, poolSize: 6, statementTimeoutMs: 0, logger: silent });

  /** A populator whose user owns the schema. */
  async function start(
    schema: string,
    urls: string[],
    newGenesis: 'off' | 'new_copy',
    pool: { timeoutMs?: number } = {},
  ): Promise<Populating> {
    const database = open(schema);
    await migrate(database);
    return (populating = populateInto(database, urls, { checkMs: 100, demoteMs: 500, ...pool }, { newGenesis }));
  }

  async function dumpOf(schema: string): Promise<Record<string, string[]>> {
    const database = open(schema);
    try {
      return await chainDump(database);
    } finally {
      await database.close();
    }
  }

  const caughtUp = (running: Populating, times: number): Promise<unknown> =>
    eventually(
      () => Promise.resolve(running.log),
      (lines) => lines.filter(({ msg }) => msg === 'Caught up with the node').length === times,
    );

  async function schemas(of: string): Promise<string[]> {
    const database = open(of);
    const { rows } = await database.query<{ nspname: string }>({
      name: 'test.schemas',
      text: `SELECT nspname FROM pg_namespace WHERE nspname LIKE $1 || '%' ORDER BY nspname`,
      values: [of],
    });
    await database.close();
    return rows.map(({ nspname }) => nspname);
  }

  for (const [what, chain, state] of [
    ['with another genesis block', ANEW, 'node_wrong_genesis'],
    ['with the same genesis block, and is shorter', SHORTER, 'behind'],
  ] as [string, GenerateOptions, string][]) {
    describe(what, () => {
      let anew: Devnode;
      before(async () => (anew = await generated(chain)));

      it('is not followed, and is named', async () => {
        const schema = `off_${number++}`;
        const running = await start(schema, [relay.url], 'off');
        await running.at(first.top().hash);
        const before = await chainDump(running.database);
        relay.lead(anew.externalUrl);
        await running.inState(state);
        const line = await eventually(
          () => Promise.resolve(running.log.find((one) => one['state'] === state)),
          (one) => one !== undefined,
        );
        expect(JSON.stringify(line)).to.contain('if the chain began anew, drop this copy (mdw drop)');
        expect(await chainDump(running.database)).to.deep.equal(before);
        expect(await schemas(schema)).to.deep.equal([schema]);
      });

      it('is loaded into a new copy if that is set, beside the former one, which stays as it was', async () => {
        const schema = `new_${number++}`;
        const running = await start(schema, [relay.url], 'new_copy');
        await running.at(first.top().hash);
        await caughtUp(running, 1);
        const before = await chainDump(running.database);
        const { genesisHash } = (await readIdentity(running.database))!;
        const api = await testApi(open(schema));
        const answers = async (path: string): Promise<string> => (await api.get(path)).body;
        const top = await answers('/v2/key-blocks/height/1');
        relay.lead(anew.externalUrl);
        await running.at(anew.top().hash);
        const [now, former] = await schemas(schema);
        expect([now, former]).to.deep.equal([schema, `${schema}_${genesisHash.slice(3, 11).toLowerCase()}`]);
        expect(await dumpOf(former!)).to.deep.equal(before);
        expect(await dumpOf(schema)).to.deep.equal(await cleanDump(server, `clean_${schema}`, anew.externalUrl));
        // A server that ran all the time answers from the new copy.
        await caughtUp(running, 2);
        expect(await answers('/v2/generations/current')).to.contain(anew.top().hash);
        expect(await answers('/v2/key-blocks/height/1')).to.not.equal(top);
        await api.close();
      });

      it('is loaded into a new copy by a populator that starts with it', async () => {
        const schema = `start_${number++}`;
        await (await start(schema, [first.externalUrl], 'new_copy')).at(first.top().hash);
        await populating!.stop();
        const running = await start(schema, [anew.externalUrl], 'new_copy');
        await running.at(anew.top().hash);
        expect(await schemas(schema)).to.have.length(2);
      });

      it('is not loaded while another node has the stored chain, or does not answer', async () => {
        const other = await startRelay(first.externalUrl);
        const schema = `beside_${number++}`;
        // Of two nodes that have different branches without provable work, the one that is named first decides.
        const running = await start(schema, [other.url, relay.url], 'new_copy');
        await running.at(first.top().hash);
        relay.lead(anew.externalUrl);
        await first.mineKeyBlock();
        await running.at(first.top().hash);
        await other.shut();
        await running.inState(state);
        expect(await schemas(schema)).to.deep.equal([schema]);
      });
    });
  }

  it('is not loaded while another node has the stored chain and takes long to say so', async () => {
    const shorter = await generated(SHORTER);
    const other = await startRelay(first.externalUrl);
    const running = await start('slow', [relay.url, other.url], 'new_copy', { timeoutMs: 10_000 });
    await running.at(first.top().hash);
    first.misbehave({ slowMs: 1_500, paths: '/key-blocks/height/1$' });
    relay.lead(shorter.externalUrl);
    // The round in which the new chain was looked at has ended.
    await running.inState('behind');
    await first.mineKeyBlock();
    first.misbehave(null);
    await running.at(first.top().hash);
    expect(await schemas('slow')).to.deep.equal(['slow']);
    await other.shut();
  });

  it('is not loaded by a user who may not rename the schema: the populator ends, and says what to do', async () => {
    const anew = await generated(ANEW);
    const running = await startPopulating(server, 'not_owner', [relay.url], {}, { newGenesis: 'new_copy' });
    populating = running;
    await running.at(first.top().hash);
    relay.lead(anew.externalUrl);
    const error: unknown = await running.ended.catch((fault: unknown) => fault);
    expect(error).to.include({ code: 'wrong_chain' });
    expect((error as Error).message).to.contain('NEW_GENESIS=new_copy cannot rename the schema not_owner');
    expect(await schemas('not_owner')).to.deep.equal(['not_owner']);
  });
});
