import { isObject, parseExact, parsePlain } from '../chain/encoding/json.js';
import { memberText } from '../chain/encoding/json-walk.js';
import { readGeneration, readKeyBlock, readMicroBlock, readTransactions } from '../chain/facts.js';
import { MalformedError } from '../chain/malformed.js';
import type { KeyBlock, MicroBlock } from '../chain/facts.js';
import type { ServiceAddress } from './address.js';
import type { Answer } from './exchange.js';
import { nodeFault } from './faults.js';
import { readStatus } from './status.js';
import type { NodeStatus, StatusAnswer } from './status.js';
import { createTransport } from './transport.js';
import type { TransportOptions } from './transport.js';

/** A generation without its micro blocks' contents; hashes oldest first. */
export interface GenerationOutline {
  keyBlock: KeyBlock;
  microHashes: string[];
}

/**
 * The chain of a node or of a pool of nodes. Methods throw a NodeFault if the node does not answer, or if the answer does not fit the
 * request. They return null if the node itself answers that it does not have the requested object.
 */
export interface ChainNode {
  status(): Promise<NodeStatus>;
  /** The running generation. */
  currentGeneration(): Promise<GenerationOutline>;
  /** Generation of the main chain; null above the head. */
  generation(height: number): Promise<GenerationOutline | null>;
  keyBlock(height: number): Promise<KeyBlock | null>;
  /**
   * Header and transactions, without their `info`. Also returns blocks of abandoned branches if the node still has them: the caller must check
   * whether the block is on the main chain.
   */
  microBlock(hash: string): Promise<MicroBlock | null>;
  /** JSON text of a transaction's execution result, unchanged; null if it has none or the node no longer has it. */
  info(transactionHash: string, signal?: AbortSignal): Promise<string | null>;
  /** Code (`cb_…`) of a contract in the node's current state; null if the node does not have the contract. */
  contractCode(contractId: string): Promise<string | null>;
  /** Requests any path, given without `/v2` or `/v3`. The status is 2xx or 4xx. */
  get(path: string): Promise<{ status: number; text: string }>;
  close(): void;
}

interface NodeClientOptions extends TransportOptions {
  address: ServiceAddress;
  /** Path prefix to use; `auto` detects it. */
  api: 'auto' | 'v2' | 'v3';
}

/** Client of a single node. Health checks request `status` without retries. */
export interface NodeClient extends ChainNode {
  status(options?: { retry?: boolean }): Promise<NodeStatus>;
  /** Hash of the last block, a key block or a micro block: the cheapest request that shows any change. There are no retries. */
  headHash(): Promise<string>;
}

