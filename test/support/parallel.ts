/** For `mocha --parallel`: one PostgreSQL for the files of all workers, from before the first to after the last. */
import { SHARED_SERVER, startServer, stopServer } from './postgres.js';

export async function mochaGlobalSetup(): Promise<void> {
  process.env[SHARED_SERVER] = await startServer();
}

export const mochaGlobalTeardown = stopServer;
