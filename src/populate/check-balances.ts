/** Compares the balances of all accounts with a node's, again and again, and finds the blocks in which they differ. */
import { heightOf } from '../chain/position.js';
import { reasonOf } from '../observe/errors.js';
import { repeat } from '../runtime/repeat.js';
import { numberCommit } from '../store/connection/commit-number.js';
import {
  accountsAfter,
  askAboutMismatch,
  isAnsweredInPart,
  countChecks,
  heightWithGap,
  saveChecks,
} from '../store/projections/ledger-checks.js';
import type { CheckedAccount } from '../store/projections/ledger-checks.js';
import { readLedger } from '../store/projections/ledger-blocks.js';
import { correct } from '../store/projections/ledger-rewrite.js';
import type { Mismatch } from '../store/projections/ledger-rewrite.js';
import { beginMending } from '../store/write/mend.js';
import { nodeBalance } from '../node/balances.js';
import type { ChainNode } from '../node/client.js';
import type { BesideOptions } from './beside.js';
import type { NodePool } from '../node/pool.js';
import { comparedAt, firstWrong, mismatchIn } from './node-balances.js';
import { seldom } from './enrichments/counting.js';

interface CheckOptions extends BesideOptions {
  /** Whether the node can be asked what changed balances: then a mismatch is asked about, and no row is made of it, unless its answers are only a part. */
  hasRosetta: boolean;
  /** Max share of the time, in percent; 0 for none. */
  share: number;
  node: BesideOptions['node'] & Partial<Pick<NodePool, 'others'>>;
  /** Part of the balances that another node is asked for as well, 0 to 1. One that differed is always asked for. */
  secondShare?: number;
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
  if (wrong === undefined) {
    const wrongAt = await disputedAt(options, account, height);
    if (wrongAt !== undefined) await save(options, { ...account, height, hash: top.hash, wrongAt });
    return;
  }
  const wrongAt = await firstWrong(database, node, account, account.height, wrong);
  if (wrongAt === undefined) return;
  const mismatch = await mismatchIn(database, node, account, wrongAt);
  if (mismatch === undefined) return;
  const place = { height, hash: top.hash, wrongAt };
  if (await isDisputed(options, account, mismatch)) return save(options, { ...place, key: account.key });
  await settle(options, account, place, mismatch);
}

/** A node that is not the one that was asked; undefined if there is none. */
function anotherNode({ node }: CheckOptions): { url: string; node: Pick<ChainNode, 'get'> } | undefined {
  const others = node.others?.() ?? [];
  return others[Math.floor(Math.random() * others.length)];
}

/**
 * Asks another node for a share of the balances that are the same at the first one: it may have lied to us in all its answers. Returns the first height at which
 * the other one has another balance, null if it has the same or was not asked, and undefined if nothing can be said: what it said before stays.
 */
async function disputedAt(
  options: CheckOptions,
  account: CheckedAccount,
  height: number,
): Promise<number | null | undefined> {
  const { database, secondShare = 0, logger } = options;
  const other = account.isWrong || Math.random() < secondShare ? anotherNode(options) : undefined;
  if (other === undefined) return null;
  const compared = await comparedAt(database, other.node, account, height);
  if (compared === undefined) return account.isWrong ? undefined : null;
  if (compared.difference === 0n) return null;
  const wrongAt = await firstWrong(database, other.node, account, account.height, height);
  logger.warn({ account: account.id, height: wrongAt ?? height, node: other.url }, 'Two nodes have other balances');
  return wrongAt ?? height;
}

/** Whether another node says of the block what our rows do, or something else: then nobody knows who is right, and nothing is made of it. */
async function isDisputed(options: CheckOptions, { id }: CheckedAccount, { hash }: Mismatch): Promise<boolean> {
  const other = anotherNode(options);
  if (other === undefined) return false;
  const [own, theirs] = [await nodeBalance(options.node, id, hash), await nodeBalance(other.node, id, hash)];
  if (theirs === undefined || own === theirs) return false;
  options.logger.warn({ account: id, block: hash, node: other.url }, 'Two nodes have other balances');
  return true;
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
  // What a key block does is in the answer about the generation below it. The genesis block has none: no answer tells its coins.
  const generation = heightOf(mismatch.end - 1n);
  await database.transaction(async (tx) => {
    await beginMending(tx);
    await fence(tx);
    const isAsked = hasRosetta && mismatch.end > 0n && !(await isAnsweredInPart(tx, generation));
    if (isAsked) await askAboutMismatch(tx, generation);
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
