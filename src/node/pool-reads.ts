/** Reads of a pool: each goes to the followed node, and to another one when that fails. */
import type { MicroBlock } from '../chain/facts.js';
import { withTimeout } from '../runtime/with-timeout.js';
import type { NodeClient } from './client.js';
import { isNodeFault, mostSpecific, nodeFault } from './faults.js';
import type { NodeFault } from './faults.js';
import { MAX_WAIT_MS } from './observed-nodes.js';
import type { NodePoolOptions, ObservedNodes } from './observed-nodes.js';
import { faultOf } from './pool-state.js';

/** An answer of a node, and the address of this node without credentials. */
export interface FromNode<T> {
  answer: T;
  url: string;
}

export interface PoolReads {
  ask<T>(request: (client: NodeClient, node: number) => Promise<T>): Promise<T>;
  /**
   * Asks for something that a node adds to the facts of the chain: the followed node, then the others, until one has it. A fault does not
   * change the state of a node, because it says nothing about the blocks that the node has.
   */
  askForAddition<T>(request: (client: NodeClient) => Promise<T | null>): Promise<FromNode<T> | null>;
  microBlock(...of: Parameters<NodeClient['microBlock']>): Promise<MicroBlock | null>;
  /** Checks all nodes now, and chooses one. */
  check(): Promise<void>;
  /** Chooses a node again, if the nodes were checked. */
  chooseAgain(): void;
  readonly isClosed: boolean;
  close(): void;
}

const CHECK_MS = 5000;
/** Checks without a read in between after which the background checks pause. */
const IDLE_CHECKS = 12;

export const checkIntervalMs = ({ checkMs = CHECK_MS }: NodePoolOptions): number => checkMs;

export function createReads(nodes: ObservedNodes, options: NodePoolOptions): PoolReads {
  const checkMs = checkIntervalMs(options);
  /** When the last check ended, or a read stopped waiting for it. */
  let checkedAt = -Infinity;
  let usedAt = -Infinity;
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;

  async function check(): Promise<void> {
    await nodes.checkAll();
    checkedAt = performance.now();
    nodes.choose();
  }

  /** Waits for a check until a node can be used. While the chain to follow is not known, all nodes must be asked: the first one decides. */
  async function checkUntilUsable(): Promise<number | undefined> {
    const checked = check().then(() => true);
    const { networkId, genesisHash } = nodes.state.expected;
    const isKnown = networkId !== undefined && genesisHash !== undefined;
    for (;;) {
      const isOver = isKnown ? await withTimeout(MAX_WAIT_MS, checked) : await checked;
      checkedAt = performance.now();
      const at = nodes.choose();
      if (at !== undefined || isOver === true) return at;
    }
  }

  function checkInBackground(): void {
    if (performance.now() - usedAt > IDLE_CHECKS * checkMs) return;
    check().catch((error: unknown) => options.logger.error({ err: error }, 'Failed to check the nodes'));
  }

  async function firstToAsk(): Promise<number | undefined> {
    if (isClosed) throw nodeFault('node_closed', 'the nodes are no longer in use');
    usedAt = performance.now();
    timer ??= setInterval(checkInBackground, checkMs).unref();
    const isRecent = usedAt - checkedAt <= 3 * checkMs;
    return (isRecent ? nodes.choose() : undefined) ?? (await checkUntilUsable());
  }

  const ask: PoolReads['ask'] = async (request) => {
    let at = await firstToAsk();
    const excluded = new Set<number>();
    const faults: NodeFault[] = [];
    while (at !== undefined) {
      try {
        return await request(nodes.clients[at]!, at);
      } catch (error) {
        if (!isNodeFault(error) || error.code === 'node_closed') throw error;
        faults.push(error);
        excluded.add(at);
        // A busy node is healthy: this request goes to another node, later ones may use it again.
        nodes.apply({ type: 'failed', node: at, fault: error, keepsStatus: error.code === 'node_busy' });
        at = nodes.choose(excluded);
      }
    }
    throw untilAnyMayBeAsked(nodes, mostSpecific(faults.length > 0 ? faults : faultsOfAll(nodes)));
  };

  return {
    ask,
    askForAddition: (request) => firstToAsk().then((at) => askEach(nodes, at, request)),
    microBlock: (...of) => microBlockFrom(ask, of),
    check,
    chooseAgain() {
      if (checkedAt > -Infinity) nodes.choose();
    },
    get isClosed() {
      return isClosed;
    },
    close() {
      isClosed = true;
      clearInterval(timer);
      for (const client of nodes.clients) client.close();
    },
  };
}

/** Asks a node, then those beside it, until one has the object. Null if those that answer do not have it; throws if none answers. */
async function askEach<T>(
  nodes: ObservedNodes,
  first: number | undefined,
  request: (client: NodeClient) => Promise<T | null>,
): Promise<{ answer: T; url: string } | null> {
  const faults: NodeFault[] = [];
  let isMissing = false;
  for (const at of first === undefined ? [] : [first, ...usableBeside(nodes, first)]) {
    try {
      const answer = await request(nodes.clients[at]!);
      if (answer !== null) return { answer, url: nodes.state.nodes[at]!.url };
      isMissing = true;
    } catch (error) {
      if (!isNodeFault(error) || error.code === 'node_closed') throw error;
      faults.push(error);
    }
  }
  if (isMissing) return null;
  throw mostSpecific(faults.length > 0 ? faults : faultsOfAll(nodes));
}

/** A block that one node returns without a signature, and that the others do not have, was made up: the chain of another node must be read. */
async function microBlockFrom(
  ask: PoolReads['ask'],
  of: Parameters<NodeClient['microBlock']>,
): Promise<MicroBlock | null> {
  let unsigned: NodeFault | undefined;
  const block = await ask(async (client) => {
    try {
      return await client.microBlock(...of);
    } catch (error) {
      if (isNodeFault(error) && error.code === 'node_unsigned') unsigned = error;
      throw error;
    }
  });
  if (block !== null || unsigned === undefined) return block;
  const details = { ...unsigned.details, retryAfterMs: undefined, isMadeUp: true };
  throw nodeFault('node_unsigned', unsigned.message, { details });
}

const usableBeside = ({ state: { nodes } }: ObservedNodes, first: number): number[] =>
  [...nodes.keys()].filter((i) => i !== first && (nodes[i]!.state === 'ok' || nodes[i]!.state === 'syncing'));

/** The fault of one node as that of all: its `retry-after` becomes the time until the first node may be asked again. */
function untilAnyMayBeAsked({ state }: ObservedNodes, fault: NodeFault): NodeFault {
  const ms = Math.min(...state.nodes.map(({ notBefore }) => notBefore)) - performance.now();
  const details = { ...fault.details, retryAfterMs: ms > 0 ? ms : undefined };
  return nodeFault(fault.code, fault.message, { cause: fault.cause, details });
}

const faultsOfAll = ({ state }: ObservedNodes): NodeFault[] => state.nodes.flatMap((_, i) => faultOf(state, i) ?? []);
