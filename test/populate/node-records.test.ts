import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import { nameHash } from '../../src/chain/protocol/ids.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { compareSome, newWalks } from '../../src/populate/compare-records.js';
import { replaceHeights } from '../../src/populate/heights.js';
import type { Database } from '../../src/store/connection/database.js';
import { testApi } from '../support/api.js';
import type { TestApi } from '../support/api.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { closeDevnodes, open } from '../support/devnode.js';
import { logicalDump } from '../support/dump.js';
import { reply, startServer } from '../support/http-server.js';
import { startPopulating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recorded } from '../support/recording.js';
import { replayServer } from '../support/replay-server.js';
import { emptyCopy, tamper } from '../support/roles.js';
import { madeHash } from '../support/seed.js';

const OF = 'realnode-tokens';
/** The last bid of this auction was made inside a contract call. */
const BY_CALL = 'callauc23ll.chain';
const MALLORY = madeHash('ak', 'mallory');
const ALL = 1_000;

type Pointers = { key: string; id: string }[];
interface NameRecord {
  name: string;
  name_hash: string;
  tx_hash: string;
  created_at_height: number;
  auction_end_height: number;
  owner: string;
  expires_at: number;
  pointers: Pointers | null;
  source?: string;
}
interface Auction {
  name: string;
  expiration: number;
  winning_bid: string;
  winning_bidder: string;
  source?: string;
}
interface Oracle {
  oracle_id: string;
  block_height: number;
  expires_at: number;
  source?: string;
}

/** An answer of the node that is sent instead of its own; undefined: its own. */
type Alter = (path: string, own: string) => { status: number; body: string } | undefined;

const sorted = (pointers: Pointers | null): string[] => (pointers ?? []).map(({ key, id }) => `${key} ${id}`).sort();
const GONE = { status: 404, body: '{"reason":"Name revoked"}' };

/** Alters the answers to one path. */
const at =
  (wanted: string, change: (own: string) => string): Alter =>
  (path, own) =>
    path.endsWith(wanted) ? { status: 200, body: change(own) } : undefined;

