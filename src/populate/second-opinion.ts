/**
 * Asks another node for a share of what no proof covers: call information, and the head before its successor. Nobody knows which node lies, so a
 * difference changes nothing that is stored. It is reported until the nodes agree, or until the block is gone.
 */
import { parseExact } from '../chain/encoding/json.js';
import { heightOf, keyPosition, microPosition } from '../chain/position.js';
import type { ChainNode } from '../node/client.js';
import { isNodeFault } from '../node/faults.js';
import type { NodePool } from '../node/pool.js';
import { MiddlewareError, reasonOf } from '../observe/errors.js';
import { printable } from '../observe/printable.js';
import { microHashesAt, readHead, storedKeyBlock } from '../store/chain-state.js';
import {
  countOpinions,
  dueOpinions,
  forgetOpinion,
  forgetOpinions,
  postponeOpinion,
  recordOpinion,
  storedOutcome,
} from '../store/differing-opinions.js';
import { repeat } from '../runtime/repeat.js';
import type { BesideOptions } from './beside.js';
import { differingMember } from './differing-member.js';
import { infoOrUnknown } from './infos.js';
import { hasSucceeded } from './outcome.js';

interface SecondOpinionOptions extends Omit<BesideOptions, 'node' | 'work' | 'mayWork'> {
  node: NodePool;
  /** Part of what no proof covers, 0 to 1. */
  share: number;
  /** Pause between two looks, and before a question is repeated for the first time, ms. */
  pauseMs?: number | undefined;
}

interface SecondOpinion {
  /** The nodes. A share of the call information that they answer is asked of another node as well, later. */
  node: ChainNode;
  /** Call it when the stored head has changed: a share of the heads is asked of another node. */
  onHead(): void;
  /** Runs until the signal aborts. The load neither waits for it nor fails with it. */
  run(): Promise<void>;
}

/** What is to be asked of another node. */
interface Question {
  /** Hash of a transaction, or of the last block of the head. */
  hash: string;
  /** Address of the node that answered. */
  url: string;
  /** Height of the head. */
  height?: number;
  attempts: number;
  /** `performance.now()` */
  dueAt: number;
}

type Answer = { outcome: 'same' | 'unanswered' | 'gone' } | { outcome: 'different'; reason: string; position: bigint };

const PAUSE_MS = 2_000;
/** Before a difference is reported the nodes are asked again, with pauses that double: blocks reach nodes at different times. */
const ATTEMPTS = { info: 5, head: 8 };
/** Max questions that wait; others are left out. */
const MAX_WAITING = 1_000;
/** Max recorded differences about which the nodes are asked again at a time. */
const BATCH = 20;

export function createSecondOpinion(options: SecondOpinionOptions): SecondOpinion {
  const { database, node, share, logger, metrics, signal, fence, pauseMs = PAUSE_MS } = options;
  const waiting: Question[] = [];
  let hasNewHead = false;

  const isDrawn = (): boolean => share > 0 && Math.random() < share;

  function add(asked: Asked): void {
    if (waiting.length < MAX_WAITING) waiting.push({ ...asked, attempts: 0, dueAt: performance.now() + pauseMs });
    else metrics.secondOpinions.inc({ outcome: 'left_out' });
  }

  async function addHead(): Promise<void> {
    if (!hasNewHead) return;
    hasNewHead = false;
    const head = await readHead(database);
    const url = node.report().find(({ followed }) => followed)?.url;
    if (head === null || url === undefined) return;
    add({ hash: head.microHashes.at(-1) ?? head.hash, url, height: head.height });
  }

  async function askOne(question: Question): Promise<void> {
    const answer = await opinionOf(options, question);
    question.attempts += 1;
    const isLast = question.attempts >= ATTEMPTS[question.height === undefined ? 'info' : 'head'];
    // What is asked about may not be stored yet.
    if (answer.outcome !== 'same' && !isLast) {
      question.dueAt = performance.now() + pauseMs * 2 ** question.attempts;
      return;
    }
    waiting.splice(waiting.indexOf(question), 1);
    metrics.secondOpinions.inc({ outcome: answer.outcome });
    if (answer.outcome !== 'different') return;
    const { reason, position } = answer;
    const { hash, url } = question;
    logger.warn({ reason }, 'Two nodes contradict each other about what cannot be proven');
    await database.transaction(async (tx) => {
      await fence(tx);
      await recordOpinion(tx, { hash, position, node: url, reason });
    });
  }

  return {
    node:
      share === 0
        ? node
        : {
            ...node,
            async info(hash, aborted) {
              const found = await node.infoWithNode(hash, aborted);
              if (found !== null && isDrawn()) add({ hash, url: found.url });
              return found?.answer ?? null;
            },
          },
    onHead() {
      if (isDrawn()) hasNewHead = true;
    },
    async run() {
      if (share === 0) return forgetAll(options);
      await repeat({
        signal,
        async runOnce() {
          await addHead();
          for (const question of [...waiting]) {
            signal.throwIfAborted();
            if (question.dueAt <= performance.now()) await askOne(question);
          }
          await askAgain(options);
          metrics.differingOpinions.set(await countOpinions(database));
          return pauseMs;
        },
        onFault(error) {
          logger.debug({ reason: reasonOf(error) }, 'Could not ask for a second opinion');
          return pauseMs;
        },
      });
    },
  };
}

