import { callIn, effectiveOf, needsInfo } from '../chain/effective.js';
import { readTransaction } from '../chain/facts.js';
import { parsePlain, stringifyExact } from '../chain/encoding/json.js';
import { createDecoderCache } from '../compiler/decoder-cache.js';
import type { DecoderCache } from '../compiler/decoder-cache.js';
import type { CallDecoder, ContractDecoder } from '../compiler/decoder.js';
import { isNodeFault } from '../node/faults.js';
import { hasSucceeded } from './outcome.js';
import { reasonOf } from '../observe/errors.js';
import { contractCodes, dueCalls, pendingCalls, postponeCalls, saveDecoded } from '../store/calls.js';
import type { DecodedCall, DueCall } from '../store/calls.js';
import {
  dueCodes,
  dueCreations,
  postponeCodes,
  postponeCreations,
  saveCodes,
  saveOutcomes,
} from '../store/contracts.js';
import { repeat } from '../runtime/repeat.js';
import { numberCommit } from '../store/connection/commit-number.js';
import type { Database } from '../store/connection/database.js';
import type { BesideOptions } from './beside.js';

export type { CallDecoder };

interface DecodeOptions extends Omit<BesideOptions, 'work'> {
  decoder: CallDecoder;
  /** Resolves after a time in ms, or earlier when blocks were stored. */
  pause: (ms: number) => Promise<void>;
}

interface DecodeContext extends DecodeOptions {
  contracts: DecoderCache;
}

const BATCH = 1_000;
/** Max concurrent requests to the node: more would delay following the head. */
const MAX_REQUESTS = 16;
/** Pause before looking again for calls that other processes stored or that are due for another attempt, ms. */
const IDLE_MS = 2_000;
/** Max contracts whose code is read or requested together, which bounds the memory. */
const MAX_CODES = 100;

/**
 * Decodes contract calls in the background until the signal aborts. The load neither waits for it nor fails with it. A call that cannot be
 * decoded because node or compiler do not answer is tried again later, with growing pauses.
 */
export async function decodeCalls(options: DecodeOptions): Promise<void> {
  const { logger, signal } = options;
  const context = { ...options, contracts: createDecoderCache(options.decoder) };
  const backlog = createBacklog(options);
  const queue = createQueue(options.database);
  await repeat({
    signal,
    pause: options.pause,
    async runOnce() {
      const done = options.mayWork() ? await decodeBatch(context, queue) : 0;
      await backlog.report(queue);
      const found = options.mayWork() ? await askAboutContracts(context) : 0;
      return done + found > 0 ? 0 : IDLE_MS;
    },
    async onFault(error) {
      await queue.restart();
      logger.debug({ reason: reasonOf(error) }, 'Could not decode contract calls');
      return IDLE_MS;
    },
  });
  await queue.restart();
}

interface Queue {
  /** The due calls that follow those returned before; empty if there are no more. */
  next(): Promise<DueCall[]>;
  /** Starts `work`, which saves calls, when the save before has ended. If `work` fails, the next `save`, `next` or `idle` throws its error. */
  save(work: () => Promise<number>): Promise<void>;
  /** Returns the number of calls saved since the last `takeSaved`. */
  takeSaved(): number;
  /** Resolves when no save is running. */
  idle(): Promise<void>;
  /** Waits until no save is running, then starts again with the oldest due call. Never throws. */
  restart(): Promise<void>;
}

/** A pipeline: reads the next calls and saves the last ones while the node is asked about the calls between them. */
function createQueue(database: Database): Queue {
  let ahead: Promise<DueCall[]> | undefined;
  let saving = Promise.resolve();
  let saved = 0;
  const read = (after?: DueCall): Promise<DueCall[]> => {
    const reading = dueCalls(database, BATCH, after);
    // `next` throws the error.
    reading.catch(() => undefined);
    return reading;
  };
  return {
    async next() {
      // Without a batch read ahead the read starts with the oldest due call, and would find calls again that are not saved yet.
      if (ahead === undefined) await saving;
      const due = await (ahead ?? read());
      ahead = due.length === BATCH ? read(due.at(-1)) : undefined;
      return due;
    },
    async save(work) {
      await saving;
      saving = work().then((count) => void (saved += count));
      saving.catch(() => undefined);
    },
    takeSaved() {
      const count = saved;
      saved = 0;
      return count;
    },
    idle: () => saving,
    async restart() {
      ahead = undefined;
      await saving.catch(() => undefined);
      saving = Promise.resolve();
    },
  };
}

/** Min time between two counts, ms. */
const COUNT_MS = 60_000;
/** Min time between two counts, as a multiple of the time that the count took. */
const COUNT_FACTOR = 100;

/** Reports the number of pending calls. They are counted seldom, because a count reads them all; between counts, saved calls are subtracted. */
function createBacklog({ database, metrics }: DecodeOptions): { report(queue: Queue): Promise<void> } {
  let pending = 0;
  let countAt = -Infinity;
  return {
    async report(queue) {
      pending = Math.max(0, pending - queue.takeSaved());
      const start = performance.now();
      if (start >= countAt) {
        // Set before the count, so that a failed one is not repeated at once.
        countAt = start + COUNT_MS;
        await queue.idle();
        queue.takeSaved();
        pending = await pendingCalls(database);
        countAt = start + Math.max(COUNT_MS, COUNT_FACTOR * (performance.now() - start));
      }
      metrics.decodeBacklog.set(pending);
    },
  };
}

