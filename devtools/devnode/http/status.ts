import type { Currency } from '../../../src/chain/networks.js';
import type { Protocol } from '../ledger/rules.js';

interface StatusFacts {
  networkId: string;
  genesis: string;
  protocols: readonly Protocol[];
  /** `pp_…` */
  peerKey: string;
  height: number;
  headHash: string;
  /** Such chains have neither difficulty nor hash rate. */
  isHyperchain: boolean;
  difficulty: bigint;
  pending: number;
  /** Time since the start, ms. */
  uptimeMs: number;
}

const NODE_VERSION = '7.2.2';
/** The first line with hyperchains as they are simulated. */
const HYPERCHAIN_VERSION = '7.3.0-rc7';
const NODE_REVISION = '1eed995909ce8d6cafdaaa964415565e1b023bea';

/** Body of `/status`, as of a node of release 7.2.2 that is in sync and has no peers. */
export function statusText(facts: StatusFacts): string {
  const protocols = [...facts.protocols]
    .sort((a, b) => b.effective_at_height - a.effective_at_height)
    .map(({ effective_at_height, version }) => ({ effective_at_height, version }));
  const head = `{"difficulty":${facts.isHyperchain ? 0 : facts.difficulty},`;
  const rest = JSON.stringify({
    genesis_key_block_hash: facts.genesis,
    hashrate: facts.isHyperchain ? 0 : 256,
    listening: true,
    network_id: facts.networkId,
    node_revision: NODE_REVISION,
    node_version: facts.isHyperchain ? HYPERCHAIN_VERSION : NODE_VERSION,
    peer_connections: { inbound: 0, outbound: 0 },
    peer_count: 0,
    peer_pubkey: facts.peerKey,
    pending_transactions_count: facts.pending,
    protocols,
    solutions: 0,
    sync_progress: 'FLOAT',
    syncing: false,
    top_block_height: facts.height,
    top_key_block_hash: facts.headHash,
    uptime: uptime(facts.uptimeMs),
  });
  return head + rest.slice(1).replace('"FLOAT"', '100.0');
}

/** For example `2h:13m:5s`. */
function uptime(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const parts = [`${seconds % 60}s`];
  if (seconds >= 60) parts.unshift(`${Math.floor(seconds / 60) % 60}m`);
  if (seconds >= 3600) parts.unshift(`${Math.floor(seconds / 3600)}h`);
  return parts.join(':');
}

/** Body of `/currency`. */
export const currencyText = (networkId: string, { name, symbol, subunit, digits }: Currency): string =>
  `{"name":${JSON.stringify(name)},"network_name":${JSON.stringify(networkId)},"primary_colour":"#f5274e","secondary_colour":"#242424","subunit":${JSON.stringify(subunit)},"subunits_per_unit":1${'0'.repeat(digits)},"symbol":${JSON.stringify(symbol)}}`;
