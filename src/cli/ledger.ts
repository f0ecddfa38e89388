/** `-v --ledger`: compares the balances of accounts with a node's. */
import type { HeightRange } from '../config.js';
import type { ChainNode } from '../node/client.js';
import type { Logger } from '../observe/logger.js';
import { linePrinter } from '../observe/screen.js';
import type { Screen } from '../observe/screen.js';
import { tokenSupply } from '../node/token-supply.js';
import { verifyLedger } from '../populate/verify-ledger.js';
import type { WrongBalance } from '../populate/verify-ledger.js';
import { supplyHeights, wrongSupply } from '../populate/verify-supply.js';
import type { Database } from '../store/connection/database.js';
import type { TerminationMessage } from './termination-message.js';

interface VerifyLedgerOptions {
  database: Database;
  node: Pick<ChainNode, 'get' | 'keyBlock'>;
  /** URL of the internal interface of the node, which tells the supply; absent if it is not set. */
  internalUrl: string | undefined;
  nodeCaFile: string | undefined;
  logger: Logger;
  screen: Screen;
  signal: AbortSignal;
  heights: HeightRange[] | undefined;
  /** Share of the accounts, in percent. */
  share: number;
  json: boolean;
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Pause between two lines of the log about the progress, ms. */
const LOG_MS = 10_000;
/** Wrong balances in a termination message. */
const MAX_NAMED = 3;

/** Prints each wrong balance and part of the supply to standard output, and a summary to standard error. The message is `ok` if all were compared and the same. */
export async function verifyBalances(options: VerifyLedgerOptions): Promise<TerminationMessage> {
  const { signal, json, screen, logger, onProgress } = options;
  const [print, summarize] = [linePrinter(screen, 'stdout'), linePrinter(screen, 'stderr')];
  const named: string[] = [];
  const counts = { same: 0, wrong: 0, unknown: 0, early: 0, parts: 0 };
  const accounts = new Set<string>();
  let loggedAt = performance.now();
  const report = (done: number, total: number): void => {
    onProgress?.(done, total);
    if (performance.now() < loggedAt + LOG_MS) return;
    loggedAt = performance.now();
    logger.info({ done, total, accounts: accounts.size, wrong: counts.wrong }, 'Comparing balances with the node');
  };
  const name = (text: string, members: object): void => {
    if (named.length < MAX_NAMED) named.push(text);
    print(json ? JSON.stringify({ ...members, ok: false }) : `Not OK: ${text}`);
  };
  try {
    for await (const verdict of verifyLedger({ ...options, onProgress: report })) {
      accounts.add(verdict.account);
      counts[verdict.is] += 1;
      if (verdict.is !== 'wrong') continue;
      const { wrong } = verdict;
      name(sentence(wrong), { ...wrong, amount: String(wrong.amount) });
    }
    for (const text of await differencesOfSupply(options, summarize)) {
      counts.parts += 1;
      name(text, { supply: text });
    }
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  const { same, wrong, unknown, early, parts } = counts;
  const found = [
    ...(wrong > 0 ? [`${wrong} not OK`] : []),
    ...(unknown > 0 ? [`${unknown} not known to the node`] : []),
    ...(early > 0
      ? [`${early} wait for the coins of the genesis block, which the populator learns from the node`]
      : []),
    ...(parts > 0 ? [`${parts} parts of the supply not OK`] : []),
  ];
  const compared = `${same + wrong + unknown + early} balances of ${accounts.size} accounts compared with the node`;
  const message = `${compared}, ${found.length === 0 ? 'all OK' : found.join(', ')}`;
  if (signal.aborted) {
    summarize(`Interrupted: ${message}`);
    return { ok: false, code: 'interrupted', message: `Interrupted: ${message}`, checked: same };
  }
  summarize(message);
  if (found.length === 0) return { ok: true, message, checked: same };
  return {
    ok: false,
    code: 'differs',
    message: [message, ...named].join('; '),
    checked: same,
    differing: '',
    cut: true,
  };
}

const sentence = ({ account, height, block, amount }: WrongBalance): string =>
  `${account} has ${amount > 0n ? amount : -amount} ${amount > 0n ? 'more' : 'less'} at the node after ${
    block === null ? `height ${height}` : `block ${block} at height ${height}`
  }`;

/** What the node says otherwise of the sum of all coins and of its parts. */
async function differencesOfSupply(
  { database, node, internalUrl, nodeCaFile, heights, signal }: VerifyLedgerOptions,
  summarize: (line: string) => void,
): Promise<string[]> {
  if (internalUrl === undefined) {
    summarize('The supply is not compared: set NODE_INTERNAL_URL');
    return [];
  }
  const found: string[] = [];
  for (const height of await supplyHeights(database, heights)) {
    const hash = (await node.keyBlock(height))?.hash;
    const text = await tokenSupply(internalUrl, height, { caFile: nodeCaFile, signal });
    const wrong = text && hash !== undefined ? await wrongSupply(database, { height, hash }, text) : undefined;
    if (wrong === undefined) {
      found.push(`the supply at height ${height} is not known to the node, or not of this block`);
      continue;
    }
    if (wrong.length === 0) summarize(`The supply at height ${height} is that of the node, part by part`);
    for (const { part, ours, node: theirs } of wrong)
      found.push(`${part} of the supply at height ${height}: ${ours}, at the node ${theirs}`);
  }
  return found;
}
