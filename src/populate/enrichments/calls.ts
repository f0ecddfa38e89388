/** Reads the call information of transactions that run a contract, and decodes contract calls. */
import { contractLogs } from '../../chain/contract-logs.js';
import { derive } from '../../chain/derive.js';
import { effectiveOf } from '../../chain/effective.js';
import { readTransaction } from '../../chain/facts.js';
import type { Transaction } from '../../chain/facts.js';
import type { ContractDecoder } from '../../compiler/decoder.js';
import { reasonOf } from '../../observe/errors.js';
import { contractCodes, dueCalls, dueInfos, pendingCalls, postponeCalls, saveDecoded } from '../../store/calls.js';
import type { DecodedCall, DueCall } from '../../store/calls.js';
import { postponeInfos } from '../../store/due-infos.js';
import type { AnsweredInfo } from '../../store/due-infos.js';
import { announceLogs } from '../../store/write/announce-logs.js';
import { saveAnswers } from '../../store/write/answers.js';
import { hasSucceeded } from '../outcome.js';
import { seldom } from './counting.js';
import { decode, textMember } from './decode.js';
import { MAX_CODES } from './contracts.js';
import { MAX_REQUESTS, commit } from './enrichment.js';
import type { Asked, EnrichContext, Enrichment } from './enrichment.js';
import type { Queue } from './queue.js';

/** Faults after which call information counts as unknown: nodes answer 500 to that of some transactions, for ever. */
const MAX_ATTEMPTS = 6;
/** Min time between two counts of what waits, ms. */
const COUNT_MS = 60_000;

/** What is known of a due transaction after node and compiler were asked. */
interface Outcome {
  call: DueCall;
  /** Absent if its call information was known before. */
  answered?: AnsweredInfo;
  /** Absent if it is no call that can be decoded now. */
  decoded?: DecodedCall;
  /** The compiler did not answer. */
  isUndecoded: boolean;
}

const SHARED = {
  batch: 1_000,
  requests: MAX_REQUESTS,
  async asker(context: EnrichContext, due: readonly DueCall[]) {
    const contracts = await contractsOf(context, due);
    return (call: DueCall) => answerOf(context, call, contracts.get(call.codeId));
  },
  store,
};

export const newInfos: Enrichment<DueCall, Outcome> = {
  ...SHARED,
  due: (db, limit) => dueInfos(db, 'new blocks', limit),
  dueAfter: (db, limit, last) => dueInfos(db, 'new blocks', limit, last),
};

/** That of the first load, and what is due for another attempt. */
export const infos: Enrichment<DueCall, Outcome> = {
  ...SHARED,
  due: (db, limit) => dueInfos(db, 'others', limit),
  dueAfter: (db, limit, last) => dueInfos(db, 'others', limit, last),
};

export const calls: Enrichment<DueCall, Outcome> = { ...SHARED, due: dueCalls, dueAfter: dueCalls };

function store(context: EnrichContext, { answered, later, isNodeAway }: Asked<DueCall, Outcome>): Promise<void> {
  const isGivenUp = ({ info, attempts }: DueCall): boolean => info === null && attempts >= MAX_ATTEMPTS && !isNodeAway;
  const known = answered.flatMap((outcome) => outcome.answered ?? []);
  const unknown = later
    .filter(isGivenUp)
    .map(({ position, hash }) => ({ position, hash, info: null, logs: [], outcome: null }));
  const positionsOf = (of: readonly DueCall[]): bigint[] => of.map(({ position }) => position);
  return commit(context, async (tx) => {
    await saveDecoded(
      tx,
      answered.flatMap(({ decoded }) => decoded ?? []),
    );
    await saveAnswers(tx, [...known, ...unknown]);
    await postponeInfos(tx, positionsOf(later.filter((call) => !isGivenUp(call))));
    const undecoded = answered.filter(({ isUndecoded }) => isUndecoded).map(({ call }) => call);
    await postponeCalls(tx, positionsOf([...later, ...undecoded]));
    return announceLogs(
      tx,
      known.filter(({ logs }) => logs.length > 0).map(({ position }) => position),
    );
  });
}

/** Returns what reports the number of pending calls. Between two counts, those stored are subtracted. */
export function reportBacklog({ database, metrics }: EnrichContext): (queues: readonly Queue[]) => Promise<void> {
  const counted = seldom(database, pendingCalls, COUNT_MS);
  let pending = 0;
  return async (queues) => {
    const takeStored = (): number => queues.reduce((sum, queue) => sum + queue.takeStored(), 0);
    pending = Math.max(0, pending - takeStored());
    const count = await counted(async () => {
      for (const queue of queues) await queue.idle();
      takeStored();
    });
    if (count !== undefined) pending = count;
    metrics.decodeBacklog.set(pending);
  };
}

/** Decoders of the called contracts, by the id of their code. Code that is not cached is read and parsed once. */
async function contractsOf(
  { database, decoders }: EnrichContext,
  due: readonly DueCall[],
): Promise<Map<string, ContractDecoder>> {
  const found = new Map<string, ContractDecoder>();
  const missing = new Set<string>();
  for (const { codeId, contractId } of due) {
    if (contractId === null) continue;
    const known = decoders.get(codeId);
    if (known === undefined) missing.add(contractId);
    else found.set(codeId, known);
  }
  const ids = [...missing];
  for (let from = 0; from < ids.length; from += MAX_CODES) {
    for (const { codeId, creation, code } of await contractCodes(database, ids.slice(from, from + MAX_CODES))) {
      const text = creation === null ? code : textMember(effectiveOf(readTransaction(creation)).tx['code']);
      found.set(codeId, decoders.add(codeId, text));
    }
  }
  return found;
}

/** Reads the call information, if it is not known, and decodes the call. Throws if the node does not answer. */
async function answerOf(
  { node, logger }: EnrichContext,
  call: DueCall,
  contract: ContractDecoder | undefined,
): Promise<Outcome> {
  const info = call.info ?? (await node.info(call.hash));
  const transaction = { ...readTransaction(call.body), info };
  const outcome: Outcome = { call, isUndecoded: false };
  if (call.info === null) outcome.answered = answeredInfo(call, transaction);
  if (call.contractId === null) return outcome;
  try {
    outcome.decoded = await decode(call, transaction, contract);
  } catch (error) {
    logger.debug({ reason: reasonOf(error) }, 'Could not decode a contract call');
    outcome.isUndecoded = true;
  }
  return outcome;
}

function answeredInfo({ position, hash }: DueCall, transaction: Transaction): AnsweredInfo {
  const { info } = transaction;
  const created = derive(transaction).operations.find(({ on, op }) => on === 'contract' && op === 'create');
  const outcome =
    created?.on === 'contract' && info !== null ? { contract: created.id, failed: !hasSucceeded(info) } : null;
  return { position, hash, info, logs: contractLogs(transaction), outcome };
}
