import { createOpenApi } from '../src/api/schemas/openapi.js';
import { endpoints } from '../src/api/schemas/endpoints.js';
import type { Endpoint } from '../src/api/schemas/endpoint.js';

/** What an endpoint is confirmed by. */
export interface Evidence {
  /** What its answers are compared with. */
  source: string;
  /** Suite under `test/` in which they are. */
  test: string;
  /** Query whose plan a test checks, as `plans.test.ts` or `plans-objects.test.ts` name it; null where none is asked. */
  plan: string | null;
}

const MODEL = 'slow model';
const NODE = "node's recording";
const SUITE = 'the suite itself';
const BOTH = `${MODEL}, ${NODE}`;

const row = (source: string, test: string, plan: string | null): Evidence => ({ source, test, plan });

export const EVIDENCE: Record<string, Evidence> = {
  getTxByAccount: row(SUITE, 'api/account-transactions', 'the last page of an account'),
  getTxCountByAddress: row(SUITE, 'api/account-transactions', 'the length of an account'),
  getTxBetweenAddress: row(MODEL, 'api/spends', 'the last page of a pair'),
  getTxByGenerationRange: row(SUITE, 'api/interval', 'the last page of an interval'),
  getTxRateByDateRange: row(MODEL, 'api/spends', 'the rate of some days'),
  getCurrentTxCount: row(MODEL, 'api/spends', 'the count'),
  getTxCountAtHeight: row(MODEL, 'api/spends', 'the count'),
  getGenerationsByRange: row(NODE, 'api/generations', 'a far page of generations'),
  getGenerationListByRange: row(MODEL, 'api/raw-generations', 'a far page of generations with records'),
  getHeightByTime: row(SUITE, 'api/sums-and-rewards', 'a height by time'),
  getRewardAtHeight: row(SUITE, 'api/sums-and-rewards', 'a reward'),
  getChainSize: row(SUITE, 'api/sums-and-rewards', 'the size'),
  getSizeAtHeight: row(SUITE, 'api/sums-and-rewards', 'the size'),
  getAllNames: row(MODEL, 'api/names', 'a far page of names'),
  getActiveNames: row(BOTH, 'api/names', 'a far page of active names'),
  searchName: row(MODEL, 'api/names', 'a search that finds at once'),
  getNameByAddress: row(MODEL, 'api/names', 'a far page of names that point to an account'),
  getNameForHash: row(MODEL, 'api/names', 'a name by its hash'),
  getActiveNameAuctions: row(BOTH, 'api/auctions', 'the running auctions'),
  getActiveNameAuctionsCount: row(MODEL, 'api/auctions', 'the number of running auctions'),
  getAuctionInfo: row(BOTH, 'api/auctions', 'an auction with its bids'),
  getNameAuctionsBidsbyName: row(MODEL, 'api/auctions', 'a far page of bids'),
  getNameAuctionsBidsbyAddress: row(MODEL, 'api/auctions', 'the last page of bids of an account'),
  getAllContracts: row(MODEL, 'api/contracts', 'a far page of contracts'),
  getContractAddressCalls: row(NODE, 'api/contracts', 'a far page of decoded calls'),
  getContractTx: row(MODEL, 'api/contracts', 'the last page of a contract'),
  getContractCreationTx: row(BOTH, 'api/contracts', 'the creation of a contract'),
  verifyContract: row('a real compiler', 'api/real-compiler', 'the text of the creation of a contract'),
  getCompilers: row('a real compiler', 'api/real-compiler', null),
  getAllOracles: row(BOTH, 'api/oracles', 'a far page of active oracles'),
  getOraclesByOlderPath: row(MODEL, 'api/oracles', 'a far page of active oracles'),
  getOracleData: row(BOTH, 'api/oracles', 'the last page of questions'),
  getActiveChannels: row(BOTH, 'api/channels', 'the open channels'),
  getChannelTx: row(MODEL, 'api/channels', 'the last page of a channel'),
  getCurrentGeneration: row(NODE, 'api/node-cache', 'the current generation'),
  getGenerationByHeight: row(NODE, 'api/node-cache', 'a generation'),
  getCurrentKeyBlockHeight: row(NODE, 'api/node-cache', 'the current height'),
  getKeyBlockByHash: row(NODE, 'api/node-cache', 'a key block by hash'),
  getKeyBlockByHeight: row(NODE, 'api/node-cache', 'a key block by height'),
  getMicroBlockHeaderByHash: row(NODE, 'api/node-cache', 'a micro block header'),
  getMicroBlockTransactionsByHash: row(NODE, 'api/node-cache', 'the transactions of a micro block'),
  getMicroBlockTransactionsCountByHash: row(NODE, 'api/node-cache', 'the number of transactions of a micro block'),
  getTransactionByHash: row(NODE, 'api/node-cache', 'a transaction'),
  getMdwStatus: row(SUITE, 'api/status-and-health', 'the status'),
  getLiveness: row(SUITE, 'api/status-and-health', null),
  getReadiness: row(SUITE, 'api/status-and-health', 'the status'),
  streamEvents: row('frames of the websocket', 'events/stream', null),
  getSwagger: row('the schemas', 'api/swagger-client', null),
  getOpenApi: row('the schemas', 'api/documents', null),
  getDocumentation: row('the schemas', 'api/documents', null),
};

/** The table of `docs/http.md`. `types` is the text of `types/api.d.ts`, to which it links. */
export function httpTable(types: string): string {
  const lines = types.split('\n');
  const rows = endpoints.map((endpoint) => {
    const { source, test, plan } = EVIDENCE[endpoint.operationId]!;
    const line = lines.findIndex((text) => text === `    ${endpoint.operationId}: {`) + 1;
    return [
      `\`${endpoint.method.toUpperCase()} ${endpoint.path}\``,
      `[${shape(endpoint)}](../types/api.d.ts#L${line})`,
      source,
      `[${test}](../test/${test}.test.ts)`,
      plan ?? '—',
    ].join(' | ');
  });
  return [
    '| Endpoint | Answer | Confirmed by | Test | Plan checked |',
    '|---|---|---|---|---|',
    ...rows.map((text) => `| ${text} |`),
  ].join('\n');
}

interface Schema {
  $ref?: string;
  type?: string;
  items?: Schema;
  anyOf?: Schema[];
  properties?: Record<string, Schema>;
}

function shape({ path, method, mediaType = 'application/json' }: Endpoint): string {
  const { paths } = createOpenApi() as unknown as {
    paths: Record<
      string,
      Record<string, { responses: Record<string, { content: Record<string, { schema: Schema }> }> }>
    >;
  };
  return mediaType === 'application/json'
    ? named(paths[path]![method]!.responses['200']!.content[mediaType]!.schema)
    : mediaType;
}

function named({ $ref, type, items, anyOf, properties }: Schema): string {
  if ($ref !== undefined) return $ref.split('/').at(-1)!;
  if (type === 'array') return `${named(items ?? {})}[]`;
  if (anyOf !== undefined) return anyOf.map(named).join(' or ');
  return properties === undefined ? (type ?? 'any') : `{${Object.keys(properties).join(', ')}}`;
}
