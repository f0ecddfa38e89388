/** The built program as populator and server in front of a simulated node, with its own database. */
import { fileURLToPath } from 'node:url';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode, GenerateOptions, LiveOptions } from '../../devtools/devnode/start.js';
import { startMdw } from './mdw.js';
import { testDatabase } from './postgres.js';
import { asRole, migrateCopy } from './roles.js';

const RECORDING = fileURLToPath(new URL('../fixtures/realnode/chain.jsonl.gz', import.meta.url));

type NodeOptions = Omit<Parameters<typeof startDevnode>[0], 'external'>;

export interface Service {
  devnode: Devnode;
  /** URL of the server, after it has the whole chain. */
  url: string;
  close(): Promise<void>;
}

async function startService(node: NodeOptions, env: Record<string, string> = {}): Promise<Service> {
  const database = await testDatabase();
  const devnode = await startDevnode({ external: '127.0.0.1:0', ...node });
  await migrateCopy(database.url);
  const program = startMdw(['-ps'], {
    NODE_URL: devnode.externalUrl,
    DATABASE_URL: asRole(database.url, 'populate'),
    HTTP_ADDRESS: '127.0.0.1:0',
    METRICS_ADDRESS: '127.0.0.1:0',
    WEBSOCKET_ADDRESS: '127.0.0.1:0',
    ...env,
  });
  const [, port] = await program.saw(/"http":\{[^}]*"port":(\d+)/);
  await program.saw(/Caught up with the node/);
  return {
    devnode,
    url: `http://127.0.0.1:${port}`,
    async close() {
      program.process.kill('SIGKILL');
      await program.ended;
      await devnode.close();
      await database.drop();
    },
  };
}

/** A service in front of the recorded chain, which does not change. */
export const startRecorded = (): Promise<Service> =>
  startService({ source: { replay: RECORDING } }, { STATUS_MAX_BLOCK_AGE: '999999999' });

/** A service in front of a generated chain. */
export const startGenerated = (generate: GenerateOptions): Promise<Service> =>
  startService({ source: { generate } }, { STATUS_MAX_BLOCK_AGE: '999999999', POLL_INTERVAL_MS: '50' });

/** A service in front of a live chain, which adds a block after each post. The populator polls often. */
export const startLive = (live: LiveOptions, more: Omit<NodeOptions, 'source'> = {}): Promise<Service> =>
  startService({ ...more, source: { live: { microBlockMs: 20, ...live } } }, { POLL_INTERVAL_MS: '50' });
