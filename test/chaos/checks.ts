/** Invariants as pure functions. `checks.test.ts` shows that each of them finds violations. */
import type { Usage } from './program.js';

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

/** The chain of a client that has received all events since a start. */
export interface Received {
  /** Number of the last event. */
  last: number;
  /** Hashes of the blocks, oldest first. */
  chain: string[];
  /** Number of received transactions of each micro block, by its hash. */
  counts: Map<string, number>;
  /** Transactions of each block whose logs were received, by the hash of the block. */
  logs: Map<string, Set<string>>;
  faults: string[];
}

/** Applies an event. It must be the next one and continue the received chain; otherwise a fault is added. */
export function receive(received: Received, seq: number, { subscription, payload }: ReceivedEvent): void {
  const { chain, counts, logs } = received;
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
    for (const hash of removed) logs.delete(hash);
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
  if (subscription === 'contract_logs') {
    const block = payload.block_hash!;
    if (!chain.includes(block)) fault(`is in ${block}, which is not in the chain`);
    const known = logs.get(block) ?? new Set();
    if (known.has(payload.hash)) fault('came before');
    logs.set(block, known.add(payload.hash));
    return;
  }
  if (payload.block_hash === 'none') return;
  if (payload.block_hash !== head) fault(`is in ${payload.block_hash}, the head is ${head}`);
  counts.set(payload.block_hash!, (counts.get(payload.block_hash!) ?? 0) + 1);
}

export interface StoredBlock {
  hash: string;
  /** Number of its transactions. */
  transactions: number;
  /** Number of its transactions that have logs, where clients receive logs. */
  logged?: number;
}

/** Differences between the received and the stored chain. */
export function compareReceived(received: Received, stored: readonly StoredBlock[]): string[] {
  const at = stored.findIndex(({ hash }, i) => received.chain[i] !== hash);
  if (at !== -1) return [`block ${at} is ${stored[at]!.hash}, received was ${received.chain[at]}`];
  if (received.chain.length > stored.length)
    return [`${received.chain.length - stored.length} blocks too many were received`];
  return stored.flatMap(({ hash, transactions, logged = 0 }) => {
    const count = received.counts.get(hash);
    // A block from before the start.
    if (count === undefined) return [];
    const logs = received.logs.get(hash)?.size ?? 0;
    return [
      ...(count === transactions ? [] : [`${hash} has ${transactions} transactions, received were ${count}`]),
      ...(logs === logged ? [] : [`${hash} has logs of ${logged} transactions, received were those of ${logs}`]),
    ];
  });
}

interface AnsweredBlock {
  hash: string;
  prev_hash: string;
  micro_blocks?: Record<string, { prev_hash: string; transactions: Record<string, { block_hash: string }> }>;
}

/** Faults of an answer of `/middleware/generations` whose blocks are not of one chain. */
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

/** A part that can be away. */
export type Part = 'node' | 'database' | `database of server ${number}` | `server ${number}`;

/** A time in which parts were away. */
export interface Away {
  parts: readonly Part[];
  begun: number;
  ended: number;
}

export interface Answered {
  /** Number of the server. */
  server: number;
  path: string;
  /** 0 if there was no complete answer. */
  status: number;
  /** Whether the server made the answer itself; otherwise it is forwarded from the node. */
  own: boolean;
  begun: number;
  ended: number;
  body: string;
}

/** Statuses of a node that misbehaves, which are forwarded unchanged, and of the server for a node that does not answer. */
const OF_NODES = new Set([429, 500, 502, 504]);

/** Parts whose absence explains a status, by `docs/errors.md`. A 500 of the server itself is never excused. */
function partsToBlame({ status, own, server, path }: Answered): Part[] {
  const reading: Part[] = ['database', `database of server ${server}`, `server ${server}`];
  // If a node breaks off an answer, the client's answer is broken off too.
  if (status === 0) return [`server ${server}`, ...(path.startsWith('/v2/') ? (['node'] as const) : [])];
  if (own) return status === 503 ? reading : [];
  if (status === 503) return [...reading, 'node'];
  return OF_NODES.has(status) ? ['node'] : [];
}

/** Whether a part was away that explains a 5xx or a missing answer. */
export function isExcused(answer: Answered, times: readonly Away[]): boolean {
  const blamed = partsToBlame(answer);
  return times.some(
    ({ parts, begun, ended }) =>
      answer.begun < ended && answer.ended > begun && parts.some((part) => blamed.includes(part)),
  );
}

/** Max growth of a process since its first quiet phase. */
const MORE_MB = 150;
const MORE_FILES = 40;

/** Processes that have grown: compares each sample with the first one of the process. */
export function growingUsage(samples: readonly (Usage & { name: string })[]): string[] {
  const first = new Map<number, Usage>();
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
