/**
 * The built program follows a simulated node with transactions of every type, which forks, whose Rosetta interface answers late, twice or not at all, while the
 * program is killed. In the end each balance after each key block is the node's.
 */
import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { KINDS } from '../../src/chain/money/kinds.js';
import type { Database } from '../../src/store/connection/database.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { choices, changeChain } from '../support/histories.js';
import { mdw } from '../support/mdw.js';
import { GIVE_UP_MS } from '../support/patience.js';
import { eventually, startPopulator } from '../support/populator.js';
import type { Populator } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, emptyCopy } from '../support/roles.js';

/** TRANSACTIONS: of the chain, about. HEIGHTS: at which balances are compared, about; all unless given. */
const { SEED = '1', TRANSACTIONS, HEIGHTS } = process.env;
/** The generated chain. */
const SIZE =
  TRANSACTIONS === undefined
    ? { generations: 120, txsPerGeneration: 6, microBlocksPerGeneration: 2, accounts: 12 }
    : {
        ...{ generations: Math.ceil(Number(TRANSACTIONS) / 65), txsPerGeneration: 65 },
        ...{ microBlocksPerGeneration: 10, accounts: 100 },
      };
const STEPS = 8;

interface Interface {
  url: string;
  asked: number;
  /** Answers at the beginning and at the end are those of the node. */
  isHonest: boolean;
  /** Sends the answers that were held back. */
  release(): void;
  close(): Promise<void>;
}

