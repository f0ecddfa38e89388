/** The stream of events of the chain: one connection for all parts of the page. */
import { parseExactly } from './json.js';
import type { Integer } from './json.js';

export interface Block {
  hash: string;
  height: Integer;
  time: Integer;
}

/** `block_hash` is `none` and `block_height` -1 while it is in no block. */
export interface Placed {
  hash: string;
  block_hash: string;
  block_height: Integer;
  tx: object;
}

export interface Rollback {
  height: Integer;
  removed: string[];
  removed_count: Integer;
}

/** What the contracts of a transaction emitted, when that is known. */
export interface Emitted {
  hash: string;
  /** Who emitted it, and the contract that was called. */
  logs: readonly { contract_id: string; called_id: string }[];
}

export type ChainEvent =
  | { kind: 'key_blocks'; payload: Block }
  | { kind: 'micro_blocks'; payload: Block }
  | { kind: 'transactions'; payload: Placed }
  /** The transaction is in another block now, or in none. */
  | { kind: 'tx_update'; payload: Placed }
  | { kind: 'rollback'; payload: Rollback }
  | { kind: 'contract_logs'; payload: Emitted };

export interface Listener {
  onEvent(event: ChainEvent): void;
  /** Called at each change, at each failed attempt, and at once if the stream is open already. */
  onConnected?(connected: boolean): void;
}

/** Pause before the next attempt to open the stream after a refusal, ms. */
const RETRY_MS = 3_000;
const URL = 'middleware/events?kinds=key_blocks,micro_blocks,transactions,tx_update,rollback,contract_logs';

const listeners = new Set<Listener>();
let events: EventSource | undefined;
let reconnect: ReturnType<typeof setTimeout> | undefined;

/** Calls back for each event until the returned function is called. */
export function followEvents(listener: Listener): () => void {
  listeners.add(listener);
  if (events === undefined && listeners.size === 1) start();
  else if (events?.readyState === EventSource.OPEN) listener.onConnected?.(true);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) stop();
  };
}

function start(): void {
  document.addEventListener('visibilitychange', onVisibility);
  onVisibility();
}

function stop(): void {
  document.removeEventListener('visibilitychange', onVisibility);
  close();
}

/** The stream is closed while the page is hidden, because a browser opens at most six connections to a server for all pages. */
function onVisibility(): void {
  close();
  if (!document.hidden) connect();
}

function connect(): void {
  const opened = new EventSource(URL);
  events = opened;
  opened.onopen = () => report(true);
  opened.onerror = () => {
    // The browser reconnects by itself when the connection is lost, but not after a refusal.
    if (opened.readyState === EventSource.CLOSED) reconnect = setTimeout(connect, RETRY_MS);
    report(false);
  };
  opened.onmessage = ({ data }: MessageEvent<string>) => {
    const { subscription, payload } = parseExactly(data) as { subscription: string; payload: unknown };
    const event = { kind: subscription, payload } as ChainEvent;
    for (const { onEvent } of [...listeners]) onEvent(event);
  };
}

function close(): void {
  clearTimeout(reconnect);
  events?.close();
  events = undefined;
}

function report(connected: boolean): void {
  for (const { onConnected } of [...listeners]) onConnected?.(connected);
}
