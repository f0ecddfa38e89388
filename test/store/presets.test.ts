/** Coins that stand in no block: the lists of the package, and what the ledger makes of them. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect } from 'chai';
import { isId, withPrefix } from '../../src/chain/encoding/encoding.js';
import { readKeyBlock } from '../../src/chain/facts.js';
import { KINDS } from '../../src/chain/money/kinds.js';
import type { Movement } from '../../src/chain/money/movement.js';
import { completeKeyBlock } from '../../src/chain/money/node-moves.js';
import { PRESET_KINDS, presetHeights, presetsBelow, presetsChecksum } from '../../src/chain/money/presets.js';
import { ROOT } from '../../src/observe/root.js';
import { replaceHeights } from '../../src/populate/heights.js';
import { verifyLedger } from '../../src/populate/verify-ledger.js';
import type { Database } from '../../src/store/connection/database.js';
import { presetsOf } from '../../src/store/projections/preset-files.js';
import { syncContext, syncFully } from '../support/copy.js';
import { decodeAll } from '../support/decoding.js';
import { differencesIn } from '../support/filled.js';
import { movementDump, writeMovements } from '../support/ledger-rows.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recordedGenerations } from '../support/recording.js';
import { emptyCopy, tamper } from '../support/roles.js';

/** What the genesis block and the first key blocks of versions 2, 3 and 4 gave, and their heights. */
const GIVEN: Record<string, [version: number, height: number, sum: bigint, rows: number][]> = {
  ae_mainnet: [
    [1, 0, 89_451_376_822_397_976_634_367_408n, 714],
    [2, 47_800, 27_051_422_546_127_651_538_826_703n, 324],
    [3, 90_800, 72_681_157_406_723_951_132_840_970n, 302],
    [4, 161_150, 86_948_638_040_240_004_719_633_952n, 703],
  ],
  ae_uat: [
    [1, 0, 100_000_000_000_001n, 1],
    [2, 40_900, 2_100_000_000_000_000_000_000_011n, 3],
    [3, 82_900, 0n, 0],
    [4, 154_300, 1_002_448_618_414_302_482_322n, 2],
  ],
};

const sumOf = (movements: readonly { amount: bigint }[]): bigint =>
  movements.reduce((sum, { amount }) => sum + amount, 0n);

describe('lists of coins that stand in no block', () => {
  for (const [networkId, given] of Object.entries(GIVEN)) {
    it(`of ${networkId} have the accounts and sums that are known`, async () => {
      for (const [version, height, sum, count] of given) {
        const movements = (await presetsOf(networkId, version))!;
        expect([sumOf(movements), movements.length], String(version)).to.deep.equal([sum, count]);
        for (const { account, amount } of movements) expect(isId(account, 'ak') && amount > 0n, account).to.equal(true);
        const places = movements.map(({ kind, account }) => `${kind} ${account}`);
        expect(new Set(places).size).to.equal(places.length);
        const above = presetsBelow(networkId, height + 1)!;
        expect(above - presetsBelow(networkId, height)!).to.equal(sum);
      }
      expect(presetsBelow(networkId, 0)).to.equal(0n);
      expect(presetHeights(networkId)).to.deep.equal(given.map(([, height]) => height));
      expect(await presetsOf(networkId, 5)).to.deep.equal([]);
    });
  }

  it('give the contract of Lima its coins, and are those of their kind', async () => {
    const lima = (await presetsOf('ae_mainnet', 4))!;
    const contract = withPrefix('ak', 'ct_eJhrbPPS4V97VLKEVbSCJFpdA4uyXiZujQyLqMFoYV88TzDe6');
    expect(lima.filter(({ kind }) => kind === 'preset_contract_lima')).to.deep.equal([
      {
        account: contract,
        kind: 'preset_contract_lima',
        amount: 29_622_067_581_238_053_773_524_138n,
        counterparty: null,
      },
    ]);
    const kinds = new Set<string>();
    for (const [version] of GIVEN['ae_mainnet']!)
      for (const { kind } of (await presetsOf('ae_mainnet', version))!) kinds.add(kind);
    expect([...kinds]).to.deep.equal(PRESET_KINDS);
    expect(PRESET_KINDS.map((kind) => KINDS[kind].transfer)).to.deep.equal([
      ...['accounts_roma', 'accounts_minerva', 'accounts_fortuna', 'accounts_lima', 'accounts_extra_lima'],
      'contracts_lima',
    ]);
  });

  it('are not read if one digit is another one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mdw-presets-'));
    try {
      const url = pathToFileURL(`${folder}/`);
      const text = readFileSync(new URL('presets/ae_uat.txt', ROOT), 'utf8');
      writeFileSync(join(folder, 'ae_uat.txt'), text);
      expect(await presetsOf('ae_uat', 1, url)).to.deep.equal(await presetsOf('ae_uat', 1));
      writeFileSync(join(folder, 'ae_uat.txt'), text.replace(' 100000000000001\n', ' 100000000000002\n'));
      const error: unknown = await presetsOf('ae_uat', 1, url).catch((reason: unknown) => reason);
      expect(String(error)).to.contain('presets/ae_uat.txt is not the one of this version');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('are not there for other networks', async () => {
    for (const networkId of ['ae_dev', '__proto__', '../ae_uat']) {
      expect(presetsChecksum(networkId)).to.equal(undefined);
      expect(await presetsOf(networkId, 1)).to.equal(undefined);
      expect(presetsBelow(networkId, 1)).to.equal(undefined);
    }
  });

  it('are what a node says of the same key block, by their kind', () => {
    const own: Movement = { account: 'ak_a', kind: 'preset_minerva', amount: 5n, counterparty: null };
    const said = (account: string, amount: bigint) => ({ type: 'Chain.amount', account, amount });
    expect(completeKeyBlock([own], [said('ak_a', 5n), said('ak_b', 6n)], null).movements).to.deep.equal([
      own,
      { account: 'ak_b', kind: 'preset', amount: 6n, counterparty: null, isFromNode: true },
    ]);
  });
});

