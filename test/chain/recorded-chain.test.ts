import { expect } from 'chai';
import { applyChannel } from '../../src/chain/channels.js';
import type { ChannelRecord } from '../../src/chain/channels.js';
import { derive } from '../../src/chain/derive.js';
import { readGeneration, readMicroBlock } from '../../src/chain/facts.js';
import type { Transaction } from '../../src/chain/facts.js';
import { asciiName, nameHash } from '../../src/chain/ids.js';
import { parseExact } from '../../src/chain/json.js';
import type { Json } from '../../src/chain/json.js';
import { accountPointer, applyName, isActive } from '../../src/chain/names.js';
import type { NameRecord } from '../../src/chain/names.js';
import { objectIds } from '../../src/chain/objects.js';
import { applyOracle, applyQuery, isOracleActive } from '../../src/chain/oracles.js';
import type { OracleRecord, QueryRecord } from '../../src/chain/oracles.js';
import { heightOf, txPosition } from '../../src/chain/position.js';
import { recordedGenerations, recordedInfo, recording } from '../support/recording.js';

const TOP = 214;
type Members = Record<string, Json>;

/** The recorded transactions, one after the other, each with its effects on names, oracles, channels and contracts. */
function fold() {
  const names = new Map<string, NameRecord[]>();
  const oracles = new Map<string, OracleRecord>();
  const queries = new Map<string, QueryRecord>();
  const channels = new Map<string, ChannelRecord>();
  const contracts = new Set<string>();
  const invalid: string[] = [];
  const all: Transaction[] = [];

  for (const { generation, microBlocks } of recordedGenerations()) {
    const { height, version } = readGeneration(generation).keyBlock;
    microBlocks.forEach(({ header, transactions }, micro) => {
      readMicroBlock(header, transactions).transactions.forEach((read, index) => {
        const transaction = { ...read, info: read.type === 'GAMetaTx' ? recordedInfo(read.hash) : null };
        const at = { position: txPosition(height, micro + 1, index), height, version, txHash: read.hash };
        const { valid, operations } = derive(transaction);
        all.push(transaction);
        if (!valid) invalid.push(read.hash);
        for (const op of operations) {
          if (op.on === 'name') {
            const resolve = (nm: string) => {
              const record = names.get(nm)?.at(-1);
              return record && isActive(record, height) ? accountPointer(record) : undefined;
            };
            names.set(op.name_hash, applyName(names.get(op.name_hash) ?? [], op, at, resolve));
          } else if (op.on === 'oracle') set(oracles, op.id, applyOracle(oracles.get(op.id), op, at));
          else if (op.on === 'query') set(queries, op.id, applyQuery(queries.get(op.id), op, at));
          else if (op.on === 'channel') set(channels, op.id, applyChannel(channels.get(op.id), op, at));
          else if (op.op === 'create') contracts.add(op.id);
        }
      });
    });
  }
  return { names, oracles, queries, channels, contracts, invalid, all };
}

function set<Record>(into: Map<string, Record>, id: string, record: Record | undefined): void {
  if (record !== undefined) into.set(id, record);
}

/** Recorded answers below a path, by the last part of it. */
function answers(path: string): [id: string, status: number, body: Members][] {
  const pattern = new RegExp(`^GET /v2/${path}/([^/?]+)$`);
  return [...recording()].flatMap(([request, { status, body }]) => {
    const id = pattern.exec(request)?.[1];
    return id === undefined ? [] : [[decodeURIComponent(id), status, parseExact(body) as Members]];
  });
}

describe('the state of the recorded chain, from its transactions', () => {
  const { names, oracles, queries, channels, contracts, invalid, all } = fold();

  it('leaves no transaction out', () => {
    expect(all).to.have.length(444);
    expect(invalid).to.deep.equal([]);
  });

  it('has every name as the node has it', () => {
    const seen = answers('names');
    for (const [name, status, body] of seen) {
      const record = names.get(nameHash(name))?.at(-1);
      if (status !== 200) {
        expect(record && isActive(record, TOP), name).to.not.equal(true);
        continue;
      }
      expect(body['id']).to.equal(nameHash(name));
      expect(record, name).to.include({ owner: body['owner'], expiresAt: body['ttl'], nameHash: body['id'] });
      expect(asciiName(record!.name)).to.equal(asciiName(name));
      expect(isActive(record!, TOP)).to.equal(true);
      // The node turns the list round each time it prints it.
      const pointers = record!.pointers === null ? [] : (parseExact(record!.pointers) as Json[]);
      expect(pointers).to.have.deep.members(body['pointers'] as Json[]);
    }
    expect(seen.filter(([, status]) => status === 200)).to.have.length.above(5);
  });

  it('has every auction as the node has it', () => {
    const seen = answers('auctions');
    for (const [name, status, body] of seen) {
      const record = names.get(nameHash(name))?.at(-1);
      const running = record !== undefined && record.auctionEndHeight > TOP && record.revokedAt === null;
      expect(running, name).to.equal(status === 200);
      if (status !== 200) continue;
      expect(record).to.include({
        auctionEndHeight: body['ends_at'],
        winningBidder: body['highest_bidder'],
        nameHash: body['id'],
      });
      // The node means the start of the last bid.
      expect(heightOf(record!.bidPosition)).to.equal(body['started_at']);
      expect(record!.winningBid).to.equal(BigInt(body['highest_bid'] as number | bigint));
    }
    expect(seen.filter(([, status]) => status === 200)).to.have.length(2);
  });

  it('has every oracle that a transaction registered as the node has it', () => {
    const found = new Map(answers('oracles').map(([id, status, body]) => [id, { status, body }]));
    expect(oracles.size).to.equal(3);
    for (const [id, record] of oracles) {
      const { status, body } = found.get(id)!;
      expect(isOracleActive(record, TOP)).to.equal(status === 200);
      if (status === 200) expect(record.expiresAt).to.equal(body['ttl']);
    }
  });

  it('knows every question that the node still has, asked by name too, and whether it is answered', () => {
    let seen = 0;
    for (const id of oracles.keys()) {
      for (const [query, status, body] of answers(`oracles/${id}/queries`)) {
        if (status !== 200) continue;
        seen += 1;
        expect(queries.get(query), query).to.include({ id: query });
        expect(queries.get(query)!.responsePosition !== null).to.equal(body['response'] !== 'or_Xfbg4g==');
      }
    }
    expect(seen).to.equal(8);
  });

  it('knows every channel, and has those closed that the node no longer has', () => {
    const seen = answers('channels');
    for (const [id, status] of seen) {
      expect(channels.get(id), id).to.include({ id });
      if (status === 404) expect(channels.get(id)!.closedPosition).to.not.equal(null);
    }
    expect(seen).to.have.length(13);
    expect([...channels.keys()]).to.have.members(seen.map(([id]) => id));
  });

  it('knows every contract', () => {
    for (const [id, status] of answers('contracts')) {
      expect(status).to.equal(200);
      expect(contracts.has(id), id).to.equal(true);
    }
    expect(contracts.size).to.be.at.least(5);
  });

  it('tells every account of a transaction among its objects', () => {
    for (const transaction of all) {
      const ids = objectIds(transaction);
      expect(ids.has(transaction.hash)).to.equal(true);
      for (const { kind, id } of derive(transaction).lists) if (kind !== 2) expect(ids.has(id), id).to.equal(true);
    }
  });
});
