import { activeAccounts } from './active-accounts.js';
import { channels } from './channels.js';
import { childContracts } from './child-contracts.js';
import { contractLogs } from './contract-logs.js';
import { contracts } from './contracts.js';
import { days } from './days.js';
import { entries } from './entries.js';
import { generationChanges } from './generation-changes.js';
import { generations } from './generations.js';
import { holders } from './holders.js';
import { internalCalls } from './internal-calls.js';
import { movements } from './movements.js';
import { names } from './names.js';
import { oracleLives } from './oracle-lives.js';
import { oracleQueries } from './oracle-queries.js';
import { oracles } from './oracles.js';
import type { Projection } from './projection.js';
import { rankings } from './rankings.js';
import { seenAccounts } from './seen-accounts.js';
import { statistics } from './statistics.js';
import { tokenAllowances } from './token-allowances.js';
import { tokenMetadata } from './token-metadata.js';
import { tokens } from './tokens.js';
import { transactionHashes } from './transaction-hashes.js';

/** All derived tables. What writes, verifies and mends the copy goes through them in this order. */
export const PROJECTIONS: readonly Projection[] = [
  names,
  entries,
  seenAccounts,
  activeAccounts,
  oracles,
  oracleLives,
  oracleQueries,
  channels,
  contracts,
  contractLogs,
  internalCalls,
  tokens,
  tokenMetadata,
  tokenAllowances,
  movements,
  childContracts,
  holders,
  generationChanges,
  generations,
  days,
  statistics,
  rankings,
  transactionHashes,
];
