/** Follows the head of the chain by the stream of events. */
import { read } from './api.js';
import type { Row } from './parts/transactions.js';
import { followEvents } from './stream.js';
import { answered, settled, waitFor } from './trouble.js';
import type { Block, ChainEvent, Placed, Rollback } from './stream.js';

export interface MicroBlock {
  hash: string;
  /** Only known if the block came as an event: a generation contains only the hashes of its micro blocks. */
  time?: number;
}

export interface Generation {
  height: number;
  hash: string;
  time: number;
  /** Newest first. */
  microBlocks: MicroBlock[];
}

export interface Reorg {
  /** The generation from which the chain continues. */
  height: number;
  /** Hashes of removed blocks; not all of them after a deep reorg. */
  removed: string[];
  count: number;
  /** Hashes of transactions of the removed blocks that are in other blocks now, and of those that wait again. */
  back: ReadonlySet<string>;
  waits: ReadonlySet<string>;
}

export interface Head {
  /** Newest first; empty until the first answer. */
  generations: Generation[];
  transactions: Row[];
  /** The last reorg since the page was opened. */
  reorg: Reorg | undefined;
}

const GENERATIONS = 8;
const TRANSACTIONS = 14;
/** Pause after an event until the list is read that says how its transaction ended, ms: events come in groups. */
const OUTCOME_MS = 1_000;

const EMPTY: Head = { generations: [], transactions: [], reorg: undefined };

/** Follows the head until the returned function is called. */
export function followHead(onChange: (head: Head) => void): () => void {
  let head = EMPTY;
  let ended = false;
  let outcomes: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  /** Grows with each event and each call of `load`. */
  let version = 0;
  const set = (change: Partial<Head>): void => {
    head = { ...head, ...change };
    if (!ended) onChange(head);
  };

  /** Reads the head again until no event came meanwhile: the answer may be older than such an event. */
  async function load(): Promise<void> {
    version++;
    if (isLoading) return;
    isLoading = true;
    try {
      for (let before = -1; before !== version && !ended;) {
        before = version;
        const stored = await loadHead();
        if (before === version) set(stored);
      }
      answered(load);
    } catch (error) {
      if (!ended) waitFor(load, error, () => void load());
    } finally {
      isLoading = false;
    }
  }

  /** Events do not say how a transaction ended. If that cannot be read now, it is after the next event. */
  async function readOutcomes(): Promise<void> {
    const [newest] = head.generations;
    const before = version;
    const transactions = newest && (await latestTransactions(newest.height).catch(() => undefined));
    if (transactions !== undefined && before === version) set({ transactions });
  }

  function onEvent(event: ChainEvent): void {
    if (event.kind === 'contract_logs') return;
    version++;
    if (event.kind === 'transactions' || event.kind === 'tx_update') {
      set({ transactions: withTransaction(head.transactions, event.payload) });
      if (event.kind === 'tx_update' && head.reorg !== undefined) set({ reorg: goneOn(head.reorg, event.payload) });
      clearTimeout(outcomes);
      outcomes = setTimeout(() => void readOutcomes(), OUTCOME_MS);
    } else if (event.kind === 'rollback') {
      const reorg = reorgOf(event.payload);
      set({ reorg, generations: without(head.generations, reorg.removed) });
      // Some of the latest transactions may have been in the removed blocks.
      void load();
    } else {
      const add = event.kind === 'key_blocks' ? withKeyBlock : withMicroBlock;
      set({ generations: add(head.generations, event.payload) });
    }
  }

  const close = followEvents({
    onEvent,
    onConnected() {
      // While there are no events, each attempt to connect also reads the head.
      void load();
    },
  });
  return () => {
    ended = true;
    settled(load);
    clearTimeout(outcomes);
    close();
  };
}

/**
 * Reports every reorg until the returned function is called; undefined after a reconnect, when one may have been missed.
 * `onUpdate`: a transaction is in another block now, or in none.
 */
export function followReorgs(
  onReorg: (reorg: Reorg | undefined) => void,
  onUpdate: (placed: Placed) => void,
): () => void {
  let wasOpen = false;
  return followEvents({
    onEvent(event) {
      if (event.kind === 'rollback') onReorg(reorgOf(event.payload));
      if (event.kind === 'tx_update') onUpdate(event.payload);
    },
    onConnected(connected) {
      if (connected && wasOpen) onReorg(undefined);
      wasOpen ||= connected;
    },
  });
}

const reorgOf = ({ height, removed, removed_count: count }: Rollback): Reorg => ({
  height: Number(height),
  removed,
  count: Number(count),
  back: new Set(),
  waits: new Set(),
});

/** The reorg after one of its transactions was placed. */
export function goneOn(reorg: Reorg, { hash, block_hash }: Placed): Reorg {
  const [back, waits] = [new Set(reorg.back), new Set(reorg.waits)];
  back.delete(hash);
  waits.delete(hash);
  (block_hash === 'none' ? waits : back).add(hash);
  return { ...reorg, back, waits };
}

async function loadHead(): Promise<Pick<Head, 'generations' | 'transactions'>> {
  const { body: current } = await read('/v2/key-blocks/current/height');
  const head = Number(current.height);
  const heights = Array.from({ length: Math.min(GENERATIONS, head + 1) }, (_, i) => head - i);
  const [generations, transactions] = await Promise.all([
    Promise.all(heights.map(generationAt)),
    latestTransactions(head),
  ]);
  return { generations, transactions };
}

async function latestTransactions(head: number): Promise<Row[]> {
  const { body } = await read('/middleware/transactions/interval/{from}/{to}', {
    from: Math.max(0, head - GENERATIONS),
    to: head,
    limit: TRANSACTIONS,
    page: 1,
  });
  return body.transactions;
}

async function generationAt(height: number): Promise<Generation> {
  const { body } = await read('/v2/generations/height/{height}', { height });
  const microBlocks = [...body.micro_blocks].reverse().map((hash) => ({ hash }));
  return { height, hash: body.key_block.hash, time: Number(body.key_block.time), microBlocks };
}

function withKeyBlock(generations: Generation[], { height, hash, time }: Block): Generation[] {
  if (generations.some((one) => one.hash === hash)) return generations;
  const below = generations.filter((one) => one.height < Number(height));
  return [{ height: Number(height), hash, time: Number(time), microBlocks: [] }, ...below].slice(0, GENERATIONS);
}

function withMicroBlock(generations: Generation[], { height, hash, time }: Block): Generation[] {
  return generations.map((one) => {
    if (one.height !== Number(height) || one.microBlocks.some((block) => block.hash === hash)) return one;
    return { ...one, microBlocks: [{ hash, time: Number(time) }, ...one.microBlocks] };
  });
}

function without(generations: Generation[], removedHashes: string[]): Generation[] {
  const removed = new Set(removedHashes);
  return generations
    .filter(({ hash }) => !removed.has(hash))
    .map((one) => ({ ...one, microBlocks: one.microBlocks.filter(({ hash }) => !removed.has(hash)) }));
}

/** The transaction is new, or in another block now, or in none: then it waits again. */
function withTransaction(latest: Row[], placed: Placed): Row[] {
  const others = latest.filter(({ hash }) => hash !== placed.hash);
  return placed.block_hash === 'none' ? others : [placed, ...others].slice(0, TRANSACTIONS);
}
