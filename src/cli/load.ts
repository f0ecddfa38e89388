import type { GenesisAccounts } from '../chain/money/genesis-accounts.js';
import { createCallDecoder } from '../compiler/decoder.js';
import { createCompilerService } from '../compiler/service.js';
import type { Config } from '../config.js';
import { agreeingNodes, createRosettaNode, REPLAY_MS } from '../node/rosetta.js';
import type { RosettaNode } from '../node/rosetta.js';
import type { NodePool } from '../node/pool.js';
import type { Logger } from '../observe/logger.js';
import type { Metrics } from '../observe/metrics.js';
import { createProgress } from '../observe/progress.js';
import type { Screen } from '../observe/screen.js';
import { populate } from '../populate/run.js';
import type { Lifecycle } from '../runtime/lifecycle.js';
import type { Database } from '../store/connection/database.js';
import { openProver } from './start.js';

interface LoadOptions {
  config: Config;
  logger: Logger;
  lifecycle: Lifecycle;
  metrics: Metrics;
  database: Database;
  screen: Screen;
  genesisAccounts: GenesisAccounts | undefined;
}

/** Populates until the process ends. */
export async function load(
  { config, logger, lifecycle, metrics, database, screen, genesisAccounts }: LoadOptions,
  node: NodePool,
): Promise<void> {
  const { signal } = lifecycle;
  const service =
    config.compilerUrls &&
    createCompilerService({
      urls: config.compilerUrls,
      caFile: config.compilerCaFile,
      timeoutMs: config.nodeTimeoutMs,
      signal,
    });
  if (service) lifecycle.onClose('compiler', () => service.close());
  const openRosetta = (url: string): RosettaNode =>
    createRosettaNode({
      ...{ url, caFile: config.nodeCaFile, signal },
      timeoutMs: Math.max(config.nodeTimeoutMs, REPLAY_MS),
    });
  const rosetta = config.rosettaUrls && agreeingNodes(config.rosettaUrls.map(openRosetta), config.secondOpinionShare);
  if (rosetta) lifecycle.onClose('Rosetta', () => rosetta.close());
  const progress = createProgress({ what: 'Loading', logger, screen });
  const decoder = createCallDecoder(service);
  const prover = openProver({ config, logger, metrics, database, signal }, node);
  if (prover !== node) lifecycle.onClose('nodes that prove', () => prover.close());
  try {
    const onProgress = progress.update;
    const money = { rosetta, genesisAccounts };
    await populate({ database, node, prover, decoder, ...money, config, logger, metrics, signal, onProgress });
  } finally {
    progress.end();
  }
}
