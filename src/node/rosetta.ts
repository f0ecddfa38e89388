/** Asks the Rosetta interfaces of nodes what changed balances. */
import { isDeepStrictEqual } from 'node:util';
import { MalformedError } from '../chain/malformed.js';
import { readNodeBlock } from '../chain/money/node-operations.js';
import type { NodeBlock } from '../chain/money/node-operations.js';
import { serviceAddress } from './address.js';
import { createConnections, exchange, ExchangeError } from './exchange.js';
import type { Answer } from './exchange.js';
import { isNodeFault, nodeFault } from './faults.js';
import { retryAfter } from './transport.js';

/**
 * Why there is no answer about one generation. `refused`: 4xx, as of a node that needs too long for it. `no_state`: it keeps no state of such old blocks.
 * `failed`: another status, as of a block that it does not know.
 */
type Refusal = 'refused' | 'no_state' | 'failed' | 'malformed';

export interface RosettaNode {
  /**
   * The operations of the generation that a key block opened; `disputed` if two nodes answered differently. Throws a NodeFault if the node is away or busy.
   * `mustAgree`: they did so before: two must say the same.
   */
  block(networkId: string, hash: string, mustAgree?: boolean): Promise<NodeBlock | Refusal | 'disputed'>;
  /** Whether the last request failed with a NodeFault. */
  isAway(): boolean;
  close(): void;
}

interface RosettaOptions {
  url: string;
  /** PEM file with the authorities that sign its certificate; the public ones if absent. */
  caFile?: string | undefined;
  /** Max time without data, ms. */
  timeoutMs: number;
  signal?: AbortSignal | undefined;
}

/** Max requests at a time: each is a replay of a generation. */
export const MAX_REPLAYS = 4;

/** A node stops a replay after ten seconds for each micro block, ms. */
export const REPLAY_MS = 60_000;

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

export function createRosettaNode({ url, caFile, timeoutMs, signal }: RosettaOptions): RosettaNode {
  const address = serviceAddress(url);
  const connections = createConnections(address.url, MAX_REPLAYS, caFile);
  const headers: Record<string, string> = {};
  if (address.authorization !== undefined) headers['authorization'] = address.authorization;
  let away = false;
  /** Before this time the node wants no requests (`performance.now()`). */
  let busyUntil = -Infinity;

  async function ask(networkId: string, hash: string): Promise<Answer> {
    const wait = busyUntil - performance.now();
    if (wait > 0) throw nodeFault('node_busy', `Rosetta ${address.url}: asks for a pause`);
    const body = JSON.stringify({
      network_identifier: { blockchain: 'aeternity', network: networkId },
      block_identifier: { hash },
    });
    try {
      return await exchange(connections, '/block', {
        ...{ method: 'POST', headers, body, maxBytes: MAX_ANSWER_BYTES },
        ...{ idleMs: timeoutMs, deadlineMs: timeoutMs * 4 },
        ...(signal && { signal }),
      });
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error;
      const code = error.failure === 'timeout' ? 'node_timeout' : 'node_unreachable';
      throw nodeFault(code, `Rosetta ${address.url}: ${error.message}`, { cause: error });
    }
  }

  async function block(networkId: string, hash: string): Promise<NodeBlock | Refusal> {
    const { status, text, headers: received } = await ask(networkId, hash);
    if (status === 429 || status === 503) {
      busyUntil = performance.now() + (retryAfter(received['retry-after']) ?? 0);
      throw nodeFault('node_busy', `Rosetta ${address.url}: answered ${status}`);
    }
    if (status === 410) return 'no_state';
    if (status >= 400 && status < 500) return 'refused';
    if (status !== 200) return 'failed';
    try {
      return readNodeBlock(text);
    } catch (error) {
      if (error instanceof MalformedError) return 'malformed';
      throw error;
    }
  }

  return {
    async block(networkId, hash) {
      try {
        const answer = await block(networkId, hash);
        away = false;
        return answer;
      } catch (error) {
        away = true;
        throw error;
      }
    },
    isAway: () => away,
    close: () => connections.close(),
  };
}

/** Of several nodes, another one must confirm at least this part of the answers. */
const MIN_SHARE = 0.1;

/**
 * Nodes as one. One that is not away is asked, the first if it can be, and of a share of its answers another one must say the same. A second one without an answer,
 * as of another branch, says nothing against it.
 */
export function agreeingNodes(nodes: readonly RosettaNode[], share: number): RosettaNode {
  const anyOf = (some: readonly RosettaNode[]): RosettaNode | undefined =>
    some[Math.floor(Math.random() * some.length)];
  return {
    async block(networkId, hash, mustAgree = false) {
      const first = nodes.find((node) => !node.isAway()) ?? anyOf(nodes)!;
      const answer = await first.block(networkId, hash);
      const other = anyOf(nodes.filter((node) => node !== first));
      const isAsked = mustAgree || Math.random() < Math.max(share, MIN_SHARE);
      if (typeof answer === 'string' || other === undefined || !isAsked) return answer;
      const second = await other.block(networkId, hash).catch((error: unknown) => {
        if (isNodeFault(error)) return 'failed' as const;
        throw error;
      });
      if (typeof second === 'string') return mustAgree ? 'disputed' : answer;
      return isDeepStrictEqual(answer, second) ? answer : 'disputed';
    },
    isAway: () => nodes.every((node) => node.isAway()),
    close: () => nodes.forEach((node) => node.close()),
  };
}
