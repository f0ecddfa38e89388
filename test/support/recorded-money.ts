/** The money of a recorded chain: what our rules say of each block, and what the node said of it. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { readKeyBlock, readMicroBlock } from '../../src/chain/facts.js';
import type { Transaction } from '../../src/chain/facts.js';
import { derive } from '../../src/chain/derive.js';
import { NO_PRESETS, keyBlockMoves } from '../../src/chain/money/key-block.js';
import type { Earnings, RewardRules } from '../../src/chain/money/key-block.js';
import type { Held, Holdings, Moves } from '../../src/chain/money/movement.js';
import { readNodeBlock } from '../../src/chain/money/node-operations.js';
import type { NodeBlock } from '../../src/chain/money/node-operations.js';
import { transactionMoves } from '../../src/chain/money/transaction.js';
import { recordedGenerations, recording } from './recording.js';
import type { Recording } from './recording.js';

/** Recordings with the balances of all accounts. */
export type WithBalances = 'realnode-tokens' | 'realnode-hyperchain';

/** Contracts that calls created in the recording `realnode-tokens`, with the hash of the transaction, as whoever made it noted them. */
export const recordedChildren = JSON.parse(
  readFileSync('test/fixtures/realnode-tokens/children.json', 'utf8'),
) as Record<string, string>;

export interface BlockMoney {
  kind: 'key' | 'micro';
  hash: string;
  /** Of the generation. */
  height: number;
  moves: Moves;
  /** Of a micro block. */
  transactions: { transaction: Transaction; moves: Moves }[];
  /** What the chain keeps after the block. */
  held: Record<Held['on'], bigint>;
}

/** All blocks of a recorded chain in its order, with the movements that follow from its transactions. */
export function recordedMoney(of: Recording, rules: RewardRules | null): BlockMoney[] {
  const holdings = createHoldings();
  const pointers = new Map<string, { key: string; id: string }[]>();
  const earnings: (Earnings & { isKnown: boolean })[] = [];
  const found: BlockMoney[] = [];
  const earned = (height: number): Earnings | undefined => {
    const own = earnings[height];
    return own?.isKnown === true ? own : undefined;
  };
  for (const { height, keyBlock, microBlocks } of recordedGenerations(of)) {
    const { hash, beneficiary, version } = readKeyBlock(keyBlock);
    const own = { beneficiary, version, fees: 0n, isReported: false, isKnown: true };
    earnings.push(own);
    const moves = keyBlockMoves({ height, holdings, rules, earnings: earned, presets: NO_PRESETS });
    found.push({ kind: 'key', hash, height, moves, transactions: [], held: holdings.sums() });
    for (const { header, transactions } of microBlocks) {
      const block = readMicroBlock(header, transactions);
      const all = block.transactions.map((read) => {
        const transaction = { ...read, info: infoOf(of, read.hash) };
        const done = transactionMoves(transaction, {
          ...{ height: block.height, version: block.version, holdings },
          pointee: (name, wanted) => pointers.get(name)?.find(({ key }) => key === wanted)?.id,
        });
        for (const op of derive(transaction).operations) {
          if (op.on === 'name' && op.op === 'update')
            pointers.set(op.name_hash, JSON.parse(op.pointers) as { key: string; id: string }[]);
        }
        own.fees += done.fees;
        own.isKnown &&= !done.gaps.includes('result');
        return { transaction, moves: done };
      });
      const sum: Moves = {
        movements: all.flatMap((one) => one.moves.movements),
        fees: 0n,
        gaps: [...new Set(all.flatMap((one) => one.moves.gaps))],
      };
      found.push({ kind: 'micro', hash: block.hash, height, moves: sum, transactions: all, held: holdings.sums() });
    }
  }
  return found;
}

