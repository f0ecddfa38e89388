/** Compares the balances of all accounts with a node's, and finds the block in which one begins to differ. Changes nothing. */
import { heightOf } from '../chain/position.js';
import type { ChainNode } from '../node/client.js';
import type { Database } from '../store/connection/database.js';
import { readLedger } from '../store/projections/ledger-blocks.js';
import { accountsAfter, isGenesisListed, lastAccount } from '../store/projections/ledger-checks.js';
import type { CheckedAccount } from '../store/projections/ledger-checks.js';
import { comparedAt, firstWrong, mismatchIn } from './node-balances.js';

export interface WrongBalance {
  /** ak_ */
  account: string;
  /** The block after which it is another one; the height alone where the node does not tell balances within the generation. */
  height: number;
  block: string | null;
  /** What the node says more. */
  amount: bigint;
}

/**
 * `unknown`: the node does not tell the balance, as without the state of an old block. `early`: it differs by coins of the genesis block, which a copy learns from
 * the node when it compares the account for the first time, unless it has a list of all of them.
 */
type BalanceVerdict = { account: string; height: number } & (
  { is: 'same' | 'unknown' | 'early' } | { is: 'wrong'; wrong: WrongBalance }
);

interface LedgerOptions {
  database: Database;
  node: Pick<ChainNode, 'get'>;
  /** Inclusive; the last height with movements if absent. */
  heights?: readonly { from: number; to: number }[] | undefined;
  /** Share of the accounts, drawn at random, in percent. */
  share: number;
  signal: AbortSignal;
  /** Accounts that were passed, and all of them. */
  onProgress: (done: number, total: number) => void;
}

/** Accounts that are compared at a time. */
const ACCOUNTS = 8;

export async function* verifyLedger(options: LedgerOptions): AsyncGenerator<BalanceVerdict> {
  const { database, share, signal, onProgress } = options;
  const ledger = await readLedger(database, false);
  const top = ledger === undefined ? -1 : heightOf(ledger.position);
  const heights = [...heightsOf(options.heights ?? [{ from: top, to: top }], top)];
  const hasList = await isGenesisListed(database);
  const total = await lastAccount(database);
  for (let key = 0; heights.length > 0;) {
    const accounts = await accountsAfter(database, key, ACCOUNTS);
    if (accounts.length === 0) return;
    const drawn = accounts.filter(() => Math.random() * 100 < share);
    for (const verdicts of await Promise.all(drawn.map((one) => verdictsOf(options, one, heights, hasList))))
      yield* verdicts;
    key = accounts.at(-1)!.key;
    onProgress(key, total);
    signal.throwIfAborted();
  }
}

function* heightsOf(ranges: readonly { from: number; to: number }[], top: number): Iterable<number> {
  for (const { from, to } of ranges)
    for (let height = Math.max(0, from); height <= Math.min(to, top); height += 1) yield height;
}

/** From the lowest height up, to the first one that is wrong: all above it would be, too. */
async function verdictsOf(
  { database, node }: LedgerOptions,
  account: CheckedAccount,
  heights: readonly number[],
  hasList: boolean,
): Promise<BalanceVerdict[]> {
  const verdicts: BalanceVerdict[] = [];
  let right = -1;
  for (const height of heights) {
    const place = { account: account.id, height };
    const compared = await comparedAt(database, node, account, height);
    if (compared?.difference === 0n) right = height;
    if (compared === undefined || compared.difference === 0n) {
      verdicts.push({ ...place, is: compared === undefined ? 'unknown' : 'same' });
      continue;
    }
    const first = (await firstWrong(database, node, account, right, height)) ?? height;
    if (!hasList && first === 0 && account.height < 0 && !account.isWrong) {
      verdicts.push({ ...place, is: 'early' });
      continue;
    }
    const mismatch = await mismatchIn(database, node, account, first);
    const wrong = {
      account: account.id,
      height: mismatch === undefined ? first : heightOf(mismatch.end),
      block: mismatch?.hash ?? null,
      amount: mismatch?.amount ?? compared.difference,
    };
    return [...verdicts, { ...place, is: 'wrong', wrong }];
  }
  return verdicts;
}
