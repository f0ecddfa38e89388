import { isObject, memberText, parseExact } from '../chain/json.js';
import type { Json } from '../chain/json.js';
import { readGeneration, readKeyBlock, readMicroBlock, readTransactions } from '../chain/facts.js';
import type { KeyBlock, MicroBlock, Transaction } from '../chain/facts.js';
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
 * The chain as a node (or a pool of them) tells it. Every answer is checked against the question; whatever does not fit
 * is a NodeFault, an outage. `null` is the node's own word that it does not have what was asked for.
 */
export interface ChainNode {
  status(): Promise<NodeStatus>;
  /** The generation that is still growing. */
  currentGeneration(): Promise<GenerationOutline>;
  /** Of the main chain; null above its top. */
  generation(height: number): Promise<GenerationOutline | null>;
  keyBlock(height: number): Promise<KeyBlock | null>;
  /**
   * Header and transactions, with `info` for transactions that hold a GAMetaTx. Also for blocks on abandoned forks that
   * the node remembers: whether the block is on the main chain is for the caller to find out.
   */
  microBlock(hash: string): Promise<MicroBlock | null>;
  /** Exact text of a transaction's execution result; null if it has none or the node no longer knows. */
  info(transactionHash: string): Promise<string | null>;
  /** Any path after `/v2` or `/v3`; status 2xx or 4xx. */
  get(path: string): Promise<{ status: number; text: string }>;
  close(): void;
}

export interface NodeClientOptions extends TransportOptions {
  address: ServiceAddress;
  /** Path prefix to use; `auto` finds out. */
  api: 'auto' | 'v2' | 'v3';
}

/** A ChainNode of one's own: `status` can be asked just once, for health checks. */
export interface NodeClient extends ChainNode {
  status(options?: { retry?: boolean }): Promise<NodeStatus>;
}

/** Client of a single node. */
export function createNodeClient(options: NodeClientOptions): NodeClient {
  const transport = createTransport(options);
  let detected: Promise<Prefix> | undefined;

  /** Nodes before 5.9 have no `/v3`; what was found out is kept until a status request shows otherwise. */
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

  /** As `read`, but null if the node itself says with one of `absent` that there is no such thing. */
  async function find<T>(path: string, absent: readonly number[], interpret: (text: string) => T): Promise<T | null> {
    return transport.read(`/${await prefix()}${path}`, (answer) => {
      if (answer.status < 400) return interpret(answer.text);
      if (absent.includes(answer.status) && isNodesWord(answer)) return null;
      throw nodeFault('node_error', `answered ${answer.status}`, { details: { status: answer.status } });
    });
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

  const info = (hash: string) =>
    find(`/transactions/${hash}/info`, [400, 404, 410], (text) => {
      parseExact(text);
      return text.trim();
    });

  const keyBlockOnTop = () => read('/key-blocks/current', readKeyBlock);

  return {
    info,
    async status({ retry = true } = {}) {
      const { top, ...rest } = await askStatus(retry);
      // Nodes before 3.2 do not tell their top here.
      return { ...rest, ...(top ?? (await keyBlockOnTop().then((b) => ({ topHeight: b.height, topHash: b.hash })))) };
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
      if (header === null || transactions === null) return null;
      const block: MicroBlock = { ...header, transactions };
      const meta = transactions.filter(holdsMeta);
      const infos = await Promise.all(meta.map((transaction) => info(transaction.hash)));
      meta.forEach((transaction, i) => (transaction.info = infos[i]!));
      return block;
    },
    async get(path) {
      return transport.read(`/${await prefix()}${path}`, ({ status, text }) => ({ status, text }));
    },
    close: () => transport.close(),
  };
}

type Prefix = 'v2' | 'v3';

/** Whether a refusal is the node's: those carry a reason, while an unknown path or a proxy in between gives something else. */
function isNodesWord({ text }: Answer): boolean {
  try {
    return typeof (JSON.parse(text) as { reason?: unknown } | null)?.reason === 'string';
  } catch {
    return false;
  }
}

const NO_TRANSACTIONS = '{"transactions":[]}';

const headerOf = (hash: string) => (text: string) => {
  const header = readMicroBlock(text, NO_TRANSACTIONS);
  mustBe(header.hash, hash, 'hash');
  return header;
};

const transactionsOf = (hash: string) => (text: string) => {
  const transactions = readTransactions(text);
  for (const { body } of transactions) mustBe(memberText(body, 'block_hash'), JSON.stringify(hash), 'block_hash');
  return transactions;
};

function mustBe(found: unknown, asked: unknown, field: string): void {
  if (found === asked) return;
  throw nodeFault('node_lies', `asked for ${field} ${String(asked)}, got ${String(found)}`);
}

/** Whether its execution result decides what the transaction did: a GAMetaTx, or one inside a PayingForTx. */
function holdsMeta({ tx }: Transaction): boolean {
  for (let inner: Json | undefined = tx; isObject(inner);) {
    if (inner['type'] === 'GAMetaTx') return true;
    const signed: Json | undefined = inner['tx'];
    inner = isObject(signed) ? signed['tx'] : undefined;
  }
  return false;
}
