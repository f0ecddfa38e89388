/** The rows about money that follow from blocks, given what is stored below them. What writes them and what verifies them compute them here. */
import { KINDS } from '../../chain/money/kinds.js';
import { genesisMovements } from '../../chain/money/genesis-accounts.js';
import { NO_PRESETS, keyBlockMoves } from '../../chain/money/key-block.js';
import type { Presets } from '../../chain/money/key-block.js';
import { GAPS } from '../../chain/money/movement.js';
import type { Gap, Movement, Moves } from '../../chain/money/movement.js';
import { transactionMoves } from '../../chain/money/transaction.js';
import { readTransaction } from '../../chain/facts.js';
import type { Transaction } from '../../chain/facts.js';
import { heightOf, keyPosition } from '../../chain/position.js';
import type { Queryable } from '../connection/database.js';
import { keyBlockWithNode, transactionWithNode, unseenOf } from '../../chain/money/node-money.js';
import type { NodeMoney } from '../../chain/money/node-money.js';
import { balancesBefore, createStoredHoldings, earningsBefore, pointeesOf } from './movement-state.js';
import { genesisAccounts } from './genesis-accounts.js';
import { correctionsIn } from './ledger-checks.js';
import { nodeMoneyBetween } from './node-money.js';
import { presetsOf } from './preset-files.js';
import type {
  EarningsRow,
  LedgerBlocks,
  LedgerKeyBlock,
  LedgerMicroBlock,
  LedgerRows,
  LedgerRules,
  MovementRow,
} from './movement-types.js';

interface PlacedMicroBlock extends LedgerMicroBlock {
  placed: { position: bigint; transaction: Transaction }[];
}

export async function ledgerRows(db: Queryable, blocks: LedgerBlocks, rules: LedgerRules): Promise<LedgerRows> {
  const { from, keyBlocks } = blocks;
  const microBlocks = blocks.microBlocks.map((block) => ({
    ...block,
    placed: block.transactions.map(({ position, body, info }) => ({
      position,
      transaction: { ...readTransaction(body), info },
    })),
  }));
  const placed = microBlocks.flatMap((block) => block.placed);
  const heights = { from: keyBlocks[0]?.height ?? heightOf(from) + 1, count: keyBlocks.length };
  const holdings = await createStoredHoldings(db, from, placed, heights);
  const pointees = await pointeesOf(db, placed);
  const earnings = await earningsBefore(db, from, heights, rules);
  const answers = await nodeMoneyBetween(db, heightOf(from) - 1, lastHeight(blocks));
  const corrections = await correctionsIn(db, from, keyPosition(lastHeight(blocks) + 1));
  const rows: LedgerRows = { movements: [], held: [], earnings: [], gaps: [], unseen: [], unexplained: [] };
  const versions = createVersions(blocks);
  const presets = await presetsIn(db, keyBlocks, versions.before, rules);
  const ordered: (LedgerKeyBlock | PlacedMicroBlock)[] = [...keyBlocks, ...microBlocks].sort((a, b) =>
    positionOf(a) < positionOf(b) ? -1 : 1,
  );
  for (const block of ordered) {
    if (!('position' in block)) {
      const position = keyPosition(block.height);
      holdings.moveTo(position);
      earnings.open(block);
      const ours = keyBlockMoves({
        ...{ height: block.height, holdings, rules: rules.rewards, earnings: earnings.of },
        presets: presets(block.height),
      });
      const moves = withNode(ours, answers.get(block.height - 1), rules);
      add(rows, position, moves, unseenOf(ours, moves, true), corrections.get(position));
      continue;
    }
    const sum: EarningsRow = { position: block.position, fees: 0n, isKnown: true, isReport: block.isReport };
    for (const { position, transaction } of block.placed) {
      holdings.moveTo(position);
      const ours = transactionMoves(transaction, {
        ...{ height: block.height, version: versions.at(heightOf(position)), holdings },
        pointee: (name, key) => pointees(name, position, key),
      });
      sum.fees += ours.fees;
      sum.isKnown &&= !ours.gaps.includes('result');
      const moves = transactionWithNode(ours, transaction.hash, answers.get(heightOf(position)));
      add(rows, position, moves, unseenOf(ours, moves, false), corrections.get(position));
    }
    rows.earnings.push(sum);
    earnings.add(sum);
  }
  rows.held = holdings.rows();
  await addBalances(db, from, rows.movements);
  return rows;
}

const positionOf = (block: LedgerKeyBlock | PlacedMicroBlock): bigint =>
  'position' in block ? block.position : keyPosition(block.height);

