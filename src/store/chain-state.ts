import { isObject, parsePlain } from '../chain/encoding/json.js';
import type { Fork } from '../chain/networks.js';
import { consensusOf } from '../chain/protocol/generations.js';
import type { Consensus } from '../chain/protocol/generations.js';
import { TARGETS_READ, workOf } from './work.js';
import type { Queryable } from './connection/database.js';

/** The highest stored generation, which may be incomplete. */
export interface StoredHead {
  height: number;
  /** Hash of its key block. */
  hash: string;
  version: number;
  /** Hashes of its stored micro blocks, oldest first. */
  microHashes: string[];
  /** Age of its key block by the clock of the database, ms. */
  age: number;
}

/** Hash of the last stored block, which the next block must have as `prev_hash`. */
export const lastHash = (head: StoredHead): string => head.microHashes.at(-1) ?? head.hash;

/** The highest stored generation; null when nothing is stored. */
export async function readHead(db: Queryable): Promise<StoredHead | null> {
  const { rows } = await db.query<{
    height: string;
    hash: string;
    version: number;
    micro_hashes: string[];
    age: string;
  }>({
    name: 'chain.head',
    text: `
      SELECT k.height, k.hash, k.version, (extract(epoch FROM now()) * 1000)::bigint - k.time AS age,
        ARRAY(SELECT m.hash FROM micro_blocks m WHERE m.position >= k.height << 33 ORDER BY m.position) AS micro_hashes
      FROM key_blocks k ORDER BY k.height DESC LIMIT 1`,
  });
  const row = rows[0];
  if (row === undefined) return null;
  const { hash, version } = row;
  return { height: Number(row.height), hash, version, microHashes: row.micro_hashes, age: Number(row.age) };
}

/** Height of the highest stored generation; null when nothing is stored. */
export async function headHeight(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ height: string }>({
    name: 'chain.head-height',
    text: 'SELECT height FROM key_blocks ORDER BY height DESC LIMIT 1',
  });
  return rows[0] === undefined ? null : Number(rows[0].height);
}

/** Micro block hashes of a stored generation, oldest first. */
export async function microHashesAt(db: Queryable, height: number): Promise<string[]> {
  const { rows } = await db.query<{ hash: string }>({
    name: 'chain.micro-hashes',
    text: `
      SELECT hash FROM micro_blocks
      WHERE position >= $1::bigint << 33 AND position < ($1::bigint + 1) << 33 ORDER BY position`,
    values: [height],
  });
  return rows.map((row) => row.hash);
}

interface StoredKeyBlock {
  hash: string;
  prevHash: string;
  prevKeyHash: string;
  version: number;
  target: bigint;
}

export async function storedKeyBlock(db: Queryable, height: number): Promise<StoredKeyBlock | null> {
  const { rows } = await db.query<{
    hash: string;
    prev_hash: string;
    prev_key_hash: string;
    version: number;
    target: string;
  }>({
    name: 'chain.key-block',
    text: 'SELECT hash, prev_hash, prev_key_hash, version, target FROM key_block_texts WHERE height = $1',
    values: [height],
  });
  const row = rows[0];
  if (row === undefined) return null;
  return {
    hash: row.hash,
    prevHash: row.prev_hash,
    prevKeyHash: row.prev_key_hash,
    version: row.version,
    target: BigInt(row.target),
  };
}

interface StoredKeyHeader {
  height: number;
  hash: string;
  prevKeyHash: string;
  target: number;
  /** Milliseconds since 1970. */
  time: number;
  version: number;
  consensus: Consensus | undefined;
}

/** The stored key blocks of the `count` heights directly below `height`, ascending. */
export async function keyHeadersBelow(db: Queryable, height: number, count: number): Promise<StoredKeyHeader[]> {
  const { rows } = await db.query<
    Record<'height' | 'hash' | 'prev_key_hash' | 'target' | 'time' | 'body', string> & { version: number }
  >({
    name: 'chain.key-headers',
    text: `
      SELECT height, hash, prev_key_hash, target, time, version, body FROM key_block_texts
      WHERE height < $1 AND height >= $1 - $2 ORDER BY height`,
    values: [height, count],
  });
  return rows.map(({ hash, version, ...row }) => ({
    height: Number(row.height),
    hash,
    prevKeyHash: row.prev_key_hash,
    target: Number(row.target),
    time: Number(row.time),
    version,
    consensus: consensusIn(row.body),
  }));
}

