/** Compares records of names, auctions and oracles with those of the node: effects inside contract calls are in no transaction. */
import { isObject, parseExact } from '../chain/encoding/json.js';
import type { NodePool } from '../node/pool.js';
import { readAuction, readName, readOracleEnd } from '../node/objects.js';
import { lastHash, readHead } from '../store/chain-state.js';
import { numberAndWake } from '../store/connection/commit-number.js';
import type { Queryable } from '../store/connection/database.js';
import { NODE_RECORD_KINDS, dueRecords, postponeRecords, recordsByEnd, saveCompared } from '../store/node-records.js';
import type { ComparedRecord, CopiedRecord, NodeDifference, WalkCursor } from '../store/node-records.js';
import { NEAR_GENERATIONS } from '../store/queries/node-records.js';
import type { NodeRecordKind } from '../store/queries/node-records.js';
import type { BesideOptions } from './beside.js';

/** Max records of a kind in a round that a stored row asks for, that end soon, and that the walk through all has come to. */
const EACH = 1;

const START: WalkCursor = { endsAt: 0n, position: -1n };

/** Where the walks through the records are. They begin again when the process starts: nothing is lost by asking again. */
interface Walks {
  soon: Record<NodeRecordKind, WalkCursor>;
  all: Record<NodeRecordKind, WalkCursor>;
}

export const newWalks = (): Walks => ({
  soon: { name: START, auction: START, oracle: START },
  all: { name: START, auction: START, oracle: START },
});

type CompareOptions = Pick<BesideOptions, 'database' | 'fence'> & { node: NodePool };

/**
 * Compares some records, and stores the results. `moved`: the node and the copy did not have the same head all the time, so nothing was
 * compared. `each`: max records of a kind, for each reason to ask.
 */
export async function compareSome(
  { database, node, fence }: CompareOptions,
  walks: Walks,
  each = EACH,
): Promise<'compared' | 'moved'> {
  const head = await readHead(database);
  if (head === null || (await node.headHash()) !== lastHash(head)) return 'moved';
  const records = await nextRecords(database, head.height, walks, each);
  if (records.length === 0) return 'compared';
  const compared: ComparedRecord[] = [];
  const unanswered: CopiedRecord[] = [];
  for (const record of records) {
    const found = await ASK[record.kind](node, record, head.height);
    if (found === undefined) unanswered.push(record);
    else compared.push(found);
  }
  if ((await node.headHash()) !== lastHash(head)) return 'moved';
  return database.transaction(async (tx) => {
    await fence(tx);
    const now = await readHead(tx);
    if (now === null || lastHash(now) !== lastHash(head)) return 'moved';
    await postponeRecords(tx, unanswered);
    if (await saveCompared(tx, head.height, compared)) await numberAndWake(tx);
    return 'compared';
  });
}

/** The records to ask about now. Advances the walks. */
async function nextRecords(db: Queryable, head: number, walks: Walks, each: number): Promise<CopiedRecord[]> {
  const records = new Map<string, CopiedRecord>();
  for (const kind of NODE_RECORD_KINDS) {
    const found = await dueRecords(db, kind, head, each);
    for (const [walk, until] of [
      [walks.soon, head + NEAR_GENERATIONS],
      [walks.all, null],
    ] as const) {
      const next = await recordsByEnd(db, kind, head, walk[kind], until, each);
      walk[kind] = next.length < each ? START : next.at(-1)!;
      found.push(...next);
    }
    for (const record of found) records.set(`${kind} ${record.position}`, record);
  }
  return [...records.values()];
}

/** What the node has of a record; undefined if it does not say it. */
type Ask = (node: NodePool, record: CopiedRecord, head: number) => Promise<ComparedRecord | undefined>;

/** Null if the name is not in auction, undefined if the node does not say it. */
const auctionOf = (node: NodePool, { name, id }: CopiedRecord) =>
  node.object(`/auctions/${encodeURIComponent(name!)}`, (text) => readAuction(text, id));

const NOTHING: NodeDifference = { owner: null, endsAt: null, pointers: null, bid: null };

const ASK: Record<NodeRecordKind, Ask> = {
  async name(node, record, head) {
    const found = await node.object(`/names/${encodeURIComponent(record.name!)}`, (text) => readName(text, record.id));
    if (found === undefined) return undefined;
    if (found === null) {
      // A bid inside a call may have prolonged its auction.
      const auction = await auctionOf(node, record);
      if (auction === undefined) return undefined;
      if (auction === null) return { record, differs: gone(head) };
      const owner = auction.bidder === record.owner ? null : auction.bidder;
      return { record, differs: orNull({ ...NOTHING, owner }) };
    }
    const { owner = record.owner, endsAt, pointers } = found;
    const differs = {
      ...NOTHING,
      owner: owner === record.owner ? null : owner,
      endsAt: endsAt === record.endsAt ? null : endsAt,
      pointers: pointersKey(pointers) === pointersKey(record.pointers ?? '[]') ? null : pointers,
    };
    return { record, differs: orNull(differs) };
  },
  async auction(node, record) {
    const found = await auctionOf(node, record);
    // Nothing ends an auction before its time: that the node has none does not say who would win it.
    if (found == null) return undefined;
    const differs = {
      ...NOTHING,
      owner: found.bidder === record.owner ? null : found.bidder,
      endsAt: found.endsAt === record.endsAt ? null : found.endsAt,
      bid: found.bid === record.bid ? null : found.bid,
    };
    return { record, differs: orNull(differs) };
  },
  async oracle(node, record, head) {
    const endsAt = await node.object(`/oracles/${record.id}`, (text) => readOracleEnd(text, record.id));
    if (endsAt === undefined) return undefined;
    if (endsAt === null) return { record, differs: gone(head) };
    return { record, differs: orNull({ ...NOTHING, endsAt: endsAt === record.endsAt ? null : endsAt }) };
  },
};

/** The node does not have the object any more: it ended at this height or before. */
const gone = (head: number): NodeDifference => ({ ...NOTHING, endsAt: BigInt(head) });

const orNull = (differs: NodeDifference): NodeDifference | null =>
  Object.values(differs).every((value) => value === null) ? null : differs;

/** Keys and ids of pointers: nodes print them in another order than transactions, and newer ones with more members. */
function pointersKey(text: string): string {
  const pointers = parseExact(text);
  if (!Array.isArray(pointers)) return text;
  return JSON.stringify(
    pointers.map((pointer) => (isObject(pointer) ? [pointer['key'], pointer['id']] : pointer)).sort(),
  );
}
