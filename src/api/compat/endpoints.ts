/** Every endpoint of the compatible API, in the order of its description. */
import type { CompatEndpoint } from './endpoint.js';
import { descriptionRoutes } from './endpoints/description.js';
import * as aex141 from './endpoints/aex141.js';
import * as aex9 from './endpoints/aex9.js';
import { activities } from './endpoints/activities.js';
import * as blocks from './endpoints/blocks.js';
import * as channels from './endpoints/channels.js';
import * as contracts from './endpoints/contracts.js';
import * as dex from './endpoints/dex.js';
import * as generations from './endpoints/generations.js';
import * as calls from './endpoints/internal-calls.js';
import * as logs from './endpoints/logs.js';
import * as names from './endpoints/names.js';
import * as oracles from './endpoints/oracles.js';
import * as pointees from './endpoints/pointees.js';
import * as statistics from './endpoints/statistics.js';
import { transfers } from './endpoints/transfers.js';
import { wealth } from './endpoints/wealth.js';
import { status } from './endpoints/status.js';
import * as transactions from './endpoints/transactions.js';
import { hyperchainRoutes } from './endpoints/hyperchain.js';

const described: readonly CompatEndpoint[] = [
  status,
  blocks.keyBlocks,
  blocks.keyBlock,
  blocks.microBlocksOfGeneration,
  blocks.microBlock,
  transactions.microBlockTransactions,
  transactions.transactions,
  transactions.transactionCount,
  transactions.pendingTransactions,
  transactions.pendingTransactionsCount,
  transactions.transaction,
  transactions.accountTransactionCount,
  names.names,
  names.nameCount,
  names.auctions,
  names.auction,
  names.auctionClaims,
  names.name,
  names.claims,
  names.updates,
  names.transfers,
  names.history,
  names.accountClaims,
  pointees.pointees,
  pointees.pointeesOfV2,
  names.pointers,
  names.search,
  oracles.oracles,
  oracles.oracle,
  oracles.oracleQueries,
  oracles.oracleResponses,
  oracles.oracleExtends,
  channels.channels,
  channels.channel,
  channels.channelUpdates,
  contracts.contracts,
  logs.contractsLogs,
  logs.contractLogs,
  calls.contractsCalls,
  calls.contractCalls,
  contracts.contract,
  aex9.tokens,
  aex9.tokenCount,
  aex9.balances,
  aex9.balance,
  aex9.history,
  aex9.logsCount,
  aex9.holdings,
  aex9.transfers,
  aex9.accountTransfers,
  aex9.transfersFrom,
  aex9.transfersTo,
  aex9.transfersBetween,
  aex9.token,
  aex141.collections,
  aex141.collectionCount,
  aex141.transfers,
  aex141.singles,
  aex141.single,
  aex141.singleOwner,
  aex141.singleMetadata,
  aex141.templates,
  aex141.templateTokens,
  aex141.collectionTransfers,
  aex141.owned,
  aex141.collection,
  activities,
  dex.swaps,
  dex.swapsOfContract,
  dex.swapsOfAccount,
  transfers,
  statistics.stats,
  generations.deltas,
  generations.totals,
  statistics.counts,
  statistics.transactionsTotal,
  statistics.topMiners,
  statistics.miners,
  statistics.miners24h,
  wealth,
].flat();

export const compatEndpoints: readonly CompatEndpoint[] = [
  ...described,
  ...hyperchainRoutes,
  ...descriptionRoutes(described),
];
