/** The head of the chain as it moves, from the stream of events. */
import { read } from './api.js';
import { parseExactly } from './json.js';

export interface MicroBlock {
  hash: string;
  time: number;
}

export interface Generation {
  height: number;
  hash: string;
  time: number;
  /** Newest first. */
  microBlocks: MicroBlock[];
}

export interface LiveTransaction {
  hash: string;
  height: number;
  type: string;
}

export interface Head {
  /** Newest first; empty until the first answer. */
  generations: Generation[];
  transactions: LiveTransaction[];
  /** The last reorg since the page was opened. */
  reorg: { height: number; removed: string[]; count: number } | undefined;
  /** False while the stream of events is interrupted. */
  connected: boolean;
  error: unknown;
}

const GENERATIONS = 8;
const TRANSACTIONS = 12;
/** Between two tries to read the head again, ms. */
const AGAIN_MS = 3_000;

type Payload = { hash: string; height: number; time: number };
type TransactionPayload = { hash: string; block_height: number; tx: { type: string } };
type Rollback = { height: number; removed: string[]; removed_count: number };

const EMPTY: Head = { generations: [], transactions: [], reorg: undefined, connected: true, error: undefined };

/** Follows the head until the function that is returned is called. */
export function followHead(onChange: (head: Head) => void): () => void {
  let head = EMPTY;
  let ended = false;
  let again: ReturnType<typeof setTimeout> | undefined;
  let reconnect: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  /** Events since the page was opened, and reasons to read the head again. */
  let news = 0;
  const set = (change: Partial<Head>): void => {
    head = { ...head, ...change };
    if (!ended) onChange(head);
  };

  /** Reads the head until no event came in the meantime: what is read may be older than what the event brought. */
  async function load(): Promise<void> {
    clearTimeout(again);
    news++;
    if (isLoading) return;
    isLoading = true;
    try {
      for (let before = -1; before !== news && !ended;) {
        before = news;
        const stored = await loadHead();
        if (before === news) set({ ...stored, error: undefined });
      }
    } catch (error) {
      set({ error });
      again = setTimeout(() => void load(), AGAIN_MS);
    } finally {
      isLoading = false;
    }
  }

  let events: EventSource;
  function connect(): void {
    events = new EventSource('middleware/events?kinds=key_blocks,micro_blocks,transactions,rollback');
    events.onopen = () => {
      set({ connected: true });
      void load();
    };
    events.onerror = () => {
      set({ connected: false });
      // The browser tries again by itself after a loss, but not after a refusal.
      if (events.readyState === EventSource.CLOSED) reconnect = setTimeout(connect, AGAIN_MS);
      // Without events the head is read at each try.
      void load();
    };
    events.onmessage = ({ data }: MessageEvent<string>) => {
      const { subscription, payload } = parseExactly(data) as { subscription: string; payload: unknown };
      take(subscription, payload);
    };
  }

  function take(kind: string, payload: unknown): void {
    news++;
    if (kind === 'key_blocks') set({ generations: withKeyBlock(head.generations, payload as Payload) });
    else if (kind === 'micro_blocks') set({ generations: withMicroBlock(head.generations, payload as Payload) });
    else if (kind === 'transactions')
      set({ transactions: withTransaction(head.transactions, payload as TransactionPayload) });
    else if (kind === 'rollback') {
      const { height, removed, removed_count } = payload as Rollback;
      set({ reorg: { height, removed, count: removed_count }, generations: without(head.generations, removed) });
      // The latest transactions may have been in the blocks that are gone.
      void load();
    }
  }

  connect();
  return () => {
    ended = true;
    clearTimeout(again);
    clearTimeout(reconnect);
    events.close();
  };
}

async function loadHead(): Promise<Pick<Head, 'generations' | 'transactions'>> {
  const { body: current } = await read('/v2/key-blocks/current/height');
  const top = Number(current.height);
  const heights = Array.from({ length: Math.min(GENERATIONS, top + 1) }, (_, i) => top - i);
  const [generations, { body: latest }] = await Promise.all([
    Promise.all(heights.map(generationAt)),
    read('/middleware/transactions/interval/{from}/{to}', {
      from: Math.max(0, top - GENERATIONS),
      to: top,
      limit: TRANSACTIONS,
      page: 1,
    }),
  ]);
  return {
    generations,
    transactions: latest.transactions.map(({ hash, block_height, tx }) => ({
      hash,
      height: Number(block_height),
      type: String((tx as { type: string }).type),
    })),
  };
}

async function generationAt(height: number): Promise<Generation> {
  const { body } = await read('/v2/generations/height/{height}', { height });
  const microBlocks = [...body.micro_blocks].reverse().map((hash) => ({ hash, time: 0 }));
  return { height, hash: body.key_block.hash, time: Number(body.key_block.time), microBlocks };
}

function withKeyBlock(generations: Generation[], { height, hash, time }: Payload): Generation[] {
  if (generations.some((one) => one.hash === hash)) return generations;
  const below = generations.filter((one) => one.height < Number(height));
  return [{ height: Number(height), hash, time: Number(time), microBlocks: [] }, ...below].slice(0, GENERATIONS);
}

function withMicroBlock(generations: Generation[], { height, hash, time }: Payload): Generation[] {
  return generations.map((one) => {
    if (one.height !== Number(height) || one.microBlocks.some((block) => block.hash === hash)) return one;
    return { ...one, microBlocks: [{ hash, time: Number(time) }, ...one.microBlocks] };
  });
}

function without(generations: Generation[], removed: string[]): Generation[] {
  const gone = new Set(removed);
  return generations
    .filter(({ hash }) => !gone.has(hash))
    .map((one) => ({ ...one, microBlocks: one.microBlocks.filter(({ hash }) => !gone.has(hash)) }));
}

function withTransaction(latest: LiveTransaction[], payload: TransactionPayload): LiveTransaction[] {
  if (latest.some(({ hash }) => hash === payload.hash)) return latest;
  const { hash, block_height, tx } = payload;
  return [{ hash, height: Number(block_height), type: tx.type }, ...latest].slice(0, TRANSACTIONS);
}
