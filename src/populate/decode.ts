import { contractLogs } from '../chain/contract-logs.js';
import { derive } from '../chain/derive.js';
import { callIn, effectiveOf } from '../chain/effective.js';
import { readTransaction } from '../chain/facts.js';
import type { Transaction } from '../chain/facts.js';
import { parsePlain, stringifyExact } from '../chain/encoding/json.js';
import { createDecoderCache } from '../compiler/decoder-cache.js';
import type { DecoderCache } from '../compiler/decoder-cache.js';
import type { CallDecoder, ContractDecoder } from '../compiler/decoder.js';
import { isNodeFault } from '../node/faults.js';
import { hasSucceeded } from './outcome.js';
import { reasonOf } from '../observe/errors.js';
import { announceLogs } from '../store/write/announce-logs.js';
import { contractCodes, dueCalls, dueInfos, pendingCalls, postponeCalls, saveDecoded } from '../store/calls.js';
import type { DecodedCall, DueCall, DuePlace } from '../store/calls.js';
import {
  dueCodes,
  dueCreations,
  postponeCodes,
  postponeCreations,
  saveCodes,
  saveOutcomes,
} from '../store/contracts.js';
import { postponeInfos, saveInfos } from '../store/due-infos.js';
import type { ToldInfo } from '../store/due-infos.js';
import { repeat } from '../runtime/repeat.js';
import { numberAndWake, numberCommit } from '../store/connection/commit-number.js';
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
/** Faults after which call information counts as unknown: nodes answer 500 to that of some transactions, for ever. */
const MAX_ATTEMPTS = 6;

/**
 * Reads the call information of transactions that run a contract, and decodes contract calls, in the background until the signal aborts. The
 * load neither waits for it nor fails with it. What node or compiler do not answer is tried again later, with growing pauses.
 */
