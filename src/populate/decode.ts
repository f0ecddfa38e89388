import { LRUCache } from 'lru-cache';
import { effectiveOf } from '../chain/effective.js';
import { readTransaction } from '../chain/facts.js';
import { isObject, parsePlain, stringifyExact } from '../chain/encoding/json.js';
import type { Json } from '../chain/encoding/json.js';
import type { CallDecoder, ContractDecoder } from '../compiler/decoder.js';
import type { ChainNode } from '../node/client.js';
import { isNodeFault } from '../node/faults.js';
import { reasonOf } from '../observe/errors.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
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
import { numberCommit } from '../store/connection/commit-number.js';
import type { Database, DbTransaction } from '../store/connection/database.js';

export type { CallDecoder };

interface DecodeOptions {
  database: Database;
  node: ChainNode;
  decoder: CallDecoder;
  logger: Logger;
  metrics: Metrics;
  signal: AbortSignal;
  fence: (tx: DbTransaction) => Promise<void>;
  /** False while the load needs the node and the database for itself. */
  mayWork: () => boolean;
  /** Resolves after a time, ms, or before when blocks were stored. */
  rest: (ms: number) => Promise<void>;
}

interface DecodeContext extends DecodeOptions {
  /** Contracts called recently, by the identity of their code. */
  contracts: LRUCache<string, ContractDecoder>;
}

const BATCH = 1_000;
/** Max concurrent requests to the node, so that following the chain does not wait behind more. */
const AT_ONCE = 16;
/** Between looks for calls that others stored, or that are to be tried again, ms. */
const IDLE_MS = 2_000;
/** Characters of code whose contracts are kept. */
const KEPT_CODE = 32 * 1024 * 1024;
/** Contracts whose code is read or asked for at once, which bounds what is in memory. */
const CODES = 100;

/**
 * Decodes contract calls in the background, until the signal: the load neither waits for it nor fails with it. A call
 * that fails is tried again later, with growing pauses.
 */
export async function decodeCalls(options: DecodeOptions): Promise<void> {
  const { logger, signal } = options;
  const context = { ...options, contracts: new LRUCache<string, ContractDecoder>({ maxSize: KEPT_CODE }) };
  const backlog = createBacklog(options);
  const queue = createQueue(options.database);
  while (!signal.aborted) {
    try {
      const done = options.mayWork() ? await decodeBatch(context, queue) : 0;
      await backlog.report(queue);
      const found = options.mayWork() ? await askAboutContracts(context) : 0;
      if (done + found > 0) continue;
    } catch (error) {
      await queue.restart();
      if (signal.aborted) return;
      logger.debug({ reason: reasonOf(error) }, 'Could not decode contract calls');
    }
    await options.rest(IDLE_MS);
  }
  await queue.restart();
}

interface Queue {
  /** Calls that are due, behind those of the time before; none when all are saved. */
  next(): Promise<DueCall[]>;
  /** Begins to save once what was saved before is; its fault is thrown by what is called next. */
  save(work: () => Promise<number>): Promise<void>;
  /** Number of calls saved since this was asked last. */
  settled(): number;
  /** Waits until nothing is saved any more. */
  idle(): Promise<void>;
  /** Waits until nothing is saved any more and begins with the oldest again. Never throws. */
  restart(): Promise<void>;
}

/** The next calls are read, and the last ones saved, while the node is asked about those in between. */
function createQueue(database: Database): Queue {
  let ahead: Promise<DueCall[]> | undefined;
  let saved = Promise.resolve();
  let settled = 0;
  const read = (after?: DueCall): Promise<DueCall[]> => {
    const reading = dueCalls(database, BATCH, after);
    // Its fault is heard when it is looked at.
    reading.catch(() => undefined);
    return reading;
  };
  return {
    async next() {
      // With nothing read ahead all were read: those that are not saved yet would be found again.
      if (ahead === undefined) await saved;
      const due = await (ahead ?? read());
      ahead = due.length === BATCH ? read(due.at(-1)) : undefined;
      return due;
    },
    async save(work) {
      await saved;
      saved = work().then((count) => void (settled += count));
      saved.catch(() => undefined);
    },
    settled() {
      const count = settled;
      settled = 0;
      return count;
    },
    idle: () => saved,
    async restart() {
      ahead = undefined;
      await saved.catch(() => undefined);
      saved = Promise.resolve();
    },
  };
}

const COUNT_MS = 60_000;
/** Counting takes max one part in so many of the time. */
const COUNT_SHARE = 100;

/** Number of pending calls: counted seldom, because a count reads them all; in between, the calls saved are subtracted. */
function createBacklog({ database, metrics }: DecodeOptions): { report(queue: Queue): Promise<void> } {
  let left = 0;
  let countAt = -Infinity;
  return {
    async report(queue) {
      left = Math.max(0, left - queue.settled());
      const start = performance.now();
      if (start >= countAt) {
        // A count that fails is not tried again at once either.
        countAt = start + COUNT_MS;
        await queue.idle();
        queue.settled();
        left = await pendingCalls(database);
        countAt = start + Math.max(COUNT_MS, COUNT_SHARE * (performance.now() - start));
      }
      metrics.decodeBacklog.set(left);
    },
  };
}

