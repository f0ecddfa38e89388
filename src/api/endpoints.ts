/** Every endpoint that the service answers itself, in the order of the documents. */
import { COMPAT_PREFIX } from './compat-prefix.js';
import type { Endpoint } from './endpoint.js';
import * as accounts from './endpoints/accounts.js';
import * as allowances from './endpoints/allowances.js';
import * as auctions from './endpoints/auctions.js';
import * as channels from './endpoints/channels.js';
import * as contracts from './endpoints/contracts.js';
import * as documents from './endpoints/documents.js';
import { eventStream } from './endpoints/events.js';
import * as figures from './endpoints/figures.js';
import * as generations from './endpoints/generations.js';
import { holders } from './endpoints/holders.js';
import * as health from './endpoints/health.js';
import * as names from './endpoints/names.js';
import { network } from './endpoints/network.js';
import { nodeEndpoints } from './endpoints/node.js';
import * as oracles from './endpoints/oracles.js';
import { refusedTokens } from './endpoints/refused-tokens.js';
import { spendRates } from './endpoints/rates.js';
import { rewardAtHeight } from './endpoints/rewards.js';
import { status } from './endpoints/status.js';
import * as sums from './endpoints/sums.js';
import * as swaps from './endpoints/swaps.js';
import * as tokens from './endpoints/tokens.js';
import * as transactions from './endpoints/transactions.js';
import * as verify from './endpoints/verify.js';

export const endpoints: readonly Endpoint[] = [
  transactions.transactionsOfAccount,
  transactions.transactionCountOfAccount,
  accounts.ledgerOfAccount,
  accounts.balanceOfAccount,
  accounts.statementOfAccount,
  holders,
  transactions.spendsBetween,
  transactions.transactionsInInterval,
  spendRates,
  sums.transactionCount,
  sums.transactionCountAtHeight,
  generations.generationsInRange,
  generations.generationListInRange,
  generations.heightAtTime,
  rewardAtHeight,
  figures.figuresByTime,
  figures.figuresOfGenerations,
  sums.chainSize,
  sums.chainSizeAtHeight,
  names.allNames,
  names.activeNames,
  names.nameSearch,
  names.namesPointing,
  names.namesOfAccounts,
  names.nameByHash,
  names.transactionsOfName,
  auctions.runningAuctions,
  auctions.runningAuctionCount,
  auctions.auctionInfo,
  auctions.auctionBids,
  auctions.bidsOfAccount,
  contracts.allContracts,
  contracts.callsOfContract,
  contracts.decodedCall,
  contracts.logsOfContracts,
  contracts.transactionsOfContract,
  contracts.creationOfContract,
  tokens.tokens,
  tokens.collections,
  refusedTokens,
  swaps.swaps,
  tokens.token,
  tokens.tokenSupply,
  tokens.holders,
  tokens.tokenTransfers,
  tokens.tokenOwners,
  allowances.allowancesOfToken,
  swaps.swapsOfToken,
  tokens.tokensOfAccount,
  tokens.ownedTokensOfAccount,
  allowances.allowancesOfAccount,
  swaps.swapsOfAccount,
  verify.verifyContract,
  verify.compilerVersions,
  oracles.oracleList,
  oracles.oracleListByOlderPath,
  oracles.queriesOfOracle,
  channels.activeChannels,
  channels.transactionsOfChannel,
  ...nodeEndpoints,
  status,
  network,
  health.liveness,
  health.readiness,
  eventStream,
  documents.swaggerDocument,
  documents.openApiDocument,
  documents.documentationPage,
];

/** First segments of the service's own paths. A path that begins with one of them is never forwarded to the node. */
export const OWN_PATHS: readonly string[] = [
  ...new Set(endpoints.flatMap(({ path, forwarded }) => (forwarded === true ? [] : [`/${path.split('/')[1]}`]))),
  COMPAT_PREFIX,
];