/** Asks again about the recorded differences. */
async function askAgain(options: SecondOpinionOptions): Promise<void> {
  const { database, signal, fence } = options;
  for (const recorded of await dueOpinions(database, BATCH)) {
    signal.throwIfAborted();
    const { hash, node: url, position } = recorded;
    const isTransaction = hash.startsWith('th_');
    const answer = await opinionOf(options, { hash, url, ...(!isTransaction && { height: heightOf(position) }) });
    await database.transaction(async (tx) => {
      await fence(tx);
      if (answer.outcome === 'same' || answer.outcome === 'gone') return forgetOpinion(tx, hash);
      if (answer.outcome === 'different') await recordOpinion(tx, { ...recorded, ...answer });
      await postponeOpinion(tx, hash);
    });
  }
}

/** Without questions nobody would find out that the nodes agree again. */
async function forgetAll({ database, fence, signal, logger, metrics }: SecondOpinionOptions): Promise<void> {
  try {
    await database.transaction(async (tx) => {
      await fence(tx);
      await forgetOpinions(tx);
    });
    metrics.differingOpinions.set(0);
  } catch (error) {
    if (!signal.aborted) logger.debug({ reason: reasonOf(error) }, 'Could not forget what nodes contradicted');
  }
}

type Asked = Pick<Question, 'hash' | 'url' | 'height'>;

/** What the nodes say other than the one that answered. */
async function opinionOf(options: SecondOpinionOptions, asked: Asked): Promise<Answer> {
  try {
    const { height } = asked;
    return await (height === undefined ? opinionOfInfo(options, asked) : opinionOfHead(options, asked, height));
  } catch (error) {
    if (isNodeFault(error) && error.code !== 'node_closed') return { outcome: 'unanswered' };
    throw error;
  }
}

/** Compares what is stored. Of the creation of a contract that is only whether it failed. */
async function opinionOfInfo({ database, node }: SecondOpinionOptions, { hash, url }: Asked): Promise<Answer> {
  const stored = await storedOutcome(database, hash);
  if (stored === undefined) return { outcome: 'gone' };
  const { position, info, hasFailed } = stored;
  if (info === null && hasFailed === null) return { outcome: 'unanswered' };
  let isAnswered = false;
  for (const other of node.others(url)) {
    const theirs = await infoOrUnknown(other.node, hash);
    if (theirs == null) continue;
    isAnswered = true;
    const member =
      info === null
        ? differingMember({ failed: hasFailed }, { failed: !hasSucceeded(theirs) })
        : differingMember(parseExact(info), parseExact(theirs));
    if (member === undefined) continue;
    const what = `height ${heightOf(position)}: call information of ${hash}`;
    return { outcome: 'different', reason: printable(`${what}: ${member} (${url} and ${other.url})`), position };
  }
  return { outcome: isAnswered ? 'same' : 'unanswered' };
}

/** Whether other nodes have the block at its height. A node that lacks the last blocks has not answered yet. */
async function opinionOfHead(
  { database, node }: SecondOpinionOptions,
  { hash, url }: Asked,
  height: number,
): Promise<Answer> {
  const keyBlock = await storedKeyBlock(database, height);
  const microHashes = await microHashesAt(database, height);
  const blocks = keyBlock === null ? [] : [keyBlock.hash, ...microHashes];
  const index = blocks.indexOf(hash);
  if (index < 0) return { outcome: 'gone' };
  let isAnswered = false;
  for (const other of node.others(url)) {
    const generation = await other.node.generation(height);
    if (generation === null) continue;
    const theirs = [generation.keyBlock.hash, ...generation.microHashes];
    const differs = blocks.findIndex((block, i) => i <= index && theirs[i] !== block);
    if (differs < 0) isAnswered = true;
    if (differs < 0 || (theirs[differs] === undefined && (await other.node.keyBlock(height + 1)) === null)) continue;
    const has = `${url} has ${blocks[differs]!}, and ${other.url} has ${theirs[differs] ?? 'no block there'}`;
    const reason = printable(`height ${height}: ${has}`);
    const position = index === 0 ? keyPosition(height) : microPosition(height, index);
    return { outcome: 'different', reason, position };
  }
  return { outcome: isAnswered ? 'same' : 'unanswered' };
}

/** Throws if the setting needs another node, and all nodes are known to be one. */
export async function mustHaveSecondNode(node: NodePool, share: number): Promise<void> {
  if (share === 0) return;
  const reports = await node.check();
  const keys = node.peerKeys();
  // A node that is away may be another one.
  if (reports.some(({ state }) => state === 'unreachable') || new Set(keys.filter((key) => key !== undefined)).size > 1)
    return;
  const [key] = keys.filter((one) => one !== undefined);
  const found = key === undefined ? 'no peer key' : `one peer key, ${key}`;
  throw new MiddlewareError(
    'invalid_config',
    `SECOND_OPINION_SHARE=${share} needs a second node, and the addresses of NODE_URL have ${printable(found)}: add the address of another node, or set it to 0`,
  );
}
