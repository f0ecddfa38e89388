import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import { nodeFault } from '../../src/node/faults.js';
import type { ChainNode } from '../../src/node/client.js';
import { goLive } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { decodeAll, decodeUntil } from '../support/decoding.js';
import { createWorld, startEventServer, verifyEvents } from '../support/events.js';
import type { EventServer, TestClient } from '../support/events.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedLogs } from '../support/recorded-logs.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy } from '../support/roles.js';

const OF = 'realnode-tokens';
const FIRST_LOAD = 30;

interface LogsFrame {
  subscription: string;
  payload: {
    hash: string;
    block_hash: string;
    block_height: number;
    logs: { log_index: number; contract_id: string; called_id: string; topics: bigint[] }[];
  };
  cursor: string;
}

const framesOf = ({ frames }: TestClient): LogsFrame[] =>
  frames.flatMap((text) => {
    const frame = parseExact(text) as unknown as Partial<LogsFrame>;
    return frame.subscription === 'contract_logs' ? [frame as LogsFrame] : [];
  });

/** One text for each log, in the order of the frames. */
const told = (frames: readonly LogsFrame[]): string[] =>
  frames.flatMap(({ payload: { hash, block_hash, logs } }) =>
    logs.map(({ log_index, contract_id, topics }) => [hash, block_hash, log_index, contract_id, ...topics].join(' ')),
  );

const recordedTexts = (above: number): string[] =>
  recordedLogs(OF).flatMap((log) =>
    log.block_height > above
      ? [[log.transaction_hash, log.block_hash, log.log_index, log.contract_id, ...log.topics].join(' ')]
      : [],
  );

describe('events about logs of contracts', () => {
  let server: TestDatabase;
  let database: Database;
  let events: EventServer;
  let frames: LogsFrame[];
  const node = recordedNode(undefined, OF);
  const expected = recordedTexts(FIRST_LOAD);

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, recordedNode(FIRST_LOAD, OF)));
    await goLive(database);
    events = await startEventServer(server.url, 'http://127.0.0.1:9');
  });
  after(async () => {
    await events.close();
    await database.close();
    await server.drop();
  });

  const subscribe = async (message: object, to = events): Promise<TestClient> => {
    const client = await to.connect();
    await client.ask({ op: 'subscribe', payload: 'contract_logs', cursors: true, ...message });
    return client;
  };

  const seen = async (message: object, count: number, to = events): Promise<LogsFrame[]> => {
    const client = await subscribe(message, to);
    await client.until(() => told(framesOf(client)).length >= count);
    const found = framesOf(client);
    await client.close();
    return found;
  };

  it('come once, in the order of the chain, although nodes answer in another order', async () => {
    const client = await subscribe({});
    const target = recordedLogs(OF).at(-1)!.contract_id;
    const ofOne = await subscribe({ target });
    await syncFully(syncContext(database, node));
    const held = recordedLogs(OF).find(({ block_height: height }) => height > FIRST_LOAD + 2)!.transaction_hash;
    const holding: ChainNode = {
      ...node,
      info: (hash) => (hash === held ? Promise.reject(nodeFault('node_error', 'busy')) : node.info(hash)),
    };
    await decodeUntil(database, holding, async () => {
      const { rows } = await database.query<{ count: number }>({
        name: 'test.due',
        text: 'SELECT count(*)::int AS count FROM due_infos WHERE attempts = 0',
      });
      return rows[0]?.count === 0;
    });
    const before = expected.findIndex((text) => text.startsWith(held));
    await client.until(() => told(framesOf(client)).length >= before);
    expect(told(framesOf(client))).to.deep.equal(expected.slice(0, before));

    await database.query({ name: 'test.due-now', text: 'UPDATE due_infos SET due_at = now()' });
    await decodeAll(database, node);
    await client.until(() => told(framesOf(client)).length >= expected.length);
    frames = framesOf(client);
    await client.close();
    expect(told(frames)).to.deep.equal(expected);
    const own = frames.filter(({ payload: { logs } }) =>
      logs.some((log) => log.contract_id === target || log.called_id === target),
    );
    await ofOne.until(() => framesOf(ofOne).length >= own.length);
    expect(framesOf(ofOne)).to.deep.equal(own);
    expect(own.length).to.be.below(frames.length);
    await ofOne.close();
    expect(await verifyEvents(database)).to.deep.equal([]);
  });

  it('continue after any of their cursors, and lose none', async () => {
    for (let i = 0; i < frames.length - 1; i += 9) {
      const rest = told(frames.slice(i + 1));
      expect(told(await seen({ since: frames[i]!.cursor }, rest.length)), frames[i]!.cursor).to.deep.equal(rest);
    }
  });

  it('come from stored blocks, too', async () => {
    for (const from of [0, 25, 100]) {
      const wanted = recordedTexts(from - 1);
      expect(told(await seen({ from }, wanted.length)), `from ${from}`).to.deep.equal(wanted);
    }
  });

  it('continue on another copy: what was pushed last may come again, and nothing is missing', async () => {
    const other = await emptyCopy(server.url, 'other');
    await syncFully(syncContext(other, node));
    await goLive(other);
    await decodeAll(other, node);
    const servers = await startEventServer(server.url, 'http://127.0.0.1:9', { schema: 'other' });
    for (let i = 0; i < frames.length - 1; i += 17) {
      const rest = told(frames.slice(i + 1));
      const again = told(await seen({ since: frames[i]!.cursor }, rest.length, servers));
      expect(again.slice(-rest.length), frames[i]!.cursor).to.deep.equal(rest.slice(-again.length));
    }
    await servers.close();
    await other.close();
  });

  it('of one contract, again, from a height and as a stream, each once', async () => {
    const own = (all: readonly LogsFrame[], ids: readonly string[]): LogsFrame[] =>
      all.filter(({ payload: { logs } }) =>
        logs.some((log) => ids.includes(log.contract_id) || ids.includes(log.called_id)),
      );
    const ids = [...new Set(frames.flatMap(({ payload }) => payload.logs.map((log) => log.contract_id)))];
    const [one, other] = ids.map((id) => [id, own(frames, [id])] as const).sort((a, b) => a[1].length - b[1].length);
    expect(one![1].length).to.be.within(1, frames.length - 1);
    for (const message of [
      { target: one![0], since: frames[0]!.cursor },
      { target: one![0], from: FIRST_LOAD + 1 },
      { payload: undefined, subscriptions: [`contract_logs:${one![0]}`], since: frames[0]!.cursor },
    ]) {
      const client = await subscribe(message);
      const wanted = own('since' in message ? frames.slice(1) : frames, [one![0]]);
      await client.until(() => framesOf(client).length >= wanted.length);
      expect(framesOf(client).map(({ payload }) => payload)).to.deep.equal(wanted.map(({ payload }) => payload));
      const reply = await client.ask({ op: 'unsubscribe', payload: 'contract_logs', target: one![0] });
      expect(reply).to.deep.equal([]);
      await client.close();
    }
    const both = [one![0], other![0]];
    const client = await subscribe({
      payload: undefined,
      subscriptions: both.map((id) => `contract_logs:${id}`),
      since: frames[0]!.cursor,
    });
    const wanted = own(frames.slice(1), both);
    await client.until(() => framesOf(client).length >= wanted.length);
    expect(framesOf(client).map(({ payload }) => payload)).to.deep.equal(wanted.map(({ payload }) => payload));
    await client.close();
    const stopping = new AbortController();
    const response = await fetch(
      `${events.http}/middleware/events?kinds=contract_logs:${one![0]}&from=${FIRST_LOAD + 1}`,
      { signal: stopping.signal },
    );
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.split('\ndata: ').length > one![1].length && text.endsWith('\n\n')) break;
    }
    stopping.abort();
    const hashes = [...text.matchAll(/"payload":\{"hash":"(th_\w+)"/g)].map(([, hash]) => hash);
    expect(hashes).to.deep.equal(one![1].map(({ payload }) => payload.hash));
  });

  it('of a target that is no contract are refused', async () => {
    const client = await events.connect();
    for (const target of ['ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y', 'ct_x', 7])
      expect(await client.ask({ op: 'subscribe', payload: 'contract_logs', target })).to.have.property('error');
    expect(await client.ask({ op: 'subscribe', subscriptions: ['contract_logs:x'] })).to.have.property('error');
    await client.close();
  });

  it('of a server-sent stream, too', async () => {
    const { http } = events;
    const stopping = new AbortController();
    const response = await fetch(`${http}/middleware/events?kinds=contract_logs&since=${frames[0]!.cursor}`, {
      signal: stopping.signal,
    });
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.split('\ndata: ').length === frames.length && text.endsWith('\n\n')) break;
    }
    stopping.abort();
    const payloads = text
      .split('\ndata: ')
      .slice(1)
      .map((part) => (parseExact(part.slice(0, part.indexOf('\n'))) as unknown as LogsFrame).payload);
    expect(payloads).to.deep.equal(frames.slice(1).map(({ payload }) => payload));
  });
});

