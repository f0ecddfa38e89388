import type { Config } from '../config.js';
import { verified } from '../config/postgres-url.js';
import type { Logger } from '../observe/logger.js';
import { REPLICA_OUTCOMES } from '../observe/metrics.js';
import type { Metrics } from '../observe/metrics.js';
import { createDatabase } from '../store/connection/database.js';
import type { Database } from '../store/connection/database.js';
import { createFloor } from '../store/replicas/floor.js';
import { raising, spread } from '../store/replicas/reads.js';
import type { Reads } from '../store/replicas/reads.js';
import { createReplica } from '../store/replicas/replica.js';
import type { UnusedReason, Replica } from '../store/replicas/replica.js';
import { completeUrl } from '../store/replicas/url.js';
import { hostOf } from './waiting.js';

type DatabaseConfig = Partial<Pick<Config, 'databaseCaFile'>> &
  Pick<Config, 'databaseUrl' | 'databaseReplicaUrls' | 'databaseSchema' | 'databasePoolSize' | 'statementTimeoutMs'>;

interface ReplicasOptions {
  config: DatabaseConfig;
  currentConfig?: (() => DatabaseConfig) | undefined;
  /** The primary, for clients and for events. */
  readers: Database;
  database: Database;
  logger: Logger;
  metrics: Metrics;
}

/** Time for the answer of a database to arrive, in addition to the time that its statement may take, ms. */
export const ANSWER_MS = 1_000;

interface Serving {
  /** Database of the requests of clients. */
  reads: Reads;
  /** Database from which events are read. */
  events: Database;
  close(): Promise<unknown>;
}

/** Spreads the reads of clients over DATABASE_REPLICA_URLS. Without replicas, everything is read from the primary. */
export function openReads(options: ReplicasOptions): Serving {
  const { config, currentConfig, readers, database, logger, metrics } = options;
  const urls = config.databaseReplicaUrls ?? [];
  const floor = createFloor();
  const primary = raising(readers, floor);
  const events = raising(database, floor);
  const urlOf = (of: DatabaseConfig, i: number): string => {
    const url = completeUrl(of.databaseReplicaUrls?.[i] ?? '', of.databaseUrl);
    return of.databaseCaFile === undefined ? url : verified(url, of.databaseCaFile);
  };
  const replicas = urls.map((_, i): Replica => {
    const url = urlOf(config, i);
    const name = hostOf(url);
    const replica = createDatabase({
      url,
      currentUrl: currentConfig && (() => urlOf(currentConfig(), i)),
      schema: config.databaseSchema,
      poolSize: config.databasePoolSize,
      statementTimeoutMs: config.statementTimeoutMs,
      keepsPlans: true,
      // The check may be answered by another standby behind the same address, so it does not detect that this one hangs.
      isBalanced: true,
      answerTimeoutMs: config.statementTimeoutMs + ANSWER_MS,
      // Warnings about single connections are not logged: one line is logged when the replica is no longer used.
      logger: logger.child({}, { level: 'error' }),
    });
    for (const outcome of REPLICA_OUTCOMES) metrics.replicaReads.inc({ replica: name, outcome }, 0);
    const onChange = (inUse: boolean, reason?: UnusedReason): void => {
      metrics.replicaInUse.set({ replica: name }, inUse ? 1 : 0);
      if (reason !== undefined) metrics.replicaLeftOut.inc({ replica: name, reason });
    };
    return createReplica({ name, database: replica, primary, floor, logger, onChange });
  });
  return {
    reads: spread({
      primary,
      floor,
      replicas,
      onRead: (replica, outcome) => metrics.replicaReads.inc({ replica, outcome }),
    }),
    events,
    close: () => Promise.all(replicas.map((one) => one.close())),
  };
}
