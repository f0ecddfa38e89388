/** A small external miner: requests candidates from a node, finds their proof of work and posts the blocks. */
import { setTimeout as wait } from 'node:timers/promises';
import { isObject, parseExact, stringifyExact } from '../../../src/chain/encoding/json.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { MalformedError } from '../../../src/chain/malformed.js';
import { keyBlockHash } from '../../../src/chain/serialize/verify-hash.js';
import { createSolver } from './solver.js';

interface MinerOptions {
  /** External API of the node, which answers candidates, for example `http://127.0.0.1:3013`. */
  url: string;
  /** Internal API of the node, which accepts blocks. */
  internalUrl: string;
  edgeBits: number;
  /** Stops after this number of accepted blocks; never stops if absent. */
  blocks?: number;
  /** Interval of checks whether the node has a new candidate, ms. */
  pollMs?: number;
  signal: AbortSignal;
  onEvent(event: MinerEvent): void;
}

export type MinerEvent =
  | { kind: 'candidate'; height: number; target: number }
  /** `unsent`: the node did not answer. The block is sent again while it is still useful. */
  | { kind: 'accepted' | 'refused' | 'unsent'; height: number; hash: string; reason: string }
  /** The node has no candidate; the request is repeated. */
  | { kind: 'waiting'; reason: string };

const POLL_MS = 500;
const RETRY_MS = 1000;
const REQUEST_MS = 10_000;

interface Reply {
  status: number;
  body: string;
}

/** Returns the number of accepted blocks, once `blocks` are accepted or the signal aborts. */
export async function runMiner(options: MinerOptions): Promise<number> {
  const { url, internalUrl, edgeBits, blocks = Infinity, pollMs = POLL_MS, signal, onEvent } = options;
  const solver = createSolver(edgeBits);
  let accepted = 0;
  try {
    while (accepted < blocks && !signal.aborted) {
      const candidate = await pending(url, signal);
      if (typeof candidate === 'string') {
        if (!signal.aborted) onEvent({ kind: 'waiting', reason: candidate });
        await pause(RETRY_MS, signal);
        continue;
      }
      onEvent({ kind: 'candidate', height: candidate['height'] as number, target: candidate['target'] as number });
      const block = await solve(candidate);
      if (block !== undefined && (await submit(block))) accepted += 1;
    }
    return accepted;
  } finally {
    await solver.close();
  }

  /** The candidate with its proof of work; undefined if the node has a new candidate before it is found. */
  async function solve(candidate: JsonObject): Promise<JsonObject | undefined> {
    const stop = new AbortController();
    const either = AbortSignal.any([stop.signal, signal]);
    const watching = (async () => {
      while (!either.aborted) {
        await pause(pollMs, either);
        const now = either.aborted ? candidate : await pending(url, either);
        if (typeof now !== 'string' && now['hash'] !== candidate['hash']) stop.abort();
      }
    })();
    try {
      return await solver.solve(candidate, either);
    } finally {
      stop.abort();
      await watching;
    }
  }

  async function submit(block: JsonObject): Promise<boolean> {
    const found = { height: block['height'] as number, hash: keyBlockHash(block) ?? 'unknown' };
    const body = stringifyExact({ ...block, hash: found.hash });
    const headers = { 'content-type': 'application/json' };
    while (!signal.aborted) {
      const reply = await request(`${internalUrl}/v2/key-blocks`, { method: 'POST', headers, body }, signal);
      if (typeof reply !== 'string') {
        const isAccepted = reply.status === 200;
        onEvent({ kind: isAccepted ? 'accepted' : 'refused', ...found, reason: reasonOf(reply) });
        return isAccepted;
      }
      if (!signal.aborted) onEvent({ kind: 'unsent', ...found, reason: reply });
      await pause(RETRY_MS, signal);
      const now = await pending(url, signal);
      if (typeof now !== 'string' && now['prev_hash'] !== block['prev_hash']) break;
    }
    return false;
  }
}

/** The candidate, or the reason why there is none. */
async function pending(url: string, signal: AbortSignal): Promise<JsonObject | string> {
  const reply = await request(`${url}/v2/key-blocks/pending`, {}, signal);
  if (typeof reply === 'string') return reply;
  if (reply.status !== 200) return reasonOf(reply);
  try {
    const candidate = parseExact(reply.body);
    return isObject(candidate) ? candidate : 'the candidate is not an object';
  } catch (error) {
    if (error instanceof MalformedError) return error.message;
    throw error;
  }
}

/** The answer of the node, or the reason why there is none. */
async function request(url: string, init: RequestInit, signal: AbortSignal): Promise<Reply | string> {
  try {
    const ended = AbortSignal.any([signal, AbortSignal.timeout(REQUEST_MS)]);
    const response = await fetch(url, { ...init, signal: ended });
    return { status: response.status, body: await response.text() };
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    return (cause instanceof Error ? cause : (error as Error)).message;
  }
}

/** The reason in the body of an answer, or its status. */
function reasonOf({ status, body }: Reply): string {
  try {
    const { reason } = JSON.parse(body) as { reason?: string };
    return reason ?? String(status);
  } catch {
    return String(status);
  }
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  wait(ms, undefined, { signal }).then(
    () => undefined,
    () => undefined,
  );
