/** A chain that grows by posted transactions and by blocks from miners. */
import { decodeId, encodeId } from '../../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../../src/chain/encoding/json.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { MalformedError } from '../../../src/chain/malformed.js';
import { MICRO_BLOCK_MS } from '../../../src/chain/protocol/blocks.js';
import { difficulty } from '../../../src/chain/work/target.js';
import type { KeyPair } from '../generate/signing.js';
import { execute } from '../ledger/execute.js';
import type { Machine } from '../ledger/execution.js';
import { feeGas } from '../../../src/chain/gas.js';
import { big } from '../ledger/members.js';
import type { Rules } from '../ledger/rules.js';
import { draftOf } from '../ledger/persistent-state.js';
import type { State } from '../ledger/state.js';
import { Refusal } from '../ledger/types.js';
import type { Info } from '../ledger/types.js';
import { createPool } from '../pool/pool.js';
import type { Pending } from '../pool/pool.js';
import type { ChainStore } from '../store/chain-store.js';
import { NONE } from '../store/chain-store.js';
import { keyBlockOn, microBlockOn, hashedKeyBlock } from './blocks.js';
import type { ParentInfo } from './blocks.js';
import { printedInfo } from './infos.js';
import type { States } from './states.js';
import { BlockRejected } from './types.js';
import type { KeyBlockChoice, LiveChain } from './types.js';

interface LiveParts {
  /** Contains at least the genesis block. */
  store: ChainStore;
  states: States;
  rules: Rules;
  machine: Machine;
  networkId: string;
  /** Signs micro blocks. */
  nodeKey: KeyPair;
  /** Current time, milliseconds since 1970. */
  now(): number;
}

/** Max gas of all transactions of a micro block together. */
const BLOCK_GAS = 6_000_000n;

interface Picked {
  picked: { transaction: Pending; info: Info | undefined }[];
  state: State;
}

export interface ForkableChain extends LiveChain {
  /** Selects the transactions of `waiting` that can be executed one after the other on a block. Returns them with their results, and the new state. */
  pick(parent: number, waiting: readonly Pending[], count?: number): Picked;
  /** Adds a micro block with the executable transactions of `waiting` on any block. It belongs to the main chain only after `switchTo`. */
  microBlockOn(parent: number, waiting: readonly Pending[], count?: number): number | undefined;
  /** Stores a complete key block without making it the head. */
  storeKeyBlock(block: JsonObject): number;
  /** Makes the branch that ends with the block the main chain. */
  switchTo(block: number): void;
  /** The transactions as pool entries, as they will be after their blocks are abandoned. */
  abandoned(transactions: readonly number[]): Pending[];
  /** Result of a transaction, from its envelope. */
  info(envelope: string): string | undefined;
}

