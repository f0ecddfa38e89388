/** What the populator does beside the load for the ledger, until a test has what it waits for. */
import type { RewardRules } from '../../src/chain/money/key-block.js';
import type { ChainNode } from '../../src/node/client.js';
import type { RosettaNode } from '../../src/node/rosetta.js';
import { createMetrics } from '../../src/observe/metrics.js';
import type { Metrics } from '../../src/observe/metrics.js';
import { checkBalances } from '../../src/populate/check-balances.js';
import { enrich } from '../../src/populate/enrichments/groups.js';
import { keepLedger } from '../../src/populate/ledger.js';
import { waitOrAbort } from '../../src/runtime/repeat.js';
import type { Database } from '../../src/store/connection/database.js';
import { fenceBesideWriter } from '../../src/store/lease.js';
import { NO_WORK, silent } from './copy.js';
import { enrichContext } from './decoding.js';
import { eventually } from './populator.js';

/** Compares the balances of all accounts with the node's. */
export async function compareAllBalances(database: Database, node: ChainNode): Promise<void> {
  const stopping = new AbortController();
  const metrics = createMetrics();
  const checking = checkBalances({
    ...{ database, node, metrics, hasRosetta: false, logger: silent, signal: stopping.signal, work: NO_WORK },
    ...{ fence: fenceBesideWriter, mayWork: () => true, share: 100, pauseMs: 0 },
  });
  await eventually(
    async () => (await metrics.accountsVerifiedShare.get()).values[0]?.value,
    (share) => share === 1,
  );
  stopping.abort();
  await checking;
}

interface MoneyOptions {
  database: Database;
  node: ChainNode;
  rosetta: RosettaNode;
  rewards?: RewardRules | null;
  metrics?: Metrics;
}

/** Asks the node what changed balances and writes the ledger, until `isDone`. */
export async function keepMoney(
  { database, node, rosetta, rewards = null, metrics = createMetrics() }: MoneyOptions,
  isDone: () => Promise<boolean>,
): Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const shared = {
    ...{ database, metrics, logger: silent, signal, fence: fenceBesideWriter },
    ...{ mayWork: () => true, rosetta },
  };
  const enriching = enrich(enrichContext(database, node, signal, shared), (ms) => waitOrAbort(ms / 20, signal));
  const bookkeeping = keepLedger({ ...shared, ...(rewards && { rewards }), pauseMs: 10 });
  try {
    await eventually(isDone, (done) => done);
  } finally {
    stopping.abort();
    await Promise.all([enriching, bookkeeping]);
  }
}
