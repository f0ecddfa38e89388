/** The state after every block. The newest states are cached, others are computed again from the nearest cached one. */
import { isHole } from '../generate/blocks.js';
import { parseExact } from '../../../src/chain/encoding/json.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { placeContract } from '../ledger/contracts.js';
import { execute } from '../ledger/execute.js';
import type { Machine } from '../ledger/execution.js';
import { callInMicroBlock } from '../ledger/hyperchain.js';
import { beginMicroBlock, openGeneration } from '../ledger/key-block.js';
import type { Rules } from '../ledger/rules.js';
import { draftOf, emptyState } from '../ledger/persistent-state.js';
import type { Draft, State } from '../ledger/state.js';
import type { Contract } from '../ledger/types.js';
import type { Funds } from '../options.js';
import type { ChainStore } from '../store/chain-store.js';
import { NONE } from '../store/chain-store.js';

/** Max number of blocks whose state is cached, unless another one is given. */
const MAX_CACHED = 2048;

interface StatesParts {
  store: ChainStore;
  rules: Rules;
  machine: Machine;
  /** Accounts before the first block. */
  funds(): Funds;
  /** Contracts before the first block. */
  contracts?: readonly Contract[];
  /** Max number of blocks whose state is cached. */
  max?: number | undefined;
}

export interface States {
  /** State after a block, computed if it is not cached. Throws if a transaction cannot be executed. */
  after(block: number): State;
  /** State after a block if it is cached, otherwise undefined. */
  cached(block: number): State | undefined;
  /** Number of transactions that must be executed to compute the state after a block. */
  uncachedTransactions(block: number): number;
  /** Caches the state after a new block. */
  put(block: number, state: State): void;
  /** State after a key block on `parent` with this version and beneficiary. */
  afterKeyBlock(parent: number, version: number, beneficiary: string): State;
}

export function createStates({ store, rules, machine, funds, contracts = [], max = MAX_CACHED }: StatesParts): States {
  /** Cached states by block, least recently used first. */
  const states = new Map<number, State>();

  function put(block: number, state: State): void {
    states.delete(block);
    states.set(block, state);
    if (states.size > max) states.delete(states.keys().next().value!);
  }

  function initialState(): State {
    const draft = draftOf(emptyState());
    for (const [id, fund] of Object.entries(funds())) {
      const { balance, nonce } = typeof fund === 'bigint' ? { balance: fund, nonce: 0n } : fund;
      draft.put('account', id, { balance, nonce, payable: true });
    }
    for (const contract of contracts) placeContract(draft, contract, 0n);
    return draft.freeze();
  }

  function apply(draft: Draft, block: number): void {
    if (store.isKey(block)) {
      const { height, version, beneficiary, flags } = parseExact(store.blockText(block).toString()) as {
        height: number;
        version: number;
        beneficiary: string;
        flags?: string;
      };
      return openGeneration(draft, { height, version, beneficiary, isHole: isHole(flags) }, rules);
    }
    beginMicroBlock(draft, store.heightOf(block), rules);
    if (rules.consensus === 'hyperchain') callInMicroBlock(draft);
    for (const inclusion of store.inclusionsOf(block)) {
      const { hash, tx } = parseExact(store.inclusionText(inclusion).toString()) as { hash: string; tx: JsonObject };
      try {
        execute(draft, { id: hash, tx }, rules, machine);
      } catch (cause) {
        throw new Error(`${hash} cannot be executed: ${(cause as Error).message}`, { cause });
      }
    }
  }

  /** This block and its ancestors up to the last one with a cached state, newest first. */
  function uncachedBlocks(block: number): number[] {
    const found: number[] = [];
    for (let base = block; base !== NONE && !states.has(base); base = store.parent(base)) found.push(base);
    return found;
  }

  function after(block: number): State {
    const missing = uncachedBlocks(block);
    const base = missing.length === 0 ? block : store.parent(missing.at(-1)!);
    let state = base === NONE ? initialState() : states.get(base)!;
    for (const later of missing.reverse()) {
      const draft = draftOf(state);
      apply(draft, later);
      state = draft.freeze();
      put(later, state);
    }
    return state;
  }

  return {
    after,
    uncachedTransactions: (block) => uncachedBlocks(block).reduce((sum, one) => sum + store.countOf(one), 0),
    cached: (block) => states.get(block),
    put,
    afterKeyBlock(parent, version, beneficiary) {
      const draft = draftOf(after(parent));
      openGeneration(draft, { height: store.heightOf(parent) + 1, version, beneficiary }, rules);
      return draft.freeze();
    },
  };
}
