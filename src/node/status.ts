import { isObject, parseExact } from '../chain/encoding/json.js';
import type { Json, JsonObject } from '../chain/encoding/json.js';
import { MalformedError } from '../chain/malformed.js';
import type { Fork } from '../chain/networks.js';

export interface NodeStatus {
  nodeVersion: string;
  networkId: string;
  genesisHash: string;
  /** Height and hash of the newest key block. */
  headHeight: number;
  headHash: string;
  syncing: boolean;
  /** Key of the node among its peers, which tells it from other nodes; undefined for nodes before 3.2. A node can claim any. */
  peerKey: string | undefined;
  /** Ascending. */
  forks: Fork[];
}

/** Content of the status answer. Nodes before 3.2 do not include the head. */
export type StatusAnswer = Omit<NodeStatus, 'headHeight' | 'headHash'> & {
  head: Pick<NodeStatus, 'headHeight' | 'headHash'> | undefined;
};

/** Parses the answer of `/status`. Throws MalformedError with the name of the wrong field. */
export function readStatus(source: string): StatusAnswer {
  const status = parseExact(source);
  if (!isObject(status)) throw new MalformedError('status is not an object');
  return {
    nodeVersion: text(status, 'node_version'),
    networkId: text(status, 'network_id'),
    genesisHash: text(status, 'genesis_key_block_hash'),
    syncing: status['syncing'] === true,
    peerKey: status['peer_pubkey'] === undefined ? undefined : text(status, 'peer_pubkey'),
    forks: readForks(status['protocols']),
    head:
      status['top_block_height'] === undefined
        ? undefined
        : { headHeight: count(status, 'top_block_height'), headHash: text(status, 'top_key_block_hash') },
  };
}

/** Far more than any network has. */
const MAX_FORKS = 100;
const MAX_VERSION = 0x7fffffff;

function readForks(protocols: Json | undefined): Fork[] {
  if (!Array.isArray(protocols) || protocols.length > MAX_FORKS)
    throw new MalformedError(`status: protocols is not a list of at most ${MAX_FORKS}`);
  const forks = protocols.map((protocol) => ({
    height: count(protocol, 'effective_at_height'),
    version: count(protocol, 'version'),
  }));
  if (forks.some(({ version }) => version > MAX_VERSION)) throw new MalformedError('status: version is too large');
  return forks.sort((a, b) => a.height - b.height || a.version - b.version);
}

function text(status: JsonObject, field: string): string {
  const value = status[field];
  if (typeof value === 'string' && value !== '') return value;
  throw new MalformedError(`status: ${field} is missing or not text`);
}

function count(of: Json, field: string): number {
  const value = isObject(of) ? of[field] : undefined;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0) return value;
  throw new MalformedError(`status: ${field} is missing or not a height`);
}
