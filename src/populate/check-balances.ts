/** Compares the balances of all accounts with a node's, again and again, and finds the blocks in which they differ. */
import { parseExact, isObject } from '../chain/encoding/json.js';
import { MalformedError } from '../chain/malformed.js';
import { heightOf } from '../chain/position.js';
import { reasonOf } from '../observe/errors.js';
import { repeat } from '../runtime/repeat.js';
import { numberCommit } from '../store/connection/commit-number.js';
import type { Database } from '../store/connection/database.js';
import {
  accountsAfter,
  askAboutMismatch,
  balanceAfter,
  balancesWithin,
  countChecks,
  heightWithGap,
  saveChecks,
} from '../store/projections/ledger-checks.js';
import type { CheckedAccount } from '../store/projections/ledger-checks.js';
import { readLedger } from '../store/projections/ledger-blocks.js';
import { correct } from '../store/projections/ledger-rewrite.js';
import type { Mismatch } from '../store/projections/ledger-rewrite.js';
import { beginMending } from '../store/write/mend.js';
import type { ChainNode } from '../node/client.js';
import type { BesideOptions } from './beside.js';
import { seldom } from './enrichments/counting.js';

interface CheckOptions extends BesideOptions {
  /** Whether the node can be asked what changed balances: then a mismatch is asked about, and no row is made of it. */
  hasRosetta: boolean;
  /** Max share of the time, in percent; 0 for none. */
  share: number;
  /** Waits that long, or less if there is something to do. */
  pauseMs?: number;
}

interface Walk {
  /** Key of the last account; 0 before the first one. */
  after: number;
  /** Accounts of this walk so far, and those of the last whole one: to count them all would read all rows. */
  seen: number;
  accounts: number | undefined;
  /**
   * A height at which all accounts are compared as well: their balances may differ there and be the same again above it, if what a contract paid was paid
   * back. With each walk it is the next one above a generation of which our rules do not tell all; 0 for none.
   */
  tried: number;
}

/** Accounts compared in one turn. */
const ACCOUNTS = 20;
/** Key blocks above a compared one: a reorg seldom replaces more, and then nothing has to be compared again. */
const DEPTH = 10;
const IDLE_MS = 10_000;
const COUNT_MS = 60_000;

/** Runs until the signal aborts. The load neither waits for it nor fails with it. */
export async function checkBalances(options: CheckOptions): Promise<void> {
  const { database, signal, share, logger, metrics, pauseMs = IDLE_MS } = options;
  if (share === 0) return;
  const walk: Walk = { after: 0, seen: 0, accounts: undefined, tried: 0 };
  const counted = seldom(database, () => report(options, walk), pauseMs === IDLE_MS ? COUNT_MS : 0);
  await repeat({
    signal,
    async runOnce() {
      if (!options.mayWork()) return pauseMs;
      const start = performance.now();
      const accounts = await accountsAfter(database, walk.after, ACCOUNTS);
      for (const account of accounts) await checkAccount(options, account, walk.tried);
      walk.after = accounts.at(-1)?.key ?? 0;
      walk.seen += accounts.length;
      if (accounts.length === 0) {
        Object.assign(walk, { accounts: walk.seen, seen: 0 });
        walk.tried = await heightWithGap(database, walk.tried);
      }
      await counted();
      return accounts.length === 0 ? pauseMs : Math.min(pauseMs, (performance.now() - start) * (100 / share - 1));
    },
    onFault(error) {
      logger.debug({ reason: reasonOf(error) }, 'Could not compare balances with the node');
      return pauseMs;
    },
  });
  const { accountsVerified, accountsVerifiedShare, accountMismatches, accountMismatchHeight } = metrics;
  for (const gauge of [accountsVerified, accountsVerifiedShare, accountMismatches, accountMismatchHeight])
    gauge.remove();
}

async function report({ database, metrics }: CheckOptions, { accounts }: Walk): Promise<number> {
  const { verified, wrong, oldest } = await countChecks(database);
  metrics.accountsVerified.set(verified);
  if (accounts !== undefined && accounts > 0) metrics.accountsVerifiedShare.set(verified / accounts);
  metrics.accountMismatches.set(wrong);
  if (oldest === null) metrics.accountMismatchHeight.remove();
  else metrics.accountMismatchHeight.set(oldest);
  return wrong;
}