export function createNodeClient(options: NodeClientOptions): NodeClient {
  const transport = createTransport(options);
  let detected: Promise<Prefix> | undefined;

  /** Nodes before 5.9 have no `/v3`. The detected prefix is cached until a status request answers 404. */
  function prefix(retry = true): Promise<Prefix> {
    if (options.api !== 'auto') return Promise.resolve(options.api);
    detected ??= transport
      .read('/v3/status', (answer): Prefix => (answer.status === 404 ? 'v2' : 'v3'), { retry })
      .catch((error: unknown) => {
        detected = undefined;
        throw error;
      });
    return detected;
  }

  async function read<T>(path: string, interpret: (text: string) => T): Promise<T> {
    return transport.read(`/${await prefix()}${path}`, ({ status, text }) => {
      if (status >= 400) throw nodeFault('node_error', `answered ${status}`, { details: { status } });
      return interpret(text);
    });
  }

  /** As `read`, but returns null if the node itself answers with one of the statuses in `absent`. */
  async function find<T>(
    path: string,
    absent: readonly number[],
    interpret: (text: string) => T,
    signal?: AbortSignal,
  ): Promise<T | null> {
    const read = (answer: Answer): T | null => {
      if (answer.status < 400) return interpret(answer.text);
      if (absent.includes(answer.status) && isRefusalOfNode(answer)) return null;
      throw nodeFault('node_error', `answered ${answer.status}`, { details: { status: answer.status } });
    };
    return transport.read(`/${await prefix()}${path}`, read, { signal });
  }

  async function askStatus(retry: boolean): Promise<StatusAnswer> {
    const used = await prefix(retry);
    return transport.read(
      `/${used}/status`,
      ({ status, text }) => {
        if (status < 400) return readStatus(text);
        if (status === 404) detected = undefined;
        throw nodeFault('node_error', `answered ${status}`, { details: { status } });
      },
      { retry },
    );
  }

  const newestKeyBlock = () => read('/key-blocks/current', readKeyBlock);

  return {
    info: (hash, signal) => find(`/transactions/${hash}/info`, [400, 404, 410], infoOf, signal),
    async status({ retry = true } = {}) {
      const { head, ...rest } = await askStatus(retry);
      // The status of nodes before 3.2 does not have the head.
      return {
        ...rest,
        ...(head ?? (await newestKeyBlock().then((b) => ({ headHeight: b.height, headHash: b.hash })))),
      };
    },
    async headHash() {
      const used = await prefix(false);
      const path = used === 'v3' ? '/v3/headers/top' : '/v2/blocks/top';
      return transport.read(
        path,
        ({ status, text }) => {
          if (status >= 400) throw nodeFault('node_error', `answered ${status}`, { details: { status } });
          return hashOfHead(text);
        },
        { retry: false },
      );
    },
    currentGeneration: () => read('/generations/current', readGeneration),
    generation: (height) =>
      find(`/generations/height/${height}`, [404], (text) => {
        const generation = readGeneration(text);
        mustBe(generation.keyBlock.height, height, 'height');
        return generation;
      }),
    keyBlock: (height) =>
      find(`/key-blocks/height/${height}`, [404], (text) => {
        const block = readKeyBlock(text);
        mustBe(block.height, height, 'height');
        return block;
      }),
    async microBlock(hash) {
      const [header, transactions] = await Promise.all([
        find(`/micro-blocks/hash/${hash}/header`, [404], headerOf(hash)),
        find(`/micro-blocks/hash/${hash}/transactions`, [404], transactionsOf(hash)),
      ]);
      return header === null || transactions === null ? null : { ...header, transactions };
    },
    contractCode: (contractId) => find(`/contracts/${contractId}/code`, [400, 404, 410], bytecodeOf),
    async get(path) {
      return transport.read(`/${await prefix()}${path}`, ({ status, text }) => ({ status, text }));
    },
    close: () => transport.close(),
  };
}

type Prefix = 'v2' | 'v3';

/** Whether a refusal comes from the node itself: it has a `reason`. The answer to an unknown path, or of a proxy, has none. */
function isRefusalOfNode({ text }: Answer): boolean {
  try {
    return typeof (JSON.parse(text) as { reason?: unknown } | null)?.reason === 'string';
  } catch {
    return false;
  }
}

/** Reads a header (`/v3`), or an object with one member `key_block` or `micro_block` (`/v2`). */
function hashOfHead(text: string): string {
  const answer = parsePlain(text);
  const header = isObject(answer) ? (answer['key_block'] ?? answer['micro_block'] ?? answer) : undefined;
  const hash = isObject(header) ? header['hash'] : undefined;
  if (typeof hash === 'string') return hash;
  throw new MalformedError('head: hash is missing');
}

const NO_TRANSACTIONS = '{"transactions":[]}';

/** Members of which each execution result has one: nodes before 3.0 return the result of a call without a member around it. */
const RESULTS = ['call_info', 'ga_info', 'tx_info', 'return_type'];

function infoOf(text: string): string {
  const info = parseExact(text);
  if (isObject(info) && RESULTS.some((member) => Object.hasOwn(info, member))) return text.trim();
  throw new MalformedError('call information: no result');
}

function bytecodeOf(text: string): string {
  const answer = parsePlain(text);
  const bytecode = isObject(answer) ? answer['bytecode'] : undefined;
  if (typeof bytecode === 'string') return bytecode;
  throw new MalformedError('code of a contract: bytecode is missing');
}

const headerOf = (hash: string) => (text: string) => {
  const header = readMicroBlock(text, NO_TRANSACTIONS);
  mustBe(header.hash, hash, 'hash');
  return header;
};

const transactionsOf = (hash: string) => (text: string) => {
  const transactions = readTransactions(text);
  const expected = JSON.stringify(hash);
  for (const { body } of transactions) {
    // Nodes print this member first: then the text need not be parsed.
    if (!body.startsWith(`{"block_hash":${expected},`)) mustBe(memberText(body, 'block_hash'), expected, 'block_hash');
  }
  return transactions;
};

function mustBe(found: unknown, requested: unknown, field: string): void {
  if (found === requested) return;
  throw nodeFault('node_lies', `asked for ${field} ${String(requested)}, got ${String(found)}`);
}
