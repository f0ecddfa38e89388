/** Tests an example of the documents that follows the chain, with a connection that breaks. */
import { expect } from 'chai';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { EventServer, World } from './events.js';
import { createWorld } from './events.js';
import { eventually } from './populator.js';
import { startRelay } from './relay.js';

interface Program {
  command: string;
  args: readonly string[];
  /** Source, for standard input. */
  text: string;
  cwd: string;
}

/** Runs the program while blocks are added, breaks its connection, and expects each micro block once and in order. */
export async function followsThroughALoss({ command, args, text, cwd }: Program): Promise<void> {
  const world = await createWorld();
  const server = await world.serve();
  const relay = await startRelay(server.http);
  const program = text.replaceAll('localhost:8080', new URL(relay.url).host);
  const child = spawn(command, args, { cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said += part));
  child.stdin.end(program);
  try {
    await eventually(
      () => subscriptions(server),
      (count) => count > 0,
    );
    const first = await grow(world);
    const blocks = (): string[] => [...said.matchAll(/^micro_blocks (mh_\w+)$/gm)].map(([, hash]) => hash!);
    await eventually(
      () => Promise.resolve(blocks()),
      (seen) => seen.includes(first.at(-1)!),
    );
    await relay.shut();
    const missed = await grow(world);
    await relay.open();
    await eventually(
      () => Promise.resolve(blocks()),
      (seen) => seen.includes(missed.at(-1)!),
    );
    expect(blocks()).to.deep.equal([...first, ...missed]);
  } finally {
    child.kill('SIGKILL');
    await ended;
    await relay.shut();
    await world.close();
  }
}

async function subscriptions({ metrics }: EventServer): Promise<number> {
  const text = await metrics.registry.metrics();
  return [...text.matchAll(/^mdw_websocket_subscriptions\S* (\d+)$/gm)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );
}

/** The received micro blocks, in order. */
async function grow(world: World): Promise<string[]> {
  const hashes = async (): Promise<string[]> => {
    const { rows } = await world.database.query<{ hash: string }>({
      name: 'test.follower.blocks',
      text: 'SELECT hash FROM micro_blocks ORDER BY position',
    });
    return rows.map(({ hash }) => hash);
  };
  const before = new Set(await hashes());
  await world.devnode.grow(2);
  await world.sync();
  return (await hashes()).filter((hash) => !before.has(hash));
}
