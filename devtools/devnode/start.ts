/** A simulated node: a generated, recorded or live chain with the API of a real node. It is controlled by its methods or over HTTP. */
import { randomBytes } from 'node:crypto';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { createAdmin } from './admin.js';
import type { SimulatedChain } from './chain.js';
import { createRandom } from './generate/random.js';
import { createChainAnswers } from './http/chain-answers.js';
import { createInternalListener } from './internal-listener.js';
import { createLiveAnswers } from './live-answers.js';
import { listen } from './http/server.js';
import type { Listening } from './http/server.js';
import { createLeader } from './live/leader.js';
import { createMisbehaviours } from './misbehaviour.js';
import type { Devnode, DevnodeOptions } from './options.js';
import { createResponder } from './respond.js';
import { createRosettaListener } from './rosetta/listener.js';
import { openSource } from './source.js';
import { createChainStore } from './store/chain-store.js';
import type { ChainStore } from './store/chain-store.js';

export type * from './options.js';

/** Builds or reads the chain, then listens. Throws MiddlewareError for invalid options, unreadable recordings and addresses in use. */
export async function startDevnode(options: DevnodeOptions): Promise<Devnode> {
  const { source } = options;
  const store = createChainStore('generate' in source ? source.generate.folder : undefined);
  const listening: Listening[] = [];
  try {
    return await start(options, store, listening);
  } catch (error) {
    await Promise.all(listening.map((server) => server.close()));
    store.close();
    throw error;
  }
}

async function start(options: DevnodeOptions, store: ChainStore, listening: Listening[]): Promise<Devnode> {
  const source = await openSource(options, store);
  const { live } = source;
  const leader = live === undefined ? undefined : createLeader(live.chain, live.microBlockMs);
  const taking = source.internalApi?.chain.pool;
  // In a generated chain, a posted transaction that lost its block is in both pools. It is counted once.
  const pending = (): number =>
    live !== undefined || taking === undefined
      ? (taking ?? store.pool()).size
      : store.pool().size + taking.list().filter(({ hash }) => !store.pool().has(store.findTransaction(hash))).length;
  const random = createRandom('misbehaviour', store.id(store.keyAt(0)));
  const misbehaviours = createMisbehaviours(() => random.word() / 2 ** 32);
  const responder = createResponder({
    store,
    chain: createChainAnswers(
      store,
      source.info,
      taking && { waiting: (id) => taking.find(id)?.envelope(), pending: live?.mining.pending },
    ),
    live:
      source.stateful &&
      createLiveAnswers(source.stateful, leader?.onPosted ?? source.stateful.generatorPool?.onPosted),
    pending,
    misbehaviours,
    networkId: source.networkId,
    currency: source.currency,
    epochs: source.epochs,
    protocols: source.protocols,
    // Two nodes with the same chain are two nodes.
    peerKey: encodeId('pp', randomBytes(32)),
    recorded: source.external,
  });
  const oneAtATime = createQueue();

  const change = (work: (chain: SimulatedChain) => void | Promise<void>): Promise<void> =>
    oneAtATime(async () => {
      if (source.chain === undefined) {
        throw new MiddlewareError('replayed', 'a recorded chain cannot be changed');
      }
      try {
        await work(source.chain);
        source.stateful?.follow?.();
      } catch (error) {
        if (!(error instanceof RangeError)) throw error;
        throw new MiddlewareError('impossible', error.message, { cause: error });
      }
    });

  let closed: Promise<void> | undefined;
  async function close(): Promise<void> {
    responder.close();
    leader?.close();
    await live?.mining.close();
    await Promise.all(listening.map((server) => server.close()));
    await oneAtATime(store.close);
  }

  const open: (...args: Parameters<typeof listen>) => Promise<string> = async (...args) => {
    const server = await listen(...args);
    listening.push(server);
    return server.url;
  };

  const devnode: Devnode = {
    externalUrl: await open(options.external, responder.handle),
    height: store.height,
    top: () => ({ height: store.heightOf(store.head()), hash: store.id(store.head()) }),
    counts: () => ({ transactions: store.transactionCount(), pending: pending() }),
    mineKeyBlock: () => change((chain) => chain.mineKeyBlock()),
    addMicroBlock: ({ txs } = {}) => change((chain) => chain.addMicroBlock(txs)),
    grow: (generations, grown) => change((chain) => chain.grow(generations, grown)),
    fork: (forked) => change((chain) => chain.fork(forked)),
    microFork: (forked) => change((chain) => chain.microFork(forked)),
    misbehave: misbehaviours.set,
    misbehaviours: misbehaviours.current,
    close: () => (closed ??= close()),
  };

  const urls: { internalUrl?: string; rosettaUrl?: string; adminUrl?: string } = {};
  if (options.internal !== undefined)
    urls.internalUrl = await open(options.internal, createInternalListener(source, store));
  if (options.rosetta !== undefined && source.stateful !== undefined)
    urls.rosettaUrl = await open(options.rosetta, createRosettaListener(source.stateful));
  if (options.admin !== undefined) urls.adminUrl = await open(options.admin, createAdmin(devnode));
  return Object.assign(devnode, urls);
}

/** Runs tasks one after the other, even if one fails. */
function createQueue(): (task: () => void | Promise<void>) => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  return (task) => {
    const done = last.then(task);
    last = done.catch(() => undefined);
    return done;
  };
}
