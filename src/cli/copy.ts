import type { Config } from '../config.js';
import { createLogger } from '../observe/logger.js';
import type { Logger } from '../observe/logger.js';
import { createScreen } from '../observe/screen.js';
import type { Database } from '../store/connection/database.js';

/** The logger of a command. It writes to stderr, because stdout is for the result of the command. */
export const commandLogger = ({ logLevel, logDir }: Config): Logger =>
  createLogger({ level: logLevel, dir: logDir, stream: 'stderr', screen: createScreen({ env: process.env }) });

/** Opens the copy of DATABASE_URL and DATABASE_SCHEMA for a few statements, which have no time limit. */
export async function openCopy(config: Config, logger = commandLogger(config)): Promise<Database> {
  const { createDatabase } = await import('../store/connection/database.js');
  return createDatabase({
    url: config.databaseUrl,
    schema: config.databaseSchema,
    poolSize: 2,
    statementTimeoutMs: 0,
    logger,
  });
}
