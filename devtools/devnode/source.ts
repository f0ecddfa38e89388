/** Opens the chain of a node: generated, recorded, or live (made of posted transactions and mined blocks). */
import { join } from 'node:path';
import { AE } from '../../src/chain/networks.js';
import type { Currency } from '../../src/chain/networks.js';
import { decodeId, encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { createSimulatedChain } from './chain.js';
import type { SimulatedChain } from './chain.js';
import { createEpochs } from './ledger/epochs.js';
import type { Epochs } from './ledger/epochs.js';
import { genesisContracts, genesisFunds } from './generate/genesis-state.js';
import { createIdentities } from './generate/identities.js';
import type { Identities } from './generate/identities.js';
import { createSealer, hashIn } from './generate/seal.js';
import type { World } from './generate/world.js';
import { keyPair } from './generate/signing.js';
import { ACCOUNTS, protocolsOf } from './generate/simulation.js';
import type { Answer } from './wire/answer.js';
import { recordedMachine, stubMachine } from './ledger/machine.js';
import type { Machine } from './ledger/execution.js';
import { createRules } from './ledger/rules.js';
import { genesisBlock } from './live/blocks.js';
import { createLiveChain } from './live/chain.js';
import type { ForkableChain } from './live/chain.js';
import { createGeneratorPool } from './live/generator-pool.js';
import type { GeneratorPool } from './live/generator-pool.js';
import { readState, saveState } from './live/saved-state.js';
import { createStates } from './live/states.js';
import type { States } from './live/states.js';
import { controlChain } from './controlled-chain.js';
import type { LiveChain } from './live/types.js';
import { REJECTED, createMining } from './mining/mining.js';
import type { Mining } from './mining/mining.js';
import type { Protocol } from './ledger/rules.js';
import type { DevnodeOptions, Funds, GenerateOptions, Gift, LiveOptions } from './options.js';
import { readReplay } from './replay.js';
import type { Replay } from './replay.js';
import type { ChainStore } from './store/chain-store.js';
import { NONE } from './store/chain-store.js';

const NETWORK_ID = 'ae_dev';
const HYPERCHAIN_ID = 'hc_dev';
/** Generated hyperchains have a coin of their own, as most real ones do. */
const HYPERCHAIN_COIN: Currency = { name: 'Hypercoin', symbol: 'HYC', subunit: 'hyctto', digits: 18 };

/** A chain whose state is known. */
export interface StatefulChain {
  chain: LiveChain;
  machine: Machine;
  /** Whether too many transactions would have to be executed to answer a request for the state. */
  isTooLong(): boolean;
  /** For a chain in a folder: executes the new blocks after each change. */
  follow?(): void;
  /** What the tokens of the chain that ends with a block hold; absent for a chain without simulated tokens. */
  tokens?(block: number): World['tokens'];
  /** Posted transactions of a generated chain that accepts them. */
  generatorPool?: GeneratorPool;
}

/** A chain that accepts transactions and blocks. */
interface Live {
  chain: ForkableChain;
  mining: Mining;
  microBlockMs: number | undefined;
}

/** What the internal API needs. */
interface InternalApi {
  chain: LiveChain;
  mining: Pick<Mining, 'post'>;
  /** ak_ that gets the rewards, if configured. */
  beneficiary: string | undefined;
}

export interface Source {
  networkId: string;
  currency: Currency;
  /** Undefined if the chain is no hyperchain. */
  epochs: Epochs | undefined;
  protocols: readonly Protocol[];
  /** Operations that change the chain; absent for a recorded chain. */
  chain: SimulatedChain | undefined;
  /** Absent for a recorded chain. */
  stateful: StatefulChain | undefined;
  live: Live | undefined;
  /** Absent for a chain that does not accept transactions. */
  internalApi: InternalApi | undefined;
  /** Result of a transaction, from its envelope. */
  info(envelope: string): string | undefined;
  /** Recorded answers, which are preferred to all others. */
  external(url: string): Answer | undefined;
  internal(url: string): Answer | undefined;
}

const returnUndefined = (): undefined => undefined;
const RECORDED_ONLY = { chain: undefined, stateful: undefined, live: undefined, internalApi: undefined };
/** Only the generator makes key blocks of a generated chain, so posted ones are rejected. */
const NO_MINING: InternalApi['mining'] = { post: () => REJECTED };

/** Builds or reads the chain into the empty store. */
export async function openSource({ source, networkId }: DevnodeOptions, store: ChainStore): Promise<Source> {
  if ('live' in source) return openLive(source.live, networkId, store);
  if ('replay' in source) {
    const replay = readReplay(source.replay, store);
    const id = networkId ?? replay.networkId ?? NETWORK_ID;
    return { ...replay, networkId: id, currency: AE, epochs: undefined, ...RECORDED_ONLY, info: returnUndefined };
  }
  const isHyperchain = source.generate.consensus === 'hyperchain';
  const id = networkId ?? (isHyperchain ? HYPERCHAIN_ID : NETWORK_ID);
  // While the initial chain is built, nothing can be posted.
  let takePosted: GeneratorPool['take'] = () => [];
  const chain = await createSimulatedChain(store, source.generate, id, (parent) => takePosted(parent));
  const stateful = addState(store, chain, source.generate, id);
  if (stateful.generatorPool !== undefined) takePosted = stateful.generatorPool.take;
  return {
    networkId: id,
    currency: source.generate.currency ?? (isHyperchain ? HYPERCHAIN_COIN : AE),
    epochs: isHyperchain ? createEpochs(source.generate.epochs) : undefined,
    protocols: protocolsOf(source.generate),
    chain,
    stateful: stateful,
    live: undefined,
    internalApi: stateful.generatorPool && { chain: stateful.chain, mining: NO_MINING, beneficiary: undefined },
    info: chain.info,
    external: returnUndefined,
    internal: returnUndefined,
  };
}

/** Max number of transactions that are executed to answer a request for the state of a generated chain. */
const MAX_EXECUTED = 50_000;
/** Number of transactions between two writes of the state to the folder. */
const SAVED_EVERY = 10_000;
/** The written state is this many transactions old, if it is still cached. So later states can be computed after a restart, too. */
const SAVED_AGE = 20_000;
const GIFT_FEE = 20_000_000_000_000n;

/**
 * Adds the state to a generated chain. It is computed at the first request, because the generator keeps only what it needs to continue. For a
 * chain in a folder, the state is computed while the chain grows, so that it is available even for a long chain.
 */
function addState(
  store: ChainStore,
  generated: SimulatedChain,
  options: GenerateOptions,
  networkId: string,
): StatefulChain {
  const { seed, consensus, accounts = ACCOUNTS, folder, gift } = options;
  const rules = createRules({ consensus, epochs: options.epochs, protocols: protocolsOf(options) });
  const machine = recordedMachine((transaction) => {
    const found = store.findTransaction(decodeId(transaction, 'th'));
    return found === NONE ? undefined : generated.info(store.inclusionText(store.inclusionOf(found)).toString());
  });
  const funds = (): Funds => genesisFunds(createIdentities(seed), accounts, rules.consensus, seed);
  const contracts = genesisContracts(rules.consensus);
  const states = createStates({ store, rules, machine, funds, contracts, max: options.states });
  const nodeKey = keyPair(hash(Buffer.from(`node of ${seed}`)));
  const chain = createLiveChain({ store, states, rules, machine, networkId, nodeKey, now: Date.now });
  const stateful: StatefulChain = {
    chain,
    machine,
    isTooLong: () => states.uncachedTransactions(store.head()) > MAX_EXECUTED,
    ...(generated.tokens && { tokens: generated.tokens }),
  };
  if (folder === undefined) return stateful;
  const execute = createStateKeeper(store, states, join(folder, 'state'));
  const generatorPool = createGeneratorPool(chain);
  if (gift !== undefined && (chain.state().account(gift.to)?.balance ?? 0n) === 0n) {
    chain.pool.post(giftFrom(createIdentities(seed), chain, gift));
    generatorPool.onPosted();
  }
  const follow = (): void => {
    execute();
    generatorPool.onChainChange();
  };
  return { ...stateful, follow, generatorPool: generatorPool };
}

/** A spend from the first generated account, serialised and signed. */
function giftFrom(ids: Identities, { networkId, pool }: LiveChain, { to, aettos }: Gift): Uint8Array {
  const giver = ids.account(0);
  const tx = {
    amount: aettos,
    fee: GIFT_FEE,
    nonce: pool.nextNonce(giver.id)!,
    payload: encodeId('ba', Buffer.from('A gift to begin with')),
    recipient_id: to,
    sender_id: giver.id,
    type: 'SpendTx',
    version: 1,
  };
  return createSealer(ids, networkId).seal({ tx, signers: [giver] }).signed;
}

/** Returns a function that executes new blocks and sometimes saves the state. Starts from the state in `file`, if there is one. */
function createStateKeeper(store: ChainStore, states: States, file: string): () => void {
  const saved = readState(file);
  const block = saved === undefined ? NONE : store.findBlock(decodeId(saved.block));
  if (saved !== undefined && block !== NONE) states.put(block, saved.state);
  // Otherwise, after many short runs, the saved state would be too old.
  let unsaved = Math.max(0, states.uncachedTransactions(store.head()) - SAVED_AGE - SAVED_EVERY);

  function save(): void {
    let found = store.keyAt(store.height());
    let age = 0;
    for (let older = found; age < SAVED_AGE && states.cached(older) !== undefined; older = store.parent(older)) {
      age += store.countOf(older);
      if (store.isKey(older)) found = older;
    }
    saveState(file, store.id(found), states.after(found));
    unsaved = 0;
  }

  let seen = store.transactionCount();
  const follow = (): void => {
    states.after(store.head());
    unsaved += store.transactionCount() - seen;
    seen = store.transactionCount();
    if (unsaved >= SAVED_EVERY) save();
  };
  follow();
  return follow;
}

function openLive(options: LiveOptions, networkId: string | undefined, store: ChainStore): Source {
  const { seed = 'devnode', funds = {}, mining: miningOptions = {} } = options;
  const now = Date.now;
  const replay = options.from === undefined ? undefined : readReplay(options.from, store, options.fromHeight);
  const id = networkId ?? replay?.networkId ?? NETWORK_ID;
  const rules = createRules({ ...(replay === undefined ? {} : { protocols: replay.protocols }), ...options.rules });
  const recorded = recordedInfo(replay);
  const machine = recordedMachine(recorded, stubMachine);
  if (replay === undefined) addGenesis(store, `${id} ${seed}`, options.startTime ?? now(), rules.protocolAt(0));
  const states = createStates({ store, rules, machine, funds: () => funds });
  const nodeKey = keyPair(hash(Buffer.from(`node of ${seed}`)));
  const chain = createLiveChain({ store, states, rules, machine, networkId: id, nodeKey, now });
  const mining = createMining(chain, miningOptions);
  const { beneficiary } = miningOptions;
  const controlled = controlChain({
    chain,
    mining,
    beneficiary: beneficiary ?? encodeId('ak', nodeKey.publicKey),
    now,
  });
  return {
    networkId: id,
    currency: AE,
    epochs: undefined,
    protocols: rules.protocols,
    chain: controlled,
    stateful: { chain, machine, isTooLong: () => false },
    live: { chain, mining, microBlockMs: options.microBlockMs },
    internalApi: { chain, mining, beneficiary },
    info: (envelope) => chain.info(envelope) ?? recorded(hashIn(envelope)),
    external: returnUndefined,
    internal: returnUndefined,
  };
}

function recordedInfo(replay: Replay | undefined): (transaction: string) => string | undefined {
  return (transaction) => {
    const answer = replay?.external(`/v3/transactions/${transaction}/info`);
    return answer?.status === 200 ? answer.body?.toString() : undefined;
  };
}

function addGenesis(store: ChainStore, seed: string, time: number, version: number): void {
  const { id, hash: bytes, text } = genesisBlock(seed, time, version);
  store.setHead(store.addKeyBlock({ id, hash: bytes, text, height: 0, parent: NONE, work: 0n }));
}