export function createLiveChain(parts: LiveParts): ForkableChain {
  const { store, states, rules, machine, networkId, nodeKey, now } = parts;
  const nodeId = encodeId('ak', nodeKey.publicKey);
  const listeners = new Set<(head: number) => void>();
  /** Results by block and transaction. */
  const infos = new Map<string, string>();

  const blockOf = (block: number): JsonObject => parseExact(store.blockText(block).toString()) as JsonObject;

  const pool = createPool({
    rules,
    networkId,
    state: () => states.after(store.head()),
    isIncluded(hash) {
      const transaction = store.findTransaction(hash);
      return transaction !== NONE && store.stateOf(transaction) === 'included';
    },
    refusal({ id, tx }) {
      try {
        execute(draftOf(states.after(store.head())), { id, tx }, rules, machine);
        return undefined;
      } catch (error) {
        if (error instanceof Refusal) return error.code;
        throw error;
      }
    },
  });

  function parentInfo(parent: number, version: number): ParentInfo {
    return {
      id: store.id(parent),
      keyId: store.id(store.keyOf(parent)),
      height: store.heightOf(parent),
      version,
      stateHash: blockOf(parent)['state_hash'] as string,
    };
  }

  function candidate(choice: KeyBlockChoice, parent = store.head()): JsonObject {
    const version = rules.protocolAt(store.heightOf(parent) + 1);
    const block = keyBlockOn(parentInfo(parent, version), choice, nodeId);
    return parseExact(hashedKeyBlock(block).text) as JsonObject;
  }

  function checkedBlock(block: JsonObject): { parent: number; made: ReturnType<typeof hashedKeyBlock> } {
    try {
      const made = hashedKeyBlock(block);
      if (store.findBlock(made.hash) !== NONE) throw new BlockRejected(`${made.id} is known`);
      const parent = store.findBlock(decodeId(block['prev_hash'] as string));
      if (parent === NONE) throw new BlockRejected('prev_hash: not known');
      const choice = {
        beneficiary: block['beneficiary'] as string,
        miner: block['miner'] as string,
        target: block['target'] as number,
        time: block['time'] as number,
      };
      const expected = candidate(choice, parent);
      for (const member of ['height', 'version', 'prev_key_hash', 'state_hash']) {
        if (block[member] !== expected[member]) throw new BlockRejected(`${member}: not as expected`);
      }
      return { parent, made };
    } catch (error) {
      if (error instanceof MalformedError) throw new BlockRejected(error.message, { cause: error });
      throw error;
    }
  }

  function storeKeyBlock(block: JsonObject): number {
    const { parent, made } = checkedBlock(block);
    const [height, version, beneficiary] = [block['height'], block['version'], block['beneficiary']];
    const state = states.afterKeyBlock(parent, version as number, beneficiary as string);
    const work = store.work(parent) + difficulty(block['target'] as number);
    const { id, hash, text } = made;
    const added = store.addKeyBlock({ id, hash, text, height: height as number, parent, work });
    states.put(added, state);
    return added;
  }

  function addKeyBlock(block: JsonObject): number {
    const added = storeKeyBlock(block);
    if (store.work(added) > store.work(store.head())) switchTo(added);
    return added;
  }

  function signedOf(transaction: number): Uint8Array {
    const envelope = parseExact(store.inclusionText(store.inclusionOf(transaction)).toString()) as JsonObject;
    return decodeId(envelope['encoded_tx'] as string, 'tx');
  }

  /** Transactions that were removed from the main chain return to the pool. Transactions that can never be executed are dropped. */
  function switchTo(block: number): void {
    store.setHead(block);
    for (const transaction of store.pool()) pool.restore(signedOf(transaction));
    for (const { hash } of pool.clean()) {
      const transaction = store.findTransaction(hash);
      if (transaction !== NONE) store.drop(transaction);
    }
    for (const listener of listeners) listener(block);
  }

  /** Tries the waiting transactions in rounds, because one may become executable after another one. */
  function pick(parent: number, waiting: readonly Pending[], count = Number.MAX_SAFE_INTEGER): Picked {
    const draft = draftOf(states.after(parent));
    const picked: Picked['picked'] = [];
    let gas = 0n;
    let remaining = [...waiting];
    for (let progress = true; progress && picked.length < count;) {
      progress = false;
      for (const transaction of remaining) {
        const needs = feeGas(transaction.tx, draft.height, draft.version) + big(transaction.tx, 'gas');
        if (picked.length >= count || gas + needs > BLOCK_GAS) continue;
        try {
          picked.push({ transaction, info: execute(draft, transaction, rules, machine) });
          gas += needs;
          progress = true;
        } catch (error) {
          if (!(error instanceof Refusal)) throw error;
        }
      }
      const done = new Set(picked.map(({ transaction }) => transaction));
      remaining = remaining.filter((transaction) => !done.has(transaction));
    }
    return { picked, state: draft.freeze() };
  }

  function microBlock(parent: number, waiting: readonly Pending[], count?: number): number | undefined {
    const leader = blockOf(store.keyOf(parent));
    if (leader['miner'] !== nodeId) return undefined;
    const { picked, state } = pick(parent, waiting, count);
    if (picked.length === 0) return undefined;
    const before = blockOf(parent)['time'] as number;
    const time = Math.max(now(), before + (store.isKey(parent) ? 1 : MICRO_BLOCK_MS));
    const signed = picked.map(({ transaction }) => transaction.signed);
    const { id, hash, text } = microBlockOn(parentInfo(parent, state.version), time, signed, nodeKey);
    const transactions = picked.map(({ transaction, info }) => {
      if (info !== undefined) infos.set(id + transaction.id, stringifyExact(printedInfo(info)));
      return {
        hash: transaction.hash,
        text: `{"block_hash":"${id}","block_height":${state.height},${transaction.tail}`,
      };
    });
    const added = store.addMicroBlock({ id, hash, text, parent, transactions });
    states.put(added, state);
    return added;
  }

  function addMicroBlock(count?: number): number | undefined {
    const added = microBlock(store.head(), pool.list(), count);
    if (added !== undefined) switchTo(added);
    return added;
  }

  return {
    networkId,
    rules,
    store,
    pool,
    nodeId,
    height: store.height,
    protocolAt: rules.protocolAt,
    stateAfter: states.cached,
    state: () => states.after(store.head()),
    keyBlock: blockOf,
    candidate,
    addKeyBlock,
    addMicroBlock,
    onHeadChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    pick,
    microBlockOn: microBlock,
    storeKeyBlock,
    switchTo,
    abandoned: (transactions) => transactions.flatMap((transaction) => pool.pending(signedOf(transaction)) ?? []),
    info(envelope) {
      const { block_hash, hash } = parseExact(envelope) as { block_hash: string; hash: string };
      return infos.get(block_hash + hash);
    },
  };
}