/** Returns the number of calls that were answered. */
async function decodeBatch(context: DecodeContext, queue: Queue): Promise<number> {
  const due = await queue.next();
  if (due.length === 0) return 0;
  const contracts = await contractsOf(context, due);
  const asked = await askEach(context, due, (call) => decode(context, call, contracts.get(call.codeId)));
  await queue.save(() => saveCalls(context, asked));
  if (!asked.answers) await queue.restart();
  return asked.answered.length;
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

/** Asks how creations ended, and for the code of contracts that contracts made; returns the number of answers. */
async function askAboutContracts(context: DecodeContext): Promise<number> {
  const { database, node, fence } = context;
  const creations = await dueCreations(database, BATCH);
  const codes = await dueCodes(database, CODES);
  if (creations.length + codes.length === 0) return 0;
  const ended = await askEach(context, creations, async (creation) => {
    const info = await node.info(creation.hash);
    return info === null ? null : { ...creation, failed: !endedWell(parsePlain(info)) };
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
 * Asks node or compiler about each: the answers, and what is to be asked again later, after a fault or because nothing is known
 * (null). Once the node no longer answers, the rest stays due.
 */
async function askEach<Due, Answer>(
  { logger }: DecodeContext,
  due: readonly Due[],
  ask: (one: Due) => Promise<Answer | null>,
): Promise<{ answered: Answer[]; later: Due[]; answers: boolean }> {
  const answered: Answer[] = [];
  const later: Due[] = [];
  let answers = true;
  const left = due.values();
  const work = async (): Promise<void> => {
    for (const one of left) {
      if (!answers) return;
      try {
        const answer = await ask(one);
        if (answer === null) later.push(one);
        else answered.push(answer);
      } catch (error) {
        logger.debug({ reason: reasonOf(error) }, 'The node or the compiler did not answer about a contract');
        later.push(one);
        if (isNodeFault(error)) answers = false;
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { answered, later, answers };
}

/** Decoders of the contracts that are called, by the identity of their code; each code is read and parsed once. */
async function contractsOf(
  { database, decoder, contracts }: DecodeContext,
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
  for (let from = 0; from < ids.length; from += CODES) {
    for (const { codeId, creation, code } of await contractCodes(database, ids.slice(from, from + CODES))) {
      const text = creation === null ? code : textMember(effectiveOf(readTransaction(creation)).tx['code']);
      const contract = text === null ? UNDECODABLE : decoder(text);
      found.set(codeId, contract);
      contracts.set(codeId, contract, { size: 1 + (text?.length ?? 0) });
    }
  }
  return found;
}

const UNDECODABLE: ContractDecoder = {
  decodeCall: () => Promise.resolve(null),
  decodeResult: () => Promise.resolve(null),
};

/** The decoded call; throws if node or compiler could not be asked now. */
async function decode(
  { node }: DecodeContext,
  { position, hash, codeId, body }: DueCall,
  contract: ContractDecoder | undefined,
): Promise<DecodedCall> {
  if (contract === undefined) throw new Error('the code of its contract has gone');
  const info = await node.info(hash);
  const envelope = parsePlain(body);
  const tx = isObject(envelope) ? envelope['tx'] : undefined;
  const data = isObject(tx) ? textMember(tx['call_data']) : null;
  const decoded = data === null ? null : await contract.decodeCall(data);
  if (decoded === null) return { position, hash, codeId, arguments: null, result: null, info };
  const result = await decodeResult(contract, textMember(decoded['function']), info);
  return { position, hash, codeId, arguments: stringifyExact(decoded), result, info };
}

/** The return value as far as it is known; a call that failed has none. */
async function decodeResult(
  contract: ContractDecoder,
  name: string | null,
  info: string | null,
): Promise<string | null> {
  const answer = info === null ? null : parsePlain(info);
  const call = isObject(answer) ? answer['call_info'] : undefined;
  if (name === null || !isObject(call) || call['return_type'] !== 'ok') return null;
  const value = textMember(call['return_value']);
  if (value === null) return null;
  const result = await contract.decodeResult(name, value);
  return result === null ? null : stringifyExact(result);
}

/** Whether an execution result, and each one within it, ended with `ok`. Nodes before 3.0 do not name what it is of. */
function endedWell(info: Json | undefined): boolean {
  if (!isObject(info)) return true;
  const { return_type: type, call_info: call, ga_info: authentication, inner_object: inner } = info;
  return (type === undefined || type === 'ok') && [call, authentication, inner].every(endedWell);
}

const textMember = (value: unknown): string | null => (typeof value === 'string' ? value : null);
