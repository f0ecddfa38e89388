/** What must hold at any time, as plain functions of what was seen: `checks.test.ts` shows that each finds what it is for. */
import type { Held } from './program.js';

export interface ReceivedEvent {
  subscription: string;
  payload: {
    hash: string;
    height?: number;
    prev_hash?: string;
    block_hash?: string;
    removed?: string[];
    removed_count?: number;
  };
}

/** The chain as a client knows it that has received every event since some moment. */
export interface Received {
  /** Number of the last event. */
  last: number;
  /** Hashes of the blocks, oldest first. */
  chain: string[];
  /** Transactions that were received of each micro block, by its hash. */
  counts: Map<string, number>;
  faults: string[];
}

/** Takes in an event: it must be the next one, and must continue the chain that the events before it received. */
export function receive(received: Received, seq: number, { subscription, payload }: ReceivedEvent): void {
  const { chain, counts } = received;
  const fault = (why: string): void => {
    received.faults.push(`event ${seq}, ${subscription} ${payload.hash}: ${why}`);
  };
  if (seq !== received.last + 1) fault(`came after ${received.last}`);
  received.last = seq;
  const head = chain.at(-1);
  if (subscription === 'rollback') {
    const at = chain.lastIndexOf(payload.hash);
    if (at === -1) return fault('goes back to a block that was never received');
    const removed = chain.splice(at + 1);
    if (removed.length !== payload.removed_count)
      fault(`removes ${payload.removed_count}, but ${removed.length} were received`);
    if (payload.removed?.some((hash, i) => hash !== removed[i]))
      fault('removes other blocks than those that were received');
    return;
  }
  if (subscription === 'key_blocks' || subscription === 'micro_blocks') {
    if (payload.prev_hash !== head) fault(`follows ${payload.prev_hash}, the head is ${head}`);
    chain.push(payload.hash);
    if (subscription === 'micro_blocks') counts.set(payload.hash, 0);
    return;
  }
  if (payload.block_hash === 'none') return;
  if (payload.block_hash !== head) fault(`is in ${payload.block_hash}, the head is ${head}`);
  counts.set(payload.block_hash!, (counts.get(payload.block_hash!) ?? 0) + 1);
}

/** What is wrong with the chain that was received, beside the stored one. `stored`: hash and number of transactions of each block. */
export function compareReceived(
  received: Received,
  stored: readonly { hash: string; transactions: number }[],
): string[] {
  const at = stored.findIndex(({ hash }, i) => received.chain[i] !== hash);
  if (at !== -1) return [`block ${at} is ${stored[at]!.hash}, received was ${received.chain[at]}`];
  if (received.chain.length > stored.length)
    return [`${received.chain.length - stored.length} blocks too many were received`];
  return stored
    .filter(({ hash, transactions }) => (received.counts.get(hash) ?? transactions) !== transactions)
    .map(
      ({ hash, transactions }) =>
        `${hash} has ${transactions} transactions, received were ${received.counts.get(hash)}`,
    );
}

interface AnsweredBlock {
  hash: string;
  prev_hash: string;
  micro_blocks?: Record<string, { prev_hash: string; transactions: Record<string, { block_hash: string }> }>;
}

/** What no single chain explains in an answer of `/middleware/generations`. */
export function mixedGenerations(generations: Record<string, AnsweredBlock>): string[] {
  const faults: string[] = [];
  let before: string | undefined;
  const ascending = Object.entries(generations).sort(([one], [other]) => Number(one) - Number(other));
  for (const [height, { hash, prev_hash, micro_blocks = {} }] of ascending) {
    if (before !== undefined && prev_hash !== before) faults.push(`${height} follows ${prev_hash}, not ${before}`);
    before = hash;
    const left = new Map(Object.entries(micro_blocks).map(([own, block]) => [block.prev_hash, { own, ...block }]));
    for (let next = left.get(before); next !== undefined; next = left.get(before)) {
      left.delete(before);
      before = next.own;
      if (Object.values(next.transactions).some(({ block_hash }) => block_hash !== next.own)) {
        faults.push(`${height}: a transaction of ${next.own} is in another block`);
      }
    }
    if (left.size > 0) faults.push(`${height}: micro blocks of another branch`);
  }
  return faults;
}

/** Somebody who can be away: what answers then depends on it. */
export type Part = 'node' | 'database' | `database of server ${number}` | `server ${number}`;

/** When a part was away or came back. */
export interface Away {
  parts: readonly Part[];
  begun: number;
  ended: number;
}

export interface Answered {
  /** Number of the server. */
  server: number;
  path: string;
  /** 0: there was no answer, or not all of it. */
  status: number;
  /** The server made it itself. */
  own: boolean;
  begun: number;
  ended: number;
  body: string;
}

/** What a node may answer that misbehaves, and is passed on as it came; what the server says of a node that does not answer. */
const OF_NODES = new Set([429, 500, 502, 504]);

/** Whose absence each status tells of, `docs/errors.md`; 500 of a server itself is never right. */
function partsToBlame({ status, own, server, path }: Answered): Part[] {
  const reading: Part[] = ['database', `database of server ${server}`, `server ${server}`];
  // What a node breaks off is broken off for the client, too.
  if (status === 0) return [`server ${server}`, ...(path.startsWith('/v2/') ? (['node'] as const) : [])];
  if (own) return status === 503 ? reading : [];
  if (status === 503) return [...reading, 'node'];
  return OF_NODES.has(status) ? ['node'] : [];
}

/** Whether an answer of 5xx, or none, is right: a part that it depends on was away. */
export function isExcused(answer: Answered, times: readonly Away[]): boolean {
  const blamed = partsToBlame(answer);
  return times.some(
    ({ parts, begun, ended }) =>
      answer.begun < ended && answer.ended > begun && parts.some((part) => blamed.includes(part)),
  );
}

/** What a process may hold more than when it was first seen at rest. */
const MORE_MB = 150;
const MORE_FILES = 40;

/** Processes that hold more and more: the last sample of each beside its first. */
export function growing(samples: readonly (Held & { name: string })[]): string[] {
  const first = new Map<number, Held>();
  return samples.flatMap((sample) => {
    const { name, pid, residentMb, files } = sample;
    const before = first.get(pid);
    if (before === undefined) first.set(pid, sample);
    const from = before ?? sample;
    return [
      ...(residentMb > from.residentMb + MORE_MB ? [`${name}: ${from.residentMb} MB, then ${residentMb} MB`] : []),
      ...(files > from.files + MORE_FILES ? [`${name}: ${from.files} open files, then ${files}`] : []),
    ];
  });
}