describe('coins that stand in no block, in the ledger of a network that has lists of them', () => {
  const OF = 'realnode';
  /** The recording has all protocol versions. */
  const NETWORK = 'ae_mainnet';
  const RULES = { delay: 10, treasury: null };
  const node = recordedNode(undefined, OF);
  let server: TestDatabase;
  let database: Database;
  let whole: Record<string, string[]>;
  /** First heights of the versions 1 to 4. */
  let heights: number[];

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, node));
    await decodeAll(database, node);
    await writeMovements(database, NETWORK, RULES);
    whole = await movementDump(database);
    const versions = recordedGenerations(OF).map(({ keyBlock }) => readKeyBlock(keyBlock).version);
    heights = [1, 2, 3, 4].map((version) => versions.indexOf(version));
  });
  after(async () => {
    await database.close();
    await server.drop();
  });

  async function stored(): Promise<string[]> {
    const { rows } = await database.query<{ text: string }>({
      name: 'test.presets',
      text: `
        SELECT concat_ws(' ', m.position >> 33, m.kind, a.id, m.amount) AS text
        FROM movements AS m JOIN ledger_ids AS a ON a.key = m.account WHERE m.kind IN (21, 23, 24, 25, 26, 27)
        ORDER BY m.position, m.index`,
    });
    return rows.map(({ text }) => text);
  }

  async function gaps(): Promise<string[]> {
    const { rows } = await database.query<{ height: string }>({
      name: 'test.preset-gaps',
      text: 'SELECT position >> 33 AS height FROM ledger_gaps WHERE gaps & 16 <> 0 ORDER BY position',
    });
    return rows.map(({ height }) => height);
  }

  it('are rows of the first key block of each version, without a gap', async () => {
    expect(heights.every((height) => height >= 0)).to.equal(true);
    const expected = [];
    for (const [i, height] of heights.entries())
      for (const { kind, account, amount } of (await presetsOf(NETWORK, i + 1))!)
        expected.push(`${height} ${KINDS[kind].code} ${account} ${amount}`);
    expect(await stored()).to.deep.equal(expected);
    expect(await gaps()).to.deep.equal([]);
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('are found wrong if a digit is another one, and mended', async () => {
    for (const height of heights) {
      await tamper(
        database,
        `UPDATE movement_rows SET amount = amount + 1 WHERE (account, position, index) = (
           SELECT account, position, index FROM movement_rows WHERE position = ${height}::bigint << 33 AND kind > 20 ORDER BY index DESC LIMIT 1
         )`,
      );
      const found = await differencesIn(database);
      expect(found.map(({ table, height: at }) => [table, at])).to.deep.include(['movement_rows', height]);
      const { failed } = await replaceHeights({ database, node, heights: [{ from: height, to: height }] });
      expect(failed).to.deep.equal([]);
      await decodeAll(database, node);
      await writeMovements(database, NETWORK, RULES);
      expect(await movementDump(database)).to.deep.equal(whole);
    }
    expect(await differencesIn(database)).to.deep.equal([]);
  });

  it('come into a copy of an earlier version, in place of what balances told of them', async () => {
    // It had gaps, and a balance that was compared.
    await writeMovements(database, 'ae_dev', RULES);
    expect(await gaps()).to.deep.equal(['0']);
    const [first] = (await presetsOf(NETWORK, 1))!;
    await tamper(database, [
      `UPDATE ledger SET network_id = '${NETWORK}'`,
      `INSERT INTO ledger_corrections (position, account, amount) VALUES (0, '${first!.account}', ${first!.amount})`,
    ]);
    await writeMovements(database, NETWORK, RULES);
    expect(await movementDump(database)).to.deep.equal(whole);
    const { rows } = await database.query({ name: 'test.corrections', text: 'SELECT FROM ledger_corrections' });
    expect(rows).to.deep.equal([]);
  });

  it('are not excused where a node has another balance of a new account', async () => {
    const [first] = (await presetsOf(NETWORK, 1))!;
    const { rows } = await database.query<{ id: string; positions: string[]; balances: string[] }>({
      name: 'test.all-balances',
      text: `
        SELECT a.id, array_agg(m.position::text ORDER BY m.position, m.index) AS positions,
          array_agg(m.balance::text ORDER BY m.position, m.index) AS balances
        FROM movement_rows AS m JOIN ledger_ids AS a ON a.key = m.account GROUP BY a.id`,
    });
    const balances = new Map(rows.map(({ id, ...row }) => [id, row]));
    const { rows: blocks } = await database.query<{ hash: string; end: string }>({
      name: 'test.block-ends',
      text: `
        SELECT hash, height << 33 AS end FROM key_blocks
        UNION ALL SELECT hash, position + GREATEST(tx_count, 1) - 1 FROM micro_blocks`,
    });
    const ends = new Map(blocks.map(({ hash, end }) => [hash, BigInt(end)]));
    const get = (path: string): Promise<{ status: number; text: string }> => {
      const [, id = '', hash = ''] = /^\/accounts\/(ak_\w+)\/hash\/(\w+)$/.exec(path)!;
      const own = balances.get(id);
      const last = own?.positions.findLastIndex((position) => BigInt(position) <= ends.get(hash)!) ?? -1;
      return Promise.resolve(
        last < 0
          ? { status: 404, text: '{"reason":"Account not found"}' }
          : { status: 200, text: `{"balance":${own!.balances[last]}}` },
      );
    };
    async function wrong(): Promise<unknown[]> {
      const found = [];
      const options = { database, node: { get }, share: 100, signal: new AbortController().signal };
      for await (const verdict of verifyLedger({ ...options, onProgress: () => undefined }))
        if (verdict.is !== 'same') found.push(verdict.is === 'wrong' ? verdict.wrong : verdict);
      return found;
    }
    expect(await wrong()).to.deep.equal([]);
    const ofFirst = `account = (SELECT key FROM ledger_ids WHERE id = '${first!.account}')`;
    await tamper(database, [
      `UPDATE movement_rows SET amount = amount + 10 WHERE position = 0 AND ${ofFirst}`,
      `UPDATE movement_rows SET balance = balance + 10 WHERE ${ofFirst}`,
    ]);
    expect(await wrong()).to.deep.equal([
      {
        account: first!.account,
        height: 0,
        block: readKeyBlock(recordedGenerations(OF)[0]!.keyBlock).hash,
        amount: -10n,
      },
    ]);
    await tamper(database, [
      `UPDATE movement_rows SET amount = amount - 10 WHERE position = 0 AND ${ofFirst}`,
      `UPDATE movement_rows SET balance = balance - 10 WHERE ${ofFirst}`,
    ]);
    expect(await movementDump(database)).to.deep.equal(whole);
  });

  it('are those of another network that has lists', async () => {
    await writeMovements(database, 'ae_uat', RULES);
    const amounts = (await stored()).map((row) => ({ amount: BigInt(row.split(' ')[3]!) }));
    expect(sumOf(amounts)).to.equal(presetsBelow('ae_uat', 1 << 29));
    await writeMovements(database, NETWORK, RULES);
    expect(await movementDump(database)).to.deep.equal(whole);
  });
});
