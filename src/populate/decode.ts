import { setTimeout as pause } from 'node:timers/promises';
import { effectiveOf } from '../chain/effective.js';
import { readTransaction } from '../chain/facts.js';
import { isObject, parseExact, stringifyExact } from '../chain/json.js';
import type { CallDecoder } from '../compiler/decoder.js';
import type { ChainNode } from '../node/client.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { dueCalls, pendingCalls, postponeCalls, saveDecoded } from '../store/calls.js';
import type { DecodedCall, DueCall } from '../store/calls.js';
import type { Database, Transaction } from '../store/database.js';

export type { CallDecoder };

export interface DecodeOptions {
  database: Database;
  node: ChainNode;
  decoder: CallDecoder;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  fence: (tx: Transaction) => Promise<void>;
  /** False while the load needs the node and the database for itself. */
  mayWork: () => boolean;
}

const BATCH = 64;
const IDLE_MS = 500;

/**
 * Decodes contract calls on the side, until the signal: the load neither waits for it nor fails with it. Whatever goes
 * wrong is tried again later, with growing pauses.
 */
export async function decodeCalls(options: DecodeOptions): Promise<void> {
  const { database, logger, metrics, signal } = options;
  while (!signal.aborted) {
    try {
      const worked = options.mayWork() && (await decodeBatch(options));
      metrics.decodeBacklog.set(await pendingCalls(database));
      if (worked) continue;
    } catch (error) {
      if (signal.aborted) return;
      logger.debug(
        { reason: error instanceof Error ? error.message : String(error) },
        'Could not decode contract calls',
      );
    }
    await pause(IDLE_MS, undefined, { signal }).catch(() => undefined);
  }
}

async function decodeBatch(options: DecodeOptions): Promise<boolean> {
  const due = await dueCalls(options.database, BATCH);
  if (due.length === 0) return false;
  const outcomes = await Promise.all(due.map((call) => decode(options, call)));
  const done = outcomes.flatMap((outcome) => (typeof outcome === 'bigint' ? [] : [outcome]));
  const later = outcomes.flatMap((outcome) => (typeof outcome === 'bigint' ? [outcome] : []));
  await options.database.transaction(async (tx) => {
    await options.fence(tx);
    await saveDecoded(tx, done);
    await postponeCalls(tx, later);
  });
  return done.length > 0;
}

/** The decoded call, or its position if node or compiler could not be asked now. */
async function decode({ node, decoder, logger }: DecodeOptions, call: DueCall): Promise<DecodedCall | bigint> {
  const { position, hash } = call;
  try {
    const info = await node.info(hash);
    const code = textMember(effectiveOf(readTransaction(call.creation)).tx['code']);
    const data = textMember(readTransaction(call.body).tx['call_data']);
    if (code === null || data === null) return { position, hash, arguments: null, result: null, info };
    const decoded = await decoder.decodeCall(code, data);
    if (decoded === null) return { position, hash, arguments: null, result: null, info };
    const result = await decodeResult(decoder, code, textMember(decoded['function']), info);
    return { position, hash, arguments: stringifyExact(decoded), result, info };
  } catch (error) {
    logger.debug(
      { hash, reason: error instanceof Error ? error.message : String(error) },
      'Could not decode a call now',
    );
    return position;
  }
}

/** The return value as far as it can be told; a call that failed has none. */
async function decodeResult(
  decoder: CallDecoder,
  code: string,
  name: string | null,
  info: string | null,
): Promise<string | null> {
  const answer = info === null ? null : parseExact(info);
  const call = isObject(answer ?? undefined) ? (answer as { call_info?: unknown }).call_info : undefined;
  if (name === null || typeof call !== 'object' || call === null) return null;
  const { return_type: type, return_value: value } = call as { return_type?: unknown; return_value?: unknown };
  if (type !== 'ok' || typeof value !== 'string') return null;
  const result = await decoder.decodeResult(code, name, value);
  return result === null ? null : stringifyExact(result);
}

const textMember = (value: unknown): string | null => (typeof value === 'string' ? value : null);