async function checkAccount(options: CheckOptions, account: CheckedAccount, tried: number): Promise<void> {
  const { database, node } = options;
  const ledger = await readLedger(database, false);
  const height = ledger === undefined ? -1 : heightOf(ledger.position) - DEPTH;
  if (height < 0) return;
  const top = await comparedAt(database, node, account, height);
  if (top === undefined) return;
  const wrong = top.difference === 0n ? await wrongBelow(options, account, Math.min(tried, height)) : height;
  if (wrong === undefined) return save(options, { ...account, height, hash: top.hash, wrongAt: null });
  const wrongAt = await firstWrong(database, node, account, wrong);
  if (wrongAt === undefined) return;
  const mismatch = await mismatchIn(database, node, account, wrongAt);
  if (mismatch === undefined) return;
  await settle(options, account, { height, hash: top.hash, wrongAt }, mismatch);
}

/** The height, if the balances differ there. */
async function wrongBelow(
  { database, node }: CheckOptions,
  account: CheckedAccount,
  height: number,
): Promise<number | undefined> {
  const compared = await comparedAt(database, node, account, height);
  return compared === undefined || compared.difference === 0n ? undefined : height;
}

type Place = { height: number; hash: string; wrongAt: number };

/** Asks about the generation, or makes a row of the difference. */
async function settle(options: CheckOptions, account: CheckedAccount, place: Place, mismatch: Mismatch): Promise<void> {
  const { database, fence, hasRosetta, logger } = options;
  // The genesis block has no generation below it: no answer tells its coins.
  const isAsked = hasRosetta && mismatch.end > 0n;
  await database.transaction(async (tx) => {
    await beginMending(tx);
    await fence(tx);
    // What a key block does is in the answer about the generation below it.
    if (isAsked) await askAboutMismatch(tx, heightOf(mismatch.end - 1n));
    else await correct(tx, mismatch);
    await saveChecks(tx, [{ ...place, key: account.key }]);
    await numberCommit(tx);
  });
  const { hash, amount } = mismatch;
  logger.info(
    { account: account.id, block: hash, amount: String(amount) },
    'The node has another balance after a block',
  );
}

const save = (
  { database, fence }: CheckOptions,
  check: { key: number; height: number; hash: string; wrongAt: number | null },
): Promise<void> =>
  database.transaction(async (tx) => {
    await fence(tx);
    await saveChecks(tx, [check]);
    await numberCommit(tx);
  });

interface Compared {
  hash: string;
  /** What the node says more. */
  difference: bigint;
}

/** Undefined if the block is not there, or the node does not know the balance at it. */
async function comparedAt(
  db: Database,
  node: Pick<ChainNode, 'get'>,
  { key, id }: CheckedAccount,
  height: number,
): Promise<Compared | undefined> {
  const ours = await balanceAfter(db, key, height);
  if (ours === undefined) return undefined;
  const theirs = await nodeBalance(node, id, ours.hash);
  return theirs === undefined ? undefined : { hash: ours.hash, difference: theirs - ours.balance };
}

/** The first height after whose key block the balances differ, between the last one that was the same and one that differs. */
async function firstWrong(
  db: Database,
  node: Pick<ChainNode, 'get'>,
  account: CheckedAccount,
  wrong: number,
): Promise<number | undefined> {
  let [same, differs] = [account.height < wrong ? account.height : -1, wrong];
  while (differs - same > 1) {
    const middle = Math.floor((same + differs) / 2);
    const compared = await comparedAt(db, node, account, middle);
    if (compared === undefined) return undefined;
    if (compared.difference === 0n) same = middle;
    else differs = middle;
  }
  return differs;
}

/** The first block in which the balance changed otherwise: a micro block of the generation below, or the key block. */
async function mismatchIn(
  db: Database,
  node: Pick<ChainNode, 'get'>,
  { key, id }: CheckedAccount,
  wrongAt: number,
): Promise<Mismatch | undefined> {
  for (const { hash, position, end, balance } of await balancesWithin(db, key, wrongAt - 1)) {
    const theirs = await nodeBalance(node, id, hash);
    if (theirs === undefined) return undefined;
    if (theirs !== balance) return { account: id, hash, position, end, amount: theirs - balance };
  }
  return undefined;
}

/** The balance after a block; undefined if the node does not know it. An account that it does not have has nothing. */
async function nodeBalance(node: Pick<ChainNode, 'get'>, id: string, hash: string): Promise<bigint | undefined> {
  const { status, text } = await node.get(`/accounts/${id}/hash/${hash}`);
  if (status === 404) return /account/i.test(text) ? 0n : undefined;
  if (status !== 200) return undefined;
  // An answer that cannot be read is like none: it must not stop the walk.
  try {
    const answer = parseExact(text);
    const balance = isObject(answer) ? answer['balance'] : undefined;
    return typeof balance === 'bigint' || Number.isSafeInteger(balance)
      ? BigInt(balance as number | bigint)
      : undefined;
  } catch (error) {
    if (error instanceof MalformedError) return undefined;
    throw error;
  }
}