/** Returns the number of calls that node and compiler answered. */
async function decodeBatch(context: DecodeContext, queue: Queue): Promise<number> {
  const due = await queue.next();
  if (due.length === 0) return 0;
  const contracts = await contractsOf(context, due);
  const outcome = await askEach(context, due, (call) => decode(context, call, contracts.get(call.codeId)));
  await queue.save(() => saveCalls(context, outcome));
  if (outcome.isNodeAway) await queue.restart();
  return outcome.answered.length;
}

async function saveCalls(
  { database, fence }: DecodeContext,
  { answered, later }: { answered: DecodedCall[]; later: DueCall[] },
): Promise<number> {
  await database.transaction(async (tx) => {
    await fence(tx);
    await numberCommit(tx);
    await saveDecoded(tx, answered);
    await postponeCalls(
      tx,
      later.map(({ position }) => position),
    );
  });
  return answered.length;
}

/** Asks the node how contract creations ended, and for the code of contracts that other contracts created. Returns the number of answers. */
async function askAboutContracts(context: DecodeContext): Promise<number> {
  const { database, node, fence } = context;
  const creations = await dueCreations(database, BATCH);
  const codes = await dueCodes(database, MAX_CODES);
  if (creations.length + codes.length === 0) return 0;
  const ended = await askEach(context, creations, async (creation) => {
    const info = await node.info(creation.hash);
    return info === null ? null : { ...creation, failed: !hasSucceeded(info) };
  });
  const found = await askEach(context, codes, async (contract) => {
    const code = await node.contractCode(contract.contractId);
    return code === null ? null : { ...contract, code };
  });
  await database.transaction(async (tx) => {
    await fence(tx);
    await numberCommit(tx);
    await saveOutcomes(tx, ended.answered);
    await postponeCreations(tx, ended.later);
    await saveCodes(tx, found.answered);
    await postponeCodes(tx, found.later);
  });
  return ended.answered.length + found.answered.length;
}

/**
 * Asks node or compiler about each item. Returns the answers, and as `later` the items without one: after a fault, or because the node does
 * not know (null). Once the node has a fault, the rest is not asked and stays due.
 */
async function askEach<Due, Answer>(
  { logger }: DecodeContext,
  due: readonly Due[],
  ask: (one: Due) => Promise<Answer | null>,
): Promise<{ answered: Answer[]; later: Due[]; isNodeAway: boolean }> {
  const answered: Answer[] = [];
  const later: Due[] = [];
  let isNodeAway = false;
  const remaining = due.values();
  const work = async (): Promise<void> => {
    for (const one of remaining) {
      if (isNodeAway) return;
      try {
        const answer = await ask(one);
        if (answer === null) later.push(one);
        else answered.push(answer);
      } catch (error) {
        logger.debug({ reason: reasonOf(error) }, 'The node or the compiler did not answer about a contract');
        later.push(one);
        if (isNodeFault(error)) isNodeAway = true;
      }
    }
  };
  await Promise.all(Array.from({ length: MAX_REQUESTS }, work));
  return { answered, later, isNodeAway };
}

/** Decoders of the called contracts, by the id of their code. Code that is not cached is read and parsed once. */
async function contractsOf(
  { database, contracts }: DecodeContext,
  due: readonly DueCall[],
): Promise<Map<string, ContractDecoder>> {
  const found = new Map<string, ContractDecoder>();
  const missing = new Set<string>();
  for (const { codeId, contractId } of due) {
    const known = contracts.get(codeId);
    if (known === undefined) missing.add(contractId);
    else found.set(codeId, known);
  }
  const ids = [...missing];
  for (let from = 0; from < ids.length; from += MAX_CODES) {
    for (const { codeId, creation, code } of await contractCodes(database, ids.slice(from, from + MAX_CODES))) {
      const text = creation === null ? code : textMember(effectiveOf(readTransaction(creation)).tx['code']);
      found.set(codeId, contracts.add(codeId, text));
    }
  }
  return found;
}

/** The decoded call, without arguments if it cannot be decoded. Throws if node or compiler do not answer. */
async function decode(
  { node }: DecodeContext,
  { position, hash, codeId, body }: DueCall,
  contract: ContractDecoder | undefined,
): Promise<DecodedCall> {
  if (contract === undefined) throw new Error('the code of its contract is no longer stored');
  const info = await node.info(hash);
  const transaction = readTransaction(body);
  const { tx } = effectiveOf({ ...transaction, info });
  const call = { position, hash, codeId, info, isPlain: !needsInfo(transaction) };
  const data = textMember(tx['call_data']);
  const decoded = data === null ? null : await contract.decodeCall(data);
  if (decoded === null) return { ...call, arguments: null, result: null };
  const result = await decodeResult(contract, textMember(decoded['function']), info);
  return { ...call, arguments: stringifyExact(decoded), result };
}

/** The decoded return value; null for a call that failed, or if it is not known or cannot be decoded. */
async function decodeResult(
  contract: ContractDecoder,
  name: string | null,
  info: string | null,
): Promise<string | null> {
  const call = info === null ? undefined : callIn(parsePlain(info));
  if (name === null || call === undefined || call['return_type'] !== 'ok') return null;
  const value = textMember(call['return_value']);
  if (value === null) return null;
  const result = await contract.decodeResult(name, value);
  return result === null ? null : stringifyExact(result);
}

const textMember = (value: unknown): string | null => (typeof value === 'string' ? value : null);
