/** Replays the calls of a copy of the recorded chain of tokens, as the populator does it in the background. */
import { readTransaction } from '../../src/chain/facts.js';
import { keptOf, writeNodeMoney } from '../../src/chain/money/node-money.js';
import type { Replay } from '../../src/chain/replays.js';
import type { ChainNode } from '../../src/node/client.js';
import { readReplay, replayBody } from '../../src/node/dry-run.js';
import type { EnrichContext } from '../../src/populate/enrichments/enrichment.js';
import { callReplays, newReplays } from '../../src/populate/enrichments/internal-calls.js';
import { queueOf } from '../../src/populate/enrichments/queue.js';
import type { Database } from '../../src/store/connection/database.js';
import { mayQueueReplays } from '../../src/store/internal-calls.js';
import { enrichContext } from './decoding.js';
import { recordedNodeBlocks } from './recorded-money.js';
import { recordedReplay } from './recorded-replay.js';
import { tamper } from './roles.js';

/** Until nothing is due; stops after `steps` batches of the queue. */
export async function replayAll(
  database: Database,
  node: ChainNode,
  { steps = Infinity, ...changes }: Partial<EnrichContext> & { steps?: number } = {},
): Promise<void> {
  const context = enrichContext(database, node, new AbortController().signal, { internalCalls: true, ...changes });
  const [fresh, calls] = [queueOf(newReplays)(context), queueOf(callReplays)(context)];
  while (await fresh.step()) await fresh.idle();
  for (let i = 0; i < steps && (await calls.step()); i++);
  await calls.idle();
}

/** Whether calls were put into the queue, and a node was asked about each. */
export async function nothingToReplay(database: Database): Promise<boolean> {
  const { rows } = await database.query<{ done: boolean }>({
    name: 'test.replays',
    text: `
      SELECT EXISTS (SELECT FROM call_replay_progress) AND NOT EXISTS (SELECT FROM call_replays WHERE state = 'due' AND attempts = 0) AS done`,
  });
  return rows[0]!.done && !(await mayQueueReplays(database));
}

type Change = NonNullable<Parameters<typeof recordedReplay>[1]>;

/** The node with other results or events of calls. */
export const lying = (node: ChainNode, change: Change): ChainNode => ({
  ...node,
  replay(block: string, replay: Replay) {
    const { status, text } = recordedReplay(replayBody(block, replay), change);
    return Promise.resolve(readReplay(status, text) ?? null);
  },
});

/** Stores what the node's list of payments says of each generation, as the populator keeps it. */
export async function keepPayments(database: Database): Promise<void> {
  const money = recordedNodeBlocks('realnode-tokens');
  const { rows } = await database.query<{
    height: number;
    hash: string;
    next: string;
    version: number;
    bodies: string[];
    infos: (string | null)[];
  }>({
    name: 'test.generations',
    text: `
      SELECT k.height::int, k.hash, n.hash AS next, k.version, array_agg(t.body ORDER BY t.position) AS bodies, array_agg(i.body ORDER BY t.position) AS infos
      FROM key_blocks AS k JOIN key_blocks AS n ON n.height = k.height + 1
      JOIN transactions AS t ON t.position >> 33 = k.height LEFT JOIN infos AS i ON i.position = t.position
      GROUP BY k.height, k.hash, n.hash, k.version`,
  });
  for (const { height, hash, next, version, bodies, infos } of rows) {
    const transactions = bodies.map((body, i) => ({ ...readTransaction(body), info: infos[i]! }));
    const kept = keptOf({ hash, height, version, transactions }, money.get(height)!);
    if (typeof kept === 'string') throw new Error(`${height}: ${kept}`);
    await tamper(database, [
      `INSERT INTO node_money (height, next_hash, operations) VALUES (${height}, '${next}', '${writeNodeMoney(kept)}')`,
    ]);
  }
}