/** Holdings in memory, of which the sums are asked. */
function createHoldings(): Holdings & { sums: () => Record<Held['on'], bigint> } {
  const all = new Map<string, Held>();
  const key = ({ on, id }: Pick<Held, 'on' | 'id'>): string => `${on} ${id}`;
  return {
    find: (on, id) => all.get(key({ on, id })),
    keep: (held) => void all.set(key(held), held),
    release: (held) => void all.delete(key(held)),
    endingAfter: (height) => [...all.values()].filter(({ until }) => until === height),
    sums() {
      const sums = { auction: 0n, query: 0n, channel: 0n };
      for (const { on, amount } of all.values()) sums[on] += amount;
      return sums;
    },
  };
}

function infoOf(of: Recording, hash: string): string | null {
  const answer = recording(of).get(`GET /v2/transactions/${hash}/info`);
  return answer?.status === 200 ? answer.body : null;
}

/** How much each block changed each account's balance, as the node said; by hash of the block. */
export function recordedChanges(of: WithBalances): Map<string, Map<string, bigint>> {
  const balances = new Map<string, bigint>();
  const changes = new Map<string, Map<string, bigint>>();
  for (const line of linesOf(of, 'balances')) {
    const { hash, changed } = line as { hash: string; changed: Record<string, [string, ...unknown[]] | null> };
    const own = new Map<string, bigint>();
    for (const [account, state] of Object.entries(changed)) {
      const balance = BigInt(state?.[0] ?? 0);
      const change = balance - (balances.get(account) ?? 0n);
      balances.set(account, balance);
      if (change !== 0n) own.set(account, change);
    }
    changes.set(hash, own);
  }
  return changes;
}

/** Answers about the balance of an account after a block, as the node gave them. */
export function recordedBalances(of: WithBalances): (path: string) => { status: number; text: string } {
  const after = new Map<string, Map<string, string>>();
  let balances = new Map<string, string>();
  for (const line of linesOf(of, 'balances')) {
    const { hash, changed } = line as { hash: string; changed: Record<string, [string, ...unknown[]] | null> };
    balances = new Map(balances);
    for (const [account, state] of Object.entries(changed)) {
      if (state === null) balances.delete(account);
      else balances.set(account, state[0]);
    }
    after.set(hash, balances);
  }
  return (path) => {
    const [, account, hash] = /^\/accounts\/(ak_\w+)\/hash\/(\w+)$/.exec(path) ?? [];
    const balance = after.get(hash!)?.get(account!);
    return balance === undefined
      ? { status: 404, text: '{"reason":"Account not found"}' }
      : { status: 200, text: `{"id":"${account}","balance":${balance},"nonce":1}` };
  };
}

/** The node's own lists of what changed balances, by height. */
export function recordedNodeBlocks(of: WithBalances): Map<number, NodeBlock> {
  const blocks = [...recordedRosetta(of).values()].map(readNodeBlock);
  return new Map(blocks.map((block) => [block.height, block]));
}

/** The same as text, by the hash of the key block. */
export function recordedRosetta(of: WithBalances): Map<string, string> {
  const found = new Map<string, string>();
  for (const line of linesOf(of, 'rosetta')) {
    const { path, status, body } = line as { path: string; status: number; body: string };
    if (path === '/block' && status === 200) found.set(readNodeBlock(body).hash, body);
  }
  return found;
}

function linesOf(of: WithBalances, name: string): unknown[] {
  const file = new URL(`../fixtures/${of}/${name}.jsonl.gz`, import.meta.url);
  const lines = gunzipSync(readFileSync(file)).toString('utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as unknown);
}

/** What the node says more than we do, by account; empty if both say the same. */
export function differences(
  movements: readonly { account: string; amount: bigint }[],
  theirs: ReadonlyMap<string, bigint> = new Map(),
): Map<string, bigint> {
  const rest = new Map(theirs);
  for (const { account, amount } of movements) rest.set(account, (rest.get(account) ?? 0n) - amount);
  return new Map([...rest].filter(([, amount]) => amount !== 0n));
}
