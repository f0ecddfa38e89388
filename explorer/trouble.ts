/** What keeps the server from answering, for all parts of the page: one note for one cause, and all parts ask again together. */
import { Refusal } from './api.js';

export interface Trouble {
  error: unknown;
  /** When the first request failed, ms. */
  since: number;
  /** How often all parts asked again. */
  tries: number;
  /** When they ask next, ms. */
  next: number;
}

type Listener = (trouble: Trouble | undefined) => void;

/** First and longest pause, ms. Each pause is twice as long as the one before. */
const FIRST_MS = 2_000;
const LONGEST_MS = 60_000;

let trouble: Trouble | undefined;
let timer: ReturnType<typeof setTimeout> | undefined;
/** By the part that failed: how it asks again. */
const waiting = new Map<object, () => void>();
const listeners = new Set<Listener>();

/** Whether a request failed because of the server or the connection, and not because of what was asked for. */
export const isTrouble = (error: unknown): boolean =>
  error instanceof Refusal && (error.status === 0 || error.status === 503);

/** Whether the connection is lost, so that nothing on the page can change. */
export const isOffline = (of: Trouble | undefined = trouble): boolean =>
  of?.error instanceof Refusal && of.error.status === 0;

/** Calls `again` at the next attempt, until `settled(part)`. */
export function waitFor(part: object, error: unknown, again: () => void): void {
  waiting.set(part, again);
  if (trouble === undefined) schedule({ error, since: Date.now(), tries: 0 });
  else if (trouble.error !== error) set({ ...trouble, error });
}

/** The part is no longer shown, or failed for another reason. */
export function settled(part: object): void {
  if (!waiting.delete(part) || waiting.size > 0) return;
  clearTimeout(timer);
  set(undefined);
}

/** The part has its answer, so the others ask again at once. */
export function answered(part: object): void {
  if (!waiting.has(part)) return;
  settled(part);
  for (const again of [...waiting.values()]) again();
}

export function askNow(): void {
  if (trouble === undefined) return;
  schedule({ ...trouble, tries: trouble.tries + 1 });
  for (const again of [...waiting.values()]) again();
}

/** Calls back at once and at each change, until the returned function is called. */
export function followTrouble(listener: Listener): () => void {
  listeners.add(listener);
  listener(trouble);
  return () => void listeners.delete(listener);
}

function schedule(of: Omit<Trouble, 'next'>): void {
  const pause = Math.min(LONGEST_MS, FIRST_MS * 2 ** of.tries);
  clearTimeout(timer);
  timer = setTimeout(askNow, pause);
  set({ ...of, next: Date.now() + pause });
}

function set(to: Trouble | undefined): void {
  trouble = to;
  for (const listener of [...listeners]) listener(to);
}