/** Protocol versions of the generations of the blocks. */
function createVersions({ from, keyBlocks, versionBefore }: LedgerBlocks): {
  at: (height: number) => number;
  before: (height: number) => number;
} {
  const all = new Map(keyBlocks.map(({ height, version }) => [height, version]));
  const at = (height: number): number => all.get(height) ?? versionBefore;
  return { at, before: (height) => (keyPosition(height) === from ? versionBefore : at(height - 1)) };
}

/** The coins that key blocks of a network give to accounts, by height. */
async function presetsIn(
  db: Queryable,
  keyBlocks: readonly LedgerKeyBlock[],
  versionBefore: (height: number) => number,
  rules: LedgerRules,
): Promise<(height: number) => Presets> {
  const found = new Map<number, Presets>();
  for (const { height, version } of keyBlocks) {
    if (version === versionBefore(height)) continue;
    const listed = await presetsOf(rules.networkId, version);
    if (listed !== undefined) found.set(height, { movements: listed, areAll: true });
    else found.set(height, height === 0 ? await genesisPresets(db, rules) : await forkPresets(db, version));
  }
  return (height) => found.get(height) ?? NO_PRESETS;
}

/** The coins of a genesis block that is not built in, as they were given. On a hyperchain its contracts move some of them in the same block. */
async function genesisPresets(db: Queryable, rules: LedgerRules): Promise<Presets> {
  const given = await genesisAccounts(db);
  return given === undefined
    ? { movements: [], areAll: false }
    : { movements: genesisMovements(given.genesis), areAll: !paysByContracts(rules) };
}

/** The same of a hard fork. Without a list it is not known whether it gave any: the balances tell. */
async function forkPresets(db: Queryable, version: number): Promise<Presets> {
  const given = (await genesisAccounts(db))?.forks.get(version);
  return given === undefined ? NO_PRESETS : { movements: genesisMovements(given), areAll: true };
}

/** Whether it is a hyperchain: its contracts pay the leaders, and the node's interface does not list that. */
const paysByContracts = ({ rewards, listsRewards }: LedgerRules): boolean => rewards === null && !listsRewards;

/** A key block, completed by what the node said of the generation below it. */
const withNode = (ours: Moves, fromNode: NodeMoney | undefined, rules: LedgerRules): Moves =>
  keyBlockWithNode(ours, fromNode, rules.rewards?.treasury ?? null, paysByContracts(rules) ? ['reward'] : []);

const lastHeight = ({ keyBlocks, microBlocks }: LedgerBlocks): number =>
  Math.max(keyBlocks.at(-1)?.height ?? 0, heightOf(microBlocks.at(-1)?.position ?? 0n));

/** `corrected`: what a node's balances say more than all this, by account. */
function add(
  rows: LedgerRows,
  position: bigint,
  { movements, gaps }: Moves,
  unseen: bigint,
  corrected: readonly Pick<Movement, 'account' | 'amount'>[] = [],
): void {
  // Coins of a genesis block of which there is no list at all: the balances tell them.
  const kind = gaps.includes('preset') && movements.length === 0 ? 'preset' : 'unexplained';
  const more = corrected.map((one): Movement => ({ ...one, kind, counterparty: null, isFromNode: true }));
  [...movements, ...more].forEach((movement, index) => rows.movements.push(rowOf(position, index, movement)));
  if (gaps.length > 0) rows.gaps.push({ position, gaps: bitsOf(gaps) });
  const isUnexplained = movements.some((one) => one.kind === 'unexplained' && one.isFromNode === true);
  // What a key block does is in the answer about the generation below it.
  if (isUnexplained) rows.unexplained.push(heightOf(position - 1n));
  if (unseen !== 0n) rows.unseen.push({ position, amount: unseen });
}

const rowOf = (position: bigint, index: number, { isFromNode, kind, ...movement }: Movement): MovementRow => ({
  ...{ ...movement, position, index },
  kind: KINDS[kind].code,
  balance: 0n,
  isFromNode: isFromNode === true,
});

const bitsOf = (gaps: readonly Gap[]): number => gaps.reduce((bits, gap) => bits | GAPS[gap], 0);

async function addBalances(db: Queryable, from: bigint, movements: readonly MovementRow[]): Promise<void> {
  const balances = await balancesBefore(db, from, [...new Set(movements.map(({ account }) => account))]);
  for (const movement of movements) {
    movement.balance = (balances.get(movement.account) ?? 0n) + movement.amount;
    balances.set(movement.account, movement.balance);
  }
}