/** Between the program and the node: answers that are late (of before the next change of the chain), those to another question, and none. */
async function disturbed(target: string, seed: number): Promise<Interface> {
  const random = choices(seed);
  const held: (() => void)[] = [];
  let last = '';
  const server: Server = createServer((request, response) => {
    void text(request).then(async (body) => {
      found.asked += 1;
      const answer = await fetch(target + request.url!, { method: 'POST', body });
      const own = await answer.text();
      const kind = found.isHonest ? 9 : random.int(0, 9);
      const send = (status: number, said: string): void =>
        void response.writeHead(status, { 'content-type': 'application/json' }).end(said);
      if (kind === 0) held.push(() => send(answer.status, own));
      else if (kind === 1) send(200, last);
      else if (kind === 2) send(500, '{"reason":"Internal server error"}');
      else send(answer.status, own);
      if (answer.status === 200) last = own;
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const found: Interface = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: 0,
    isHonest: true,
    release: () => held.splice(0).forEach((one) => one()),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return found;
}

describe('the ledger of a simulated chain', function () {
  this.timeout(2 * GIVE_UP_MS);
  let folder: string;
  let server: TestDatabase;
  let database: Database;
  let devnode: Devnode;
  let rosetta: Interface;
  let populator: Populator;

  const settings = (): Record<string, string> => ({
    NODE_URL: devnode.externalUrl,
    ROSETTA_URL: rosetta.url,
    DATABASE_URL: asRole(server.url, 'populate'),
    LEASE_SECONDS: '2',
    VERIFY_SHARE: '50',
    // A fork may replace most of the chain.
    MAX_UNPROVEN_REORG: '1000',
  });

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'mdw-test-money-'));
    server = await testDatabase();
    database = await emptyCopy(server.url);
    devnode = await startDevnode({
      ...{ external: '127.0.0.1:0', rosetta: '127.0.0.1:0' },
      source: {
        generate: {
          ...SIZE,
          ...{ seed: `money ${SEED}`, edgeBits: undefined },
          // Without these the simulated node has not got all states of a long chain.
          ...(TRANSACTIONS !== undefined && { folder, states: 1_000_000 }),
        },
      },
    });
    rosetta = await disturbed(devnode.rosettaUrl!, Number(SEED));
    populator = startPopulator(settings());
  });
  after(async () => {
    rosetta.release();
    await populator.end('SIGKILL');
    await rosetta.close();
    await devnode.close();
    await database.close();
    await server.drop();
    rmSync(folder, { recursive: true });
  });

  interface State {
    /** Movements are written up to the last stored block. */
    is_written: boolean | null;
    waiting: string;
    /** Of the last block. */
    head: string;
  }

  async function state(): Promise<State | undefined> {
    const { rows } = await database.query<State>({
      name: 'test.state',
      text: `
        SELECT l.position = b.position AS is_written, b.hash AS head,
          (SELECT count(*) FROM ledger_questions) + (SELECT count(*) FROM ledger_rewrites) + (SELECT count(*) FROM due_infos) AS waiting
        FROM (
          SELECT position, hash FROM micro_blocks UNION ALL SELECT height << 33, hash FROM key_blocks ORDER BY position DESC LIMIT 1
        ) AS b LEFT JOIN ledger AS l ON true`,
    });
    return rows[0];
  }

  /** Until the head is stored, and all movements up to it with what the node said of them. */
  const written = (): Promise<unknown> =>
    eventually(state, (now) => now?.head === devnode.top().hash && now.waiting === '0' && now.is_written === true);

  const balanceAt = async (id: string, height: number): Promise<bigint> => {
    const answer = await fetch(`${devnode.externalUrl}/v3/accounts/${id}/height/${height}`);
    return BigInt(/"balance":(\d+)/.exec(await answer.text())?.[1] ?? 0);
  };

  /** Heights at which the ledger is not the node's balance; coins of the genesis block may be in it or not. */
  async function wrong(): Promise<{ wrong: string[]; compared: number }> {
    const step = HEIGHTS === undefined ? 1 : Math.ceil(devnode.height() / Number(HEIGHTS));
    const { rows } = await database.query<{ id: string; height: string; balance: string }>({
      name: 'test.balances',
      text: `
        SELECT i.id, k.height, COALESCE((
          SELECT m.balance FROM movement_rows AS m WHERE m.account = i.key AND m.position <= k.height << 33 ORDER BY m.position DESC, m.index DESC LIMIT 1
        ), 0) AS balance
        FROM ledger_ids AS i CROSS JOIN key_blocks AS k WHERE i.id LIKE 'ak_%' AND k.height % $1 = 0 ORDER BY i.id, k.height`,
      values: [step],
    });
    const found: string[] = [];
    let given = 0n;
    for (const { id, height, balance } of rows) {
      const difference = (await balanceAt(id, Number(height))) - BigInt(balance);
      if (height === '0') given = difference;
      else if (difference !== given) found.push(`${id} at ${height}: ${difference - given}`);
    }
    return { wrong: found, compared: rows.length };
  }

  async function expectRight(): Promise<void> {
    await written();
    const { wrong: found, compared } = await wrong();
    expect(found).to.deep.equal([]);
    expect(compared).to.be.above(1_000);
    const kinds = () =>
      database.query<{ count: string; kinds: string }>({
        name: 'test.unexplained',
        text: `
          SELECT count(*) FILTER (WHERE abs(kind) = ${KINDS.unexplained.code}) AS count, count(DISTINCT abs(kind)) AS kinds
          FROM movement_rows`,
      });
    // The coins of the genesis block are found when balances are compared, which is not waited for above.
    const { rows } = await eventually(kinds, (found) => Number(found.rows[0]!.kinds) > 15);
    expect(rows[0]!.count).to.equal('0');
    expect(rosetta.asked).to.be.above(0);
  }

  it('is that of the node for every account after every key block, with rewards that no setting told', expectRight);

  it(`is so after forks, kills, -H and a Rosetta interface that answers late and wrongly (SEED=${SEED})`, async () => {
    const random = choices(Number(SEED));
    for (let step = 0; step < STEPS; step += 1) {
      rosetta.isHonest = false;
      await changeChain(devnode, random, false, true);
      rosetta.release();
      await eventually(state, (now) => now?.head === devnode.top().hash);
      if (random.chance(0.5)) {
        await populator.end('SIGKILL');
        if (random.chance(0.5)) {
          const from = random.int(1, devnode.height() - 2);
          const { status, stderr } = await mdw(['-H', `${from}-${from + 2}`], settings());
          expect(status, stderr).to.equal(0);
        }
        populator = startPopulator(settings());
      }
    }
    rosetta.isHonest = true;
    rosetta.release();
    await expectRight();
  });
});
