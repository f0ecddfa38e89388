import { isObject, parseExact, parsePlain } from '../chain/encoding/json.js';
import { readKeyBlock } from '../chain/facts.js';
import { MalformedError } from '../chain/malformed.js';
import type { Replay } from '../chain/replays.js';
import type { ServiceAddress } from './address.js';
import { blocksByParts, firstAnswering, hashOfHead, headerOfHead, wholeBlocks } from './blocks.js';
import type { Blocks, Find } from './blocks.js';
import type { Answer } from './exchange.js';
import { dryResults, dryRunBody, readReplay, replayBody } from './dry-run.js';
import type { DryCall, DryResult, ReplayRefusal, Replayed } from './dry-run.js';
import { isNodeFault, nodeFault } from './faults.js';
import { readStatus } from './status.js';
import type { NodeStatus, StatusAnswer } from './status.js';
import { createTransport } from './transport.js';
import type { ReadOptions, TransportOptions } from './transport.js';

export type { GenerationOutline } from './blocks.js';

/**
 * The chain of a node or of a pool of nodes. Methods throw a NodeFault if the node does not answer, or if the answer does not fit the
 * request. They return null if the node itself answers that it does not have the requested object.
 */
export interface ChainNode extends Blocks {
  status(): Promise<NodeStatus>;
  /** JSON text of a transaction's execution result, unchanged; null if it has none or the node no longer has it. */
  info(transactionHash: string, signal?: AbortSignal): Promise<string | null>;
  /** Code (`cb_…`) of a contract in the node's current state; null if the node does not have the contract. */
  contractCode(contractId: string): Promise<string | null>;
  /** Runs calls on the state after a block; null if the node does not know the block or does not have its state any more, or does no dry runs. */
  dryRun(block: string, calls: readonly DryCall[]): Promise<DryResult[] | null>;
  /** Runs transactions again, on the state after a block; null if the node does not have the block. */
  replay(block: string, replay: Replay): Promise<Replayed | ReplayRefusal | null>;
  /** Requests any path, given without `/v2` or `/v3`. The status is 2xx or 4xx. */
  get(path: string): Promise<{ status: number; text: string }>;
  close(): void;
}

interface NodeClientOptions extends TransportOptions {
  address: ServiceAddress;
  /** Path prefix to use; `auto` detects it. */
  api: 'auto' | 'v2' | 'v3';
  /** There is another node to ask: after a fault of the connection it is asked, before this one is asked by other paths. */
  hasOthers?: boolean;
}

/** Client of a single node. Health checks request `status` without retries. */
export interface NodeClient extends ChainNode {
  status(options?: { retry?: boolean }): Promise<NodeStatus>;
  /** Hash of the last block, a key block or a micro block: the cheapest request that shows any change. There are no retries. */
  headHash(): Promise<string>;
  /** An object in the state of the node's head, read by `interpret`; null if the node does not have it. There are no retries. */
  object<T>(path: string, interpret: (text: string) => T, signal: AbortSignal): Promise<T | null>;
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

  const finding =
    (used: () => Promise<Prefix>, settings?: ReadOptions): Find =>
    async (path, absent, interpret) =>
      transport.read(
        `/${await used()}${path}`,
        (answer) => {
          if (answer.status < 400) return interpret(answer.text);
          if (absent.includes(answer.status) && isRefusalOfNode(answer)) return null;
          throw nodeFault('node_error', `answered ${answer.status}`, { details: { status: answer.status } });
        },
        settings,
      );

  /** Header of the last block. There are no retries. */
  const headHeader = (used: () => Promise<Prefix>) => async (): Promise<string> => {
    const find = finding(used, { retry: false });
    return (await find((await used()) === 'v3' ? '/headers/top' : '/blocks/top', [], headerOfHead))!;
  };

  const find = finding(prefix);
  /** A node that fails below one prefix may answer below the other one. */
  const otherPrefix = async (): Promise<Prefix> => ((await prefix()) === 'v3' ? 'v2' : 'v3');
  const once = [prefix, otherPrefix].map((used) => ({ used, find: finding(used, { retry: false }) }));
  const blocks = firstAnswering(
    [
      wholeBlocks(find),
      wholeBlocks(once[1]!.find),
      ...once.map(({ used, find: findOnce }) => blocksByParts(findOnce, headHeader(used))),
    ],
    (fault) =>
      isNodeFault(fault) && (ANSWERED.includes(fault.code) || (options.hasOthers !== true && CUT.includes(fault.code))),
  );

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

  const newestKeyBlock = async () => (await find('/key-blocks/current', [], readKeyBlock))!;

  return {
    ...blocks,
    info: (hash, signal) => finding(prefix, { signal })(`/transactions/${hash}/info`, [400, 404, 410], infoOf),
    async status({ retry = true } = {}) {
      const { head, ...rest } = await askStatus(retry);
      // The status of nodes before 3.2 does not have the head.
      return {
        ...rest,
        ...(head ?? (await newestKeyBlock().then((b) => ({ headHeight: b.height, headHash: b.hash })))),
      };
    },
    headHash: async () => hashOfHead(await headHeader(() => prefix(false))()),
    object: (path, interpret, signal) => finding(prefix, { retry: false, signal })(path, [404], interpret),
    contractCode: (contractId) => find(`/contracts/${contractId}/code`, [400, 404, 410], bytecodeOf),
    ...dryRuns(transport),
    async get(path) {
      return transport.read(`/${await prefix()}${path}`, ({ status, text }) => ({ status, text }));
    },
    close: () => transport.close(),
  };
}

const dryRuns = (transport: ReturnType<typeof createTransport>): Pick<ChainNode, 'dryRun' | 'replay'> => ({
  dryRun: (block, calls) =>
    transport.read('/v3/dry-run', ({ status, text }) => (status < 400 ? dryResults(text, calls.length) : null), {
      body: dryRunBody(block, calls),
      retry: false,
    }),
  replay: (block, replay) =>
    transport.read('/v3/dry-run', ({ status, text }) => readReplay(status, text) ?? null, {
      body: replayBody(block, replay),
      retry: false,
      mayFail: true,
    }),
});

type Prefix = 'v2' | 'v3';

/** Faults of a node that answers, and faults of the connection. */
const ANSWERED: readonly string[] = ['node_error', 'node_malformed'];
const CUT: readonly string[] = ['node_timeout', 'node_unreachable'];

/** Whether a refusal comes from the node itself: it has a `reason`. The answer to an unknown path, or of a proxy, has none. */
function isRefusalOfNode({ text }: Answer): boolean {
  try {
    return typeof (JSON.parse(text) as { reason?: unknown } | null)?.reason === 'string';
  } catch {
    return false;
  }
}

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
