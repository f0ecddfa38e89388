/** Every endpoint of the compatible API, in the order of its description. */
import type { CompatEndpoint } from './endpoint.js';
import { descriptionRoutes } from './endpoints/description.js';
import * as blocks from './endpoints/blocks.js';
import { status } from './endpoints/status.js';
import * as transactions from './endpoints/transactions.js';
import { hyperchainRoutes, unavailableRoutes } from './endpoints/unavailable.js';

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
].flat();

export const compatEndpoints: readonly CompatEndpoint[] = [
  ...described,
  ...unavailableRoutes,
  ...hyperchainRoutes,
  ...descriptionRoutes(described),
];