export async function decodeCalls(options: DecodeOptions): Promise<void> {
  const { database, logger, signal } = options;
  const context = { ...options, contracts: createDecoderCache(options.decoder) };
  const backlog = createBacklog(options);
  const queues = {
    newBlocks: createQueue((after) => dueInfos(database, 'new blocks', BATCH, after)),
    infos: createQueue((after) => dueInfos(database, 'others', BATCH, after)),
    calls: createQueue((after) => dueCalls(database, BATCH, after)),
  };
  const all = Object.values(queues);
  await repeat({
    signal,
    pause: options.pause,
    async runOnce() {
      if (!options.mayWork()) {
        await backlog.report(all);
        return IDLE_MS;
      }
      const infos = (await decodeBatch(context, queues.newBlocks)) + (await decodeBatch(context, queues.infos));
      const calls = await decodeBatch(context, queues.calls);
      await backlog.report(all);
      // Most creations are among the transactions whose call information is read.
      const found = await askAboutContracts(context, infos === 0);
      return infos + calls + found > 0 ? 0 : IDLE_MS;
    },
    async onFault(error) {
      for (const queue of all) await queue.restart();
      logger.debug({ reason: reasonOf(error) }, 'Could not decode contract calls');
      return IDLE_MS;
    },
  });
  for (const queue of all) await queue.restart();
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
function createQueue(due: (after?: DuePlace) => Promise<DueCall[]>): Queue {
  let ahead: Promise<DueCall[]> | undefined;
  let saving = Promise.resolve();
  let saved = 0;
  const read = (after?: DueCall): Promise<DueCall[]> => {
    const reading = due(after);
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
function createBacklog({ database, metrics }: DecodeOptions): { report(queues: readonly Queue[]): Promise<void> } {
  let pending = 0;
  let countAt = -Infinity;
  return {
    async report(queues) {
      const takeSaved = (): number => queues.reduce((sum, queue) => sum + queue.takeSaved(), 0);
      pending = Math.max(0, pending - takeSaved());
      const start = performance.now();
      if (start >= countAt) {
        // Set before the count, so that a failed one is not repeated at once.
        countAt = start + COUNT_MS;
        for (const queue of queues) await queue.idle();
        takeSaved();
        pending = await pendingCalls(database);
        countAt = start + Math.max(COUNT_MS, COUNT_FACTOR * (performance.now() - start));
      }
      metrics.decodeBacklog.set(pending);
    },
  };
}

/** What is known of a due transaction after node and compiler were asked. */
interface Outcome {
  call: DueCall;
  /** Absent if its call information was known before. */
  told?: ToldInfo;
  /** Absent if it is no call that can be decoded now. */
  decoded?: DecodedCall;
  /** The compiler did not answer. */
  isUndecoded: boolean;
}

/** Returns the number of transactions that node and compiler answered. */
async function decodeBatch(context: DecodeContext, queue: Queue): Promise<number> {
  const due = await queue.next();
  if (due.length === 0) return 0;
  const contracts = await contractsOf(context, due);
  const outcome = await askEach(context, due, (call) => answerOf(context, call, contracts.get(call.codeId)));
  await queue.save(() => saveCalls(context, outcome));
  if (outcome.isNodeAway) await queue.restart();
  return outcome.answered.length;
}

async function saveCalls(
  { database, fence }: DecodeContext,
  { answered, later, isNodeAway }: { answered: Outcome[]; later: DueCall[]; isNodeAway: boolean },
): Promise<number> {
  const isGivenUp = ({ info, attempts }: DueCall): boolean => info === null && attempts >= MAX_ATTEMPTS && !isNodeAway;
  const told = answered.flatMap((outcome) => outcome.told ?? []);
  const unknown = later
    .filter(isGivenUp)
    .map(({ position, hash }) => ({ position, hash, info: null, logs: [], outcome: null }));
  const positionsOf = (calls: readonly DueCall[]): bigint[] => calls.map(({ position }) => position);
  await database.transaction(async (tx) => {
    await fence(tx);
    await saveDecoded(
      tx,
      answered.flatMap(({ decoded }) => decoded ?? []),
    );
    await saveInfos(tx, [...told, ...unknown]);
    await postponeInfos(tx, positionsOf(later.filter((call) => !isGivenUp(call))));
    const undecoded = answered.filter(({ isUndecoded }) => isUndecoded).map(({ call }) => call);
    await postponeCalls(tx, positionsOf([...later, ...undecoded]));
    const isAnnounced = await announceLogs(
      tx,
      told.filter(({ logs }) => logs.length > 0).map(({ position }) => position),
    );
    await (isAnnounced ? numberAndWake(tx) : numberCommit(tx));
  });
  return answered.length;
}

/** Asks the node how contract creations ended, and for the code of contracts that other contracts created. Returns the number of answers. */
async function askAboutContracts(context: DecodeContext, withCreations: boolean): Promise<number> {
  const { database, node, fence } = context;
  const creations = withCreations ? await dueCreations(database, BATCH) : [];
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
    if (contractId === null) continue;
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

/** Reads the call information, if it is not known, and decodes the call. Throws if the node does not answer. */
async function answerOf(
  { node, logger }: DecodeContext,
  call: DueCall,
  contract: ContractDecoder | undefined,
): Promise<Outcome> {
  const info = call.info ?? (await node.info(call.hash));
  const transaction = { ...readTransaction(call.body), info };
  const outcome: Outcome = { call, isUndecoded: false };
  if (call.info === null) outcome.told = toldInfo(call, transaction);
  if (call.contractId === null) return outcome;
  try {
    outcome.decoded = await decode(call, transaction, contract);
  } catch (error) {
    logger.debug({ reason: reasonOf(error) }, 'Could not decode a contract call');
    outcome.isUndecoded = true;
  }
  return outcome;
}

function toldInfo({ position, hash }: DueCall, transaction: Transaction): ToldInfo {
  const { info } = transaction;
  const created = derive(transaction).operations.find(({ on, op }) => on === 'contract' && op === 'create');
  const outcome =
    created?.on === 'contract' && info !== null ? { contract: created.id, failed: !hasSucceeded(info) } : null;
  return { position, hash, info, logs: contractLogs(transaction), outcome };
}

/** The decoded call, without arguments if it cannot be decoded. Throws if the compiler does not answer. */
async function decode(
  { position, hash, codeId }: DueCall,
  transaction: Transaction,
  contract: ContractDecoder | undefined,
): Promise<DecodedCall> {
  if (contract === undefined) throw new Error('the code of its contract is no longer stored');
  const { tx } = effectiveOf(transaction);
  const call = { position, hash, codeId };
  const data = textMember(tx['call_data']);
  const decoded = data === null ? null : await contract.decodeCall(data);
  if (decoded === null) return { ...call, arguments: null, result: null };
  const result = await decodeResult(contract, textMember(decoded['function']), transaction.info);
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