function consensusIn(body: string): Consensus | undefined {
  const members = parsePlain(body);
  return isObject(members) ? consensusOf(members) : undefined;
}

/** Work of the stored key blocks above `height`, up to and including `upTo`. */
export async function workAbove(db: Queryable, height: number, upTo: number): Promise<bigint> {
  return workOf(async (after) => {
    const { rows } = await db.query<{ height: string; target: string }>({
      name: 'chain.targets',
      text: 'SELECT height, target FROM key_blocks WHERE height > $1 AND height <= $2 ORDER BY height LIMIT $3',
      values: [after, upTo, TARGETS_READ],
    });
    return rows;
  }, height);
}

/** Heights below the highest stored one that are not stored, as inclusive ranges, lowest first. */
export async function gaps(db: Queryable): Promise<{ from: number; to: number }[]> {
  const { rows } = await db.query<{ from: string; to: string }>({
    name: 'chain.gaps',
    text: `
      SELECT before + 1 AS "from", height - 1 AS "to"
      FROM (SELECT height, LAG(height, 1, -1::bigint) OVER (ORDER BY height) AS before FROM key_blocks) h
      WHERE height > before + 1
      ORDER BY height`,
  });
  return rows.map((row) => ({ from: Number(row.from), to: Number(row.to) }));
}

export interface Identity {
  networkId: string;
  genesisHash: string;
}

/** The chain of this copy; null before the first load. */
export async function readIdentity(db: Queryable): Promise<Identity | null> {
  const { rows } = await db.query<{ network_id: string | null; genesis_hash: string | null }>({
    name: 'chain.identity',
    text: 'SELECT network_id, genesis_hash FROM chain',
  });
  const { network_id: networkId, genesis_hash: genesisHash } = rows[0] ?? { network_id: null, genesis_hash: null };
  return networkId === null || genesisHash === null ? null : { networkId, genesisHash };
}

/** Records the chain of the copy, before the first block; later calls change nothing. */
export async function writeIdentity(db: Queryable, identity: Identity): Promise<void> {
  await db.query({
    name: 'chain.identify',
    text: 'UPDATE chain SET network_id = $1, genesis_hash = $2 WHERE network_id IS NULL',
    values: [identity.networkId, identity.genesisHash],
  });
}

/** First heights of the protocol versions, as nodes reported them, ascending; empty if none are recorded. */
export async function readForks(db: Queryable): Promise<readonly Fork[]> {
  const { rows } = await db.query<{ version: number; height: string }>({
    name: 'chain.forks',
    text: 'SELECT version, height FROM forks ORDER BY height, version',
  });
  return rows.map(({ version, height }) => ({ version, height: Number(height) }));
}

/** Replaces the recorded forks. */
export async function writeForks(tx: Queryable, forks: readonly Fork[]): Promise<void> {
  await tx.query({ name: 'chain.forget-forks', text: 'DELETE FROM forks' });
  await tx.query({
    name: 'chain.record-forks',
    text: `
      INSERT INTO forks (version, height) SELECT * FROM unnest($1::integer[], $2::bigint[]) ON CONFLICT DO NOTHING`,
    values: [forks.map(({ version }) => version), forks.map(({ height }) => height)],
  });
}

/** Records what the populator sees of the node, for status and health. */
export async function writeNodeSeen(
  db: Queryable,
  seen: { height: number | null; state: string; reason?: string | undefined },
): Promise<void> {
  await db.query({
    name: 'chain.node-seen',
    text: 'UPDATE chain SET node_height = COALESCE($1, node_height), node_state = $2, node_reason = $3, seen_at = now()',
    values: [seen.height, seen.state, seen.reason ?? null],
  });
}

/** From now on every change of the head is written to the event log. */
export async function goLive(db: Queryable): Promise<void> {
  await db.query({ name: 'chain.live', text: 'UPDATE chain SET live = true WHERE NOT live' });
}