describe('records that contract calls changed', () => {
  let server: TestDatabase;
  let copies = 0;
  const closing: (() => Promise<void> | void)[] = [];
  before(async () => (server = await testDatabase()));
  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) await close();
    await closeDevnodes();
  });
  after(() => server.drop());

  interface Compared {
    database: Database;
    api: TestApi;
    /** Compares with all records, those with stored rows, too. */
    compare(): Promise<string>;
    sync(): Promise<void>;
    names(path?: string): Promise<NameRecord[]>;
    auctions(): Promise<Auction[]>;
    oracles(): Promise<Oracle[]>;
    rows(): Promise<string[]>;
    commits(): Promise<unknown>;
    replace(height: number): Promise<unknown>;
  }

  async function copyOf(url: string): Promise<Compared> {
    const database = await emptyCopy(server.url, `copy_${++copies}`);
    const node = nodeAt(url, { api: 'v3', retries: [] });
    const context = syncContext(database, node);
    const fence = (): Promise<void> => Promise.resolve();
    await syncFully(context);
    const api = await testApi(database, { nodeUrls: [url] });
    closing.push(
      () => database.close(),
      () => node.close(),
      () => api.close(),
    );
    // Servers hear of a commit a moment later, and cache an address from its second request on.
    let limit = 1_000;
    const read = async <T>(path: string): Promise<T> =>
      parseExact((await api.get(`${path}?limit=${limit++}`)).body) as T;
    return {
      database,
      api,
      async compare() {
        await tamper(database, 'UPDATE node_records SET due_at = now()');
        return compareSome({ database, node, fence }, newWalks(), ALL);
      },
      sync: () => syncFully(context),
      names: (path = '/middleware/names') => read(path),
      auctions: () => read('/middleware/names/auctions/active'),
      oracles: () => read('/middleware/oracles/list'),
      async rows() {
        const text = 'SELECT kind, position FROM node_records WHERE differs ORDER BY kind, position';
        const { rows } = await database.query<{ kind: string; position: string }>({ name: 'test.rows', text });
        return rows.map(({ kind, position }) => `${kind} ${position}`);
      },
      async commits() {
        return (await database.query({ name: 'test.commits', text: 'SELECT epoch, commits FROM writer' })).rows[0];
      },
      replace: (height) => replaceHeights({ database, node, heights: [{ from: height, to: height }] }),
    };
  }

  /** A simulated node, some of whose answers are altered. */
  async function simulated(seed: string): Promise<{ devnode: Devnode; url: string; answer(alter?: Alter): void }> {
    const devnode = await open({
      source: { generate: { seed, generations: 40, txsPerGeneration: 16, accounts: 12 } },
    });
    let alter: Alter | undefined;
    const node = await startServer(async ({ url: path }, response) => {
      const own = await fetch(devnode.externalUrl + path!);
      const body = await own.text();
      const { status, body: sent } = alter?.(path!, body) ?? { status: own.status, body };
      reply(response, status, sent);
    });
    closing.push(() => node.close());
    return { devnode, url: node.url, answer: (next) => void (alter = next) };
  }

  const marked = (records: readonly { name: string; source?: string }[]): string[] =>
    records.flatMap(({ name, source }) => (source === undefined ? [] : [`${name} ${source}`]));
  const only = <T>(records: readonly T[], is: (record: T) => boolean): T => {
    const [one, ...more] = records.filter(is);
    expect(more).to.deep.equal([]);
    return one!;
  };
  const active = '/middleware/names/active';

  it('are served as the recorded node has them: each listed name has its owner, end and pointers', async () => {
    const node = await replayServer(OF);
    closing.push(() => node.close());
    const copy = await copyOf(node.url);
    const differing = (served: readonly NameRecord[]): string[] =>
      served
        .filter(({ name, owner, expires_at, pointers }) => {
          const of = JSON.parse(recorded(`/v3/names/${name}`, OF)) as {
            owner: string;
            ttl: number;
            pointers: Pointers;
          };
          return (
            owner !== of.owner || expires_at !== of.ttl || String(sorted(pointers)) !== String(sorted(of.pointers))
          );
        })
        .map(({ name }) => name);
    const before = await copy.names(active);
    expect(differing(before)).to.deep.equal([BY_CALL]);
    expect(marked(before)).to.deep.equal([]);

    expect(await copy.compare()).to.equal('compared');
    const after = await copy.names(active);
    expect(after.map(({ name }) => name)).to.deep.equal(before.map(({ name }) => name));
    expect(differing(after)).to.deep.equal([]);
    expect(marked(after)).to.deep.equal([`${BY_CALL} node`]);
    // Who won is known, but no node can be asked about an auction that is over.
    const { info } = JSON.parse((await copy.api.get(`/middleware/names/auctions/${BY_CALL}/info`)).body) as {
      info: Auction;
    };
    expect(info.source).to.equal('unknown');
    const { body } = await copy.api.get('/middleware/status');
    expect(JSON.parse(body)).to.include({ records_of_node: 1 });
  });

  it('are compared by a populator at the head, with few requests, and counted', async () => {
    const node = await replayServer(OF);
    closing.push(() => node.close());
    const populating = await startPopulating(server, 'populating', [node.url], { timeoutMs: 5_000 });
    await populating.at((JSON.parse(recorded('/v2/key-blocks/current', OF)) as { hash: string }).hash);
    const asked = (): string[] => node.asked.filter((path) => /^\/(names|auctions|oracles)\//.test(path));
    await eventually(
      () => Promise.resolve(asked()),
      (paths) => paths.length > 1,
    );
    const counts = await eventually(
      async () => (await populating.metrics.differingRecords.get()).values.length,
      (kinds) => kinds === 3,
    );
    expect(counts).to.equal(3);
    // A name and an auction: no oracle is active.
    expect(asked()).to.have.length.below(5);
    await populating.stop();
  });

  it('do not exist on an honest node without such calls, at any height, and what ended before is unknown', async () => {
    const { devnode, url } = await simulated('honest');
    const copy = await copyOf(url);
    const started = devnode.height();
    for (let round = 0; round < 25; round++) {
      expect(await copy.compare()).to.equal('compared');
      expect(await copy.rows(), `at ${devnode.height()}`).to.deep.equal([]);
      if (round % 6 === 5) await devnode.fork({ depth: 2, grow: 3, retainTxs: 'some', txsPerGeneration: 12 });
      else await devnode.grow(1, { txsPerGeneration: 16 });
      await copy.sync();
    }
    // What ended before could not be compared.
    const names = await copy.names();
    const ended = names.filter(({ expires_at }) => expires_at < started);
    expect(ended).to.not.be.empty;
    expect(ended.every(({ source }) => source === 'unknown')).to.equal(true);
    expect(marked(names).filter((one) => !one.endsWith(' unknown'))).to.deep.equal([]);
  });

  it('are certain after their end if they were compared shortly before it, and unknown otherwise', async () => {
    const { devnode, url, answer } = await simulated('ending');
    const copy = await copyOf(url);
    const height = devnode.height();
    const [first, second, third, fourth] = (await copy.names(active)).filter(
      (one) => one.auction_end_height < height - 1,
    );
    const endAt = async ({ tx_hash }: NameRecord, end: number): Promise<void> =>
      tamper(copy.database, `UPDATE names SET expires_at = ${end} WHERE tx_hash = '${tx_hash}'`);
    const ends = new Map([
      [first!.name, height + 3],
      [third!.name, height + 22],
      [fourth!.name, 999_999],
    ]);
    answer((path, own) => {
      const end = ends.get(decodeURIComponent(path.split('/').at(-1)!));
      return end === undefined ? undefined : { status: 200, body: own.replace(/"ttl":\d+/, `"ttl":${end}`) };
    });
    await endAt(first!, height + 3);
    await endAt(third!, height + 22);
    await endAt(fourth!, height + 3);
    await copy.compare();
    expect(await copy.rows()).to.have.length(1);
    // The second is not compared after this change.
    await endAt(second!, height + 3);
    await devnode.grow(23, { txsPerGeneration: 0 });
    await copy.sync();
    let records = await copy.names();
    const recordOf = (one: NameRecord): NameRecord => only(records, ({ tx_hash }) => tx_hash === one.tx_hash);
    expect([first!, second!, third!].map((one) => recordOf(one).source)).to.deep.equal([
      undefined,
      'unknown',
      'unknown',
    ]);
    // It has not ended on the node, which is still asked.
    expect(recordOf(fourth!)).to.include({ expires_at: 999_999, source: 'node' });
    ends.set(fourth!.name, 888_888);
    await copy.compare();
    records = await copy.names();
    expect(recordOf(fourth!)).to.include({ expires_at: 888_888, source: 'node' });
  });

  it('are those of the node in every member, marked, and of transactions alone when both agree again', async () => {
    const { devnode, url, answer } = await simulated('altered2');
    const copy = await copyOf(url);
    const height = devnode.height();
    const facts = await logicalDump(copy.database);
    const honest = { names: await copy.names(), auctions: await copy.auctions(), oracles: await copy.oracles() };
    const live = await copy.names(active);
    const { name } = live.find(
      (one) => one.auction_end_height < height - 1 && one.expires_at > height + 100 && (one.pointers?.length ?? 0) > 0,
    )!;
    const auction = honest.auctions.find(({ expiration }) => expiration > height)!;
    const oracle = honest.oracles.find(({ expires_at }) => expires_at > height)!;
    const ofName = `/names/${encodeURIComponent(name)}`;
    const ofAuction = `/auctions/${encodeURIComponent(auction.name)}`;

    const compared = async (alter: Alter | undefined): Promise<typeof honest> => {
      answer(alter);
      expect(await copy.compare()).to.equal('compared');
      return { names: await copy.names(), auctions: await copy.auctions(), oracles: await copy.oracles() };
    };
    const withName = (changes: Partial<NameRecord>): typeof honest => ({
      ...honest,
      names: honest.names.map((one) =>
        one === honest.names.find(isIt) ? { ...one, ...changes, source: 'node' } : one,
      ),
    });
    const isIt = ({ tx_hash }: NameRecord): boolean => tx_hash === live.find((one) => one.name === name)!.tx_hash;
    const commits = await copy.commits();
    expect(await compared(undefined)).to.deep.equal(honest);
    expect(await copy.commits(), 'nothing changed').to.deep.equal(commits);

    const pointers = [{ key: 'account_pubkey', id: MALLORY }];
    const member = (of: string, value: string) => (own: string) =>
      own.replace(new RegExp(`("${of}":)("[^"]*"|\\d+)`), `$1${value}`);
    expect(await compared(at(ofName, member('owner', `"${MALLORY}"`)))).to.deep.equal(withName({ owner: MALLORY }));
    expect(await copy.commits(), 'servers are notified').to.not.deep.equal(commits);
    expect(await compared(at(ofName, member('ttl', '999999')))).to.deep.equal(withName({ expires_at: 999_999 }));
    const pointed = at(ofName, (own) => own.replace(/"pointers":\[.*\]/, `"pointers":${JSON.stringify(pointers)}`));
    const differently = await compared(pointed);
    expect(only(differently.names, isIt)).to.deep.equal({ ...only(honest.names, isIt), pointers, source: 'node' });
    expect(await compared((path) => (path.endsWith(ofName) ? GONE : undefined))).to.deep.equal(
      withName({ expires_at: height }),
    );
    expect(await compared(undefined)).to.deep.equal(honest);

    // A bid inside a call prolonged its auction: the node does not have the name yet.
    const prolonged = {
      ends_at: height + 9,
      highest_bid: 5,
      highest_bidder: MALLORY,
      id: nameHash(name),
      started_at: height,
    };
    const inAuction: Alter = (path) =>
      path.endsWith(ofName)
        ? GONE
        : path.endsWith(`/auctions/${encodeURIComponent(name)}`)
          ? { status: 200, body: JSON.stringify(prolonged) }
          : undefined;
    expect(await compared(inAuction)).to.deep.equal(withName({ owner: MALLORY }));
    expect(await compared(undefined)).to.deep.equal(honest);

    const ofBidder = await compared(
      at(ofAuction, (own) =>
        [
          member('highest_bidder', `"${MALLORY}"`),
          member('highest_bid', '123456789012345678901234567890'),
          member('ends_at', '888888'),
        ].reduce((text, change) => change(text), own),
      ),
    );
    expect(only(ofBidder.auctions, (one) => one.name === auction.name)).to.deep.equal({
      name: auction.name,
      expiration: 888_888,
      winning_bid: '123456789012345678901234567890',
      winning_bidder: MALLORY,
      source: 'node',
    });
    expect(ofBidder.auctions.at(-1)!.name, 'sorted by the end that is served').to.equal(auction.name);
    const record = only(ofBidder.names, (one) => one.name === auction.name && one.source === 'node');
    expect(record).to.include({ owner: MALLORY, auction_end_height: 888_888 });
    expect(await compared(undefined)).to.deep.equal(honest);

    const ofOracle = (one: Oracle): boolean => one.oracle_id === oracle.oracle_id;
    const path = `/oracles/${oracle.oracle_id}`;
    for (const [alter, expires_at] of [
      [at(path, member('ttl', '777777')), 777_777],
      [
        (asked: string) => (asked.endsWith(path) ? { status: 404, body: '{"reason":"Oracle not found"}' } : undefined),
        height,
      ],
    ] as const) {
      const { oracles } = await compared(alter);
      expect(only(oracles, ofOracle)).to.deep.equal({ ...oracle, expires_at, source: 'node' });
    }
    expect(await compared(undefined)).to.deep.equal(honest);
    expect(await copy.rows()).to.deep.equal([]);
    // Whatever a node says about its records, what is proven stays.
    expect(await logicalDump(copy.database)).to.deep.equal(facts);
  });

  it('are not changed by a node that fails, answers something else or has another head', async () => {
    const { devnode, url, answer } = await simulated('failing');
    const copy = await copyOf(url);
    const honest = [await copy.names(), await copy.auctions(), await copy.oracles()];
    const objects = /\/(names|auctions|oracles)\//;
    const always =
      (status: number, body: string): Alter =>
      (path) =>
        objects.test(path) ? { status, body } : undefined;
    const replaced =
      (what: RegExp, by: string): Alter =>
      (path, own) =>
        objects.test(path) ? { status: 200, body: own.replace(what, by) } : undefined;
    const ways: Record<string, Alter> = {
      'an error': always(500, '{"reason":"Internal server error"}'),
      busy: always(503, ''),
      'an unknown path': always(404, ''),
      'a proxy': always(404, '<html>not found</html>'),
      'no JSON': always(200, '<html></html>'),
      'another value': always(200, '[]'),
      'another object': replaced(/"id":"\w+"/, `"id":"${madeHash('ak', 'other')}"`),
      'an owner that is none': replaced(/"(owner|highest_bidder)":"\w+"/, '"$1":"ak_1\\u0000"'),
      'an end that is none': replaced(/"(ttl|ends_at)":\d+/, '"$1":123456789012345678901234567890'),
      'pointers that are none': replaced(/"pointers":\[.*\]/, '"pointers":[{"key":"a","id":7}],"ttl":-1'),
    };
    for (const [way, alter] of Object.entries(ways)) {
      answer(alter);
      expect(await copy.compare(), way).to.equal('compared');
      // Not all ways alter each object: an oracle has no owner.
      expect([await copy.names(), await copy.auctions(), await copy.oracles()], way).to.deep.equal(honest);
      expect(await copy.rows(), way).to.deep.equal([]);
    }
    answer(replaced(/"(owner|highest_bidder)":"\w+"/, `"$1":"${MALLORY}"`));
    await devnode.mineKeyBlock();
    expect(await copy.compare()).to.equal('moved');
    expect(await copy.rows()).to.deep.equal([]);
  });

  it('stay through a reload of their heights, and are unknown after a reorg or a new transaction until they are compared again', async () => {
    const { devnode, url, answer } = await simulated('reorg');
    const copy = await copyOf(url);
    answer((path, own) =>
      path.includes('/names/')
        ? { status: 200, body: own.replace(/"owner":"\w+"/, `"owner":"${MALLORY}"`) }
        : undefined,
    );
    await copy.compare();
    const before = (await copy.names()).filter(({ source }) => source === 'node');
    expect(before.map(({ owner }) => owner)).to.include(MALLORY);
    const one = before.find(({ created_at_height }) => created_at_height < devnode.height() - 8)!;
    const now = async (): Promise<NameRecord> => only(await copy.names(), ({ tx_hash }) => tx_hash === one.tx_hash);

    await copy.replace(one.created_at_height);
    expect(await now()).to.deep.equal(one);

    await devnode.fork({ depth: 2, grow: 3, txsPerGeneration: 0 });
    await copy.sync();
    const after = await now();
    expect(after).to.include({ source: 'unknown' });
    expect(after.owner).to.not.equal(MALLORY);
    await copy.compare();
    expect(await now()).to.include({ owner: MALLORY, source: 'node' });

    await tamper(copy.database, `UPDATE names SET expires_at = expires_at + 5 WHERE tx_hash = '${one.tx_hash}'`);
    expect(await now()).to.include({ source: 'unknown' });
    await devnode.fork({
      depth: devnode.height() - one.created_at_height + 1,
      grow: 60,
      retainTxs: 'none',
      txsPerGeneration: 0,
    });
    await copy.sync();
    expect((await copy.names()).filter(({ tx_hash }) => tx_hash === one.tx_hash)).to.deep.equal([]);
    expect(await copy.rows()).to.satisfy((rows: string[]) =>
      rows.every((row) => BigInt(row.split(' ')[1]!) >> 33n < BigInt(one.created_at_height)),
    );
  });
});
