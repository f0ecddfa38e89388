import { expect } from 'chai';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import type { Devnode } from '../../devtools/devnode/start.js';
import { verifyProjections } from '../../src/populate/verify-projections.js';
import type { ReportedDifference } from '../../src/populate/verify-projections.js';
import { openJournal } from '../../src/populate/verify-journal.js';
import type { Database } from '../../src/store/connection/database.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { mdw, startMdw } from '../support/mdw.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

const TOP = 260;

describe('a killed verification that the next run continues', () => {
  let server: TestDatabase;
  let database: Database;
  let devnode: Devnode;
  /** A proxy before the node: delays answers about heights below `heldBelow`, and records the requested heights. */
  let gate: TestServer;
  let heldBelow = 0;
  const asked = new Set<number>();
  let hand: pg.Client;
  let env: Record<string, string>;
  const folder = mkdtempSync(join(tmpdir(), 'mdw-journal-'));
  const file = join(folder, 'journal');

  before(async () => {
    server = await testDatabase();
    devnode = await generated({ seed: 'journal', generations: TOP, txsPerGeneration: 12 });
    gate = await startServer(async (request, response) => {
      const height = /\/height\/(\d+)/.exec(request.url!)?.[1];
      if (height !== undefined) {
        if (Number(height) < heldBelow) return;
        asked.add(Number(height));
      }
      const answer = await fetch(devnode.externalUrl + request.url);
      reply(response, answer.status, await answer.text());
    });
    database = await emptyCopy(server.url);
    const node = nodeAt(devnode.externalUrl);
    await syncFully(syncContext(database, node));
    node.close();
    hand = new pg.Client({ connectionString: server.url, options: '-c search_path=mdw' });
    await hand.connect();
    await hand.query('SET session_replication_role = replica');
    env = { NODE_URL: gate.url, DATABASE_URL: server.url, LOG_LEVEL: 'silent' };
  });

  beforeEach(() => {
    rmSync(file, { force: true });
    heldBelow = 0;
    asked.clear();
  });

  after(async () => {
    rmSync(folder, { recursive: true });
    await hand.end();
    await database.close();
    await gate.close();
    await closeDevnodes();
    await server.drop();
  });

  const command = ['-v', '--resume', file];

  /** Starts a verification and kills it when the heights from 120 up are compared. */
  async function killedInTheMiddle(): Promise<void> {
    heldBelow = 100;
    const running = startMdw(command, env);
    await running.saw(/Height 120 /);
    running.process.kill('SIGKILL');
    await running.ended;
    heldBelow = 0;
    asked.clear();
  }

  async function pieces(stopAfter = Infinity): Promise<{ verified: string[]; found: ReportedDifference[] }> {
    const journal = await openJournal(file, database, {});
    const stopping = new AbortController();
    const verified: string[] = [];
    const found: ReportedDifference[] = [...journal.found.rows];
    await verifyProjections({
      database,
      signal: stopping.signal,
      windows: {
        isVerified: (window) => journal.isVerified(window),
        verified(window, differences) {
          journal.verified(window, differences);
          verified.push(`${window.from}-${window.to}`);
          if (verified.length >= stopAfter) stopping.abort();
        },
      },
      onDifference: (difference) => found.push(difference),
    }).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    return { verified, found };
  }

  const amount = `replace(body, '"fee":', '"fee":1')`;
  const alter = (height: number) =>
    hand.query(`UPDATE transactions SET body = ${amount} WHERE position =
      (SELECT min(position) FROM transactions WHERE position >= ${height}::bigint << 33)`);
  const mend = (height: number) => mdw(['-H', String(height)], { ...env, NODE_URL: devnode.externalUrl });

  it('requests only the remaining heights from the node, and ends like one run', async () => {
    await killedInTheMiddle();

    const { status, stdout, stderr } = await mdw(command, env);

    expect(stderr).to.match(/^Continues the verification begun at 2/m);
    expect(stderr).to.contain(`${TOP + 1} heights verified, all OK`);
    expect(status).to.equal(0);
    expect(Math.max(...[...asked].filter((height) => height < TOP))).to.be.below(180);
    expect(stdout).to.contain('Height 0 OK').and.not.contain('Height 200 OK');
    expect(existsSync(file)).to.equal(false);
  });

  it('reports again what the killed run had found', async () => {
    await alter(230);
    try {
      await killedInTheMiddle();
      const { status, stdout, stderr } = await mdw(command, env);

      expect(stdout).to.match(/^Height 230 not OK: /m);
      expect(stderr).to.contain('1 not OK');
      expect(status).to.equal(1);
    } finally {
      await mend(230);
    }
  });

  it('does not see rows altered by hand in verified heights, but the next full run does', async () => {
    await killedInTheMiddle();
    // Only the comparison with the node and the hash of the block show this error.
    await hand.query(`UPDATE micro_blocks SET body = replace(body, '"signature":"', '"signature":"x') WHERE position =
      (SELECT min(position) FROM micro_blocks WHERE position >= 230::bigint << 33)`);
    try {
      expect(await mdw(command, env)).to.include({ status: 0 });
      expect((await mdw(command, env)).stdout).to.match(/^Height 230 not OK: /m);
    } finally {
      await mend(230);
    }
  });

  it('compares again from the lowest height that was written since', async () => {
    await killedInTheMiddle();
    await mend(215);

    const { status, stdout } = await mdw(command, env);

    expect(status).to.equal(0);
    expect(stdout).to.contain('Height 215 OK').and.contain('Height 240 OK').and.not.contain('Height 214 OK');
  });

  it('starts from the beginning when its options differ', async () => {
    await killedInTheMiddle();

    const { stdout, stderr } = await mdw(['-v', '150-259', '--resume', file], env);

    expect(stderr).not.to.contain('Continues');
    expect(stdout.trimEnd().split('\n')).to.have.length(110);
  });

  it('verifies the remaining windows, those above a height that was written since, and the head', async () => {
    const whole = await pieces();
    expect(whole.found).to.deep.equal([]);
    expect(whole.verified.length).to.be.above(2);
    rmSync(file);

    expect((await pieces(2)).verified).to.deep.equal(whole.verified.slice(0, 2));
    expect((await pieces(1)).verified).to.deep.equal(whole.verified.slice(2, 3));
    expect((await pieces()).verified).to.deep.equal(whole.verified.slice(3));
    // At the head, blocks can be added at any time.
    expect((await pieces()).verified).to.deep.equal(whole.verified.slice(-1));

    const [from] = whole.verified[1]!.split('-').map(Number);
    await mend(from!);
    expect((await pieces()).verified).to.deep.equal(whole.verified.slice(1));
  });

  it('finds rows altered after the kill in the remaining windows, and keeps the earlier findings', async () => {
    const windows = (await pieces()).verified;
    rmSync(file);
    const startOf = (i: number): number => Math.max(0, Number(windows[i]!.split('-')[0]));
    await hand.query(`UPDATE transactions SET fee = fee + 1 WHERE position =
      (SELECT min(position) FROM transactions WHERE position >= ${startOf(1)}::bigint << 33)`);
    expect((await pieces(2)).found.some(({ table }) => table === 'transactions')).to.equal(true);
    await hand.query(`UPDATE transactions SET size = size + 1 WHERE position =
      (SELECT min(position) FROM transactions WHERE position >= ${startOf(2)}::bigint << 33)`);

    const columns = (await pieces()).found.flatMap(({ table, column }) => (table === 'transactions' ? [column] : []));

    expect(columns).to.have.members(['fee', 'size']);
    await mend(startOf(1));
    await mend(startOf(2));
  });

  it('ignores an incomplete last line, and refuses a file that is no journal', async () => {
    await pieces(2);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.slice(0, -10));
    expect((await openJournal(file, database, {})).since).to.be.a('string');
    writeFileSync(file, 'a letter\n');

    const { status, stderr } = await mdw(command, env);

    expect(status).to.equal(2);
    expect(stderr).to.contain('is no journal of a verification');
    expect(readFileSync(file, 'utf8')).to.equal('a letter\n');
  });
});