describe('events about logs of contracts in reorgs', () => {
  it('leave a client with the logs of the chain, if it takes back those of removed blocks', async () => {
    const world = await createWorld({ seed: 'logs', generations: 6, txsPerGeneration: 40 });
    const server = await world.serve();
    const node = nodeAt(world.devnode.externalUrl);
    await decodeAll(world.database, node);
    const client = await server.connect();
    await client.ask({ op: 'subscribe', subscriptions: ['contract_logs', 'rollback'], from: 0 });
    for (const fork of [1, 2, 3, 2]) {
      await world.devnode.grow(2);
      await world.sync();
      if (fork !== 2) await decodeAll(world.database, node);
      await world.devnode.fork({ depth: fork, grow: fork + 1, retainTxs: 'some' });
      await world.sync();
      await decodeAll(world.database, node);
    }
    const { rows } = await world.database.query<{ text: string }>({
      name: 'test.logs',
      text: `
        SELECT t.hash || ' ' || m.hash || ' ' || l.log_index AS text FROM contract_logs AS l JOIN transactions AS t USING (position)
        JOIN micro_blocks AS m ON m.position = (l.position & (-65536)::bigint) ORDER BY l.position, l.log_index`,
    });
    const stored = rows.map(({ text }) => text);
    expect(stored).to.have.length.above(20);
    const known = (): string[] => {
      let held: string[] = [];
      for (const { subscription, payload } of client.events()) {
        const {
          removed = [],
          hash,
          block_hash: block,
          logs = [],
        } = payload as Record<string, unknown> & {
          removed?: string[];
          logs?: { log_index: number }[];
        };
        if (subscription === 'rollback') held = held.filter((text) => !removed.includes(text.split(' ')[1]!));
        else held.push(...logs.map(({ log_index: index }) => `${String(hash)} ${String(block)} ${index}`));
      }
      return held;
    };
    await client.until(() => known().length === stored.length);
    expect(known()).to.deep.equal(stored);
    expect(await verifyEvents(world.database)).to.deep.equal([]);
    await client.close();
    node.close();
    await world.close();
  });
});
