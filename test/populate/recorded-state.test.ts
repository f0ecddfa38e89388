import { expect } from 'chai';
import { asciiName, nameHash } from '../../src/chain/protocol/ids.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { Json } from '../../src/chain/encoding/json.js';
import { heightOf } from '../../src/chain/position.js';
import type { Database } from '../../src/store/connection/database.js';
import { syncContext, syncFully } from '../support/copy.js';
import { emptyCopy } from '../support/roles.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedNode } from '../support/recorded-node.js';
import { recording } from '../support/recording.js';

type Members = Record<string, Json>;

interface NameRow {
  position: string;
  name: string;
  name_hash: string;
  owner: string;
  expires_at: string;
  auction_end_height: string;
  pointers: string | null;
  winning_bid: string | null;
  winning_bidder: string | null;
  bid_position: string;
  active: boolean;
  running: boolean;
}

/** Recorded answers below a path, by the last part of it. */
function answers(path: string): [id: string, status: number, body: Members][] {
  const pattern = new RegExp(`^GET /v2/${path}/([^/?]+)$`);
  return [...recording()].flatMap(([request, { status, body }]) => {
    const id = pattern.exec(request)?.[1];
    return id === undefined ? [] : [[decodeURIComponent(id), status, parseExact(body) as Members]];
  });
}

/** The digits of an integer member, however long. */
const digitsOf = (body: Members, member: string): string => (body[member] as bigint).toString();

describe('the tables of the recorded chain have the state of the real node at its head', () => {
  let server: TestDatabase;
  let database: Database;

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, recordedNode()));
  });

  after(async () => {
    await database.close();
    await server.drop();
  });

  const rows = async <Row extends object>(table: string): Promise<Row[]> =>
    (await database.query<Row>({ name: `test.${table}`, text: `SELECT * FROM ${table}` })).rows;

  /** The newest row of each name, by the name's hash. */
  const newestNames = async (): Promise<Map<string, NameRow>> => {
    const all = await rows<NameRow>('names');
    all.sort((a, b) => Number(BigInt(a.position) - BigInt(b.position)));
    return new Map(all.map((row) => [row.name_hash, row]));
  };

  it('of every name: owner, expiry, pointers, and whether it is active', async () => {
    const names = await newestNames();
    const seen = answers('names');
    for (const [name, status, body] of seen) {
      const row = names.get(nameHash(name));
      expect(row?.active ?? false, name).to.equal(status === 200);
      if (row === undefined || status !== 200) continue;
      expect(row.name_hash).to.equal(body['id']);
      expect(row).to.include({ owner: body['owner'], expires_at: digitsOf(body, 'ttl') });
      expect(asciiName(row.name)).to.equal(asciiName(name));
      // The node reverses the order of the list each time it prints it.
      const pointers = row.pointers === null ? [] : (parseExact(row.pointers) as Json[]);
      expect(pointers).to.have.deep.members(body['pointers'] as Json[]);
    }
    expect(seen.filter(([, status]) => status === 200)).to.have.length.above(5);
  });

  it('of every auction: whether it runs, its end, bid and bidder', async () => {
    const names = await newestNames();
    const seen = answers('auctions');
    for (const [name, status, body] of seen) {
      const row = names.get(nameHash(name));
      expect(row?.running ?? false, name).to.equal(status === 200);
      if (row === undefined || status !== 200) continue;
      expect(row).to.include({
        auction_end_height: digitsOf(body, 'ends_at'),
        winning_bidder: body['highest_bidder'],
        winning_bid: digitsOf(body, 'highest_bid'),
        name_hash: body['id'],
      });
      // The node means the start of the last bid.
      expect(heightOf(BigInt(row.bid_position))).to.equal(body['started_at']);
    }
    expect(seen.filter(([, status]) => status === 200)).to.have.length(2);
  });

  it('of every oracle that a transaction registered: its expiry, and whether it is active', async () => {
    const found = new Map(answers('oracles').map(([id, status, body]) => [id, { status, body }]));
    const oracles = await rows<{ id: string; expires_at: string; active: boolean }>('oracles');
    expect(oracles).to.have.length(3);
    for (const { id, expires_at, active } of oracles) {
      const { status, body } = found.get(id)!;
      expect(active, id).to.equal(status === 200);
      if (status === 200) expect(expires_at).to.equal(digitsOf(body, 'ttl'));
    }
  });

  it('of every query that the node still has, asked by name too: whether it is answered', async () => {
    const queries = new Map(
      (await rows<{ id: string; response_position: string | null }>('oracle_queries')).map((row) => [row.id, row]),
    );
    let seen = 0;
    for (const { id } of await rows<{ id: string }>('oracles')) {
      for (const [query, status, body] of answers(`oracles/${id}/queries`)) {
        if (status !== 200) continue;
        seen += 1;
        const row = queries.get(query);
        expect(row, query).to.include({ id: query });
        expect(row!.response_position !== null).to.equal(body['response'] !== 'or_Xfbg4g==');
      }
    }
    expect(seen).to.equal(8);
  });

  it('of every channel: closed if the node no longer has it', async () => {
    const channels = new Map(
      (await rows<{ id: string; closed_position: string | null }>('channels')).map((row) => [row.id, row]),
    );
    const seen = answers('channels');
    for (const [id, status] of seen) {
      expect(channels.has(id), id).to.equal(true);
      if (status === 404) expect(channels.get(id)!.closed_position, id).to.not.equal(null);
    }
    expect(seen).to.have.length(13);
    expect([...channels.keys()]).to.have.members(seen.map(([id]) => id));
  });

  it('of every contract: that it was created', async () => {
    const contracts = (await rows<{ id: string }>('contracts')).map(({ id }) => id);
    for (const [id, status] of answers('contracts')) {
      expect(status).to.equal(200);
      expect(contracts).to.include(id);
    }
    expect(contracts.length).to.be.at.least(5);
  });
});
