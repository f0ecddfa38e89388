/**
 * `make leaving-clients` sends REQUESTS (100,000) with the random SEED. Here are fewer, always the same ones.
 */
import { expect } from 'chai';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { ask } from '../support/api.js';
import type { Reply, RequestOptions } from '../support/api.js';
import { connect } from '../support/events.js';
import { choices } from '../support/histories.js';
import {
  liveRequests,
  MAX_WEBSOCKETS,
  MOMENTS,
  opened,
  POOL_SIZE,
  serveEverything,
  visit,
} from '../support/leaving-clients.js';
import type { LiveRequests, Served, Visit } from '../support/leaving-clients.js';
import { bytesOf, idsOf, kindsOf, websocketBytes } from '../support/leaving-requests.js';
import type { Ids, Kind } from '../support/leaving-requests.js';
import { eventually } from '../support/populator.js';
import { converse } from '../support/raw.js';
import { GIVE_UP_MS } from '../support/patience.js';

const { REQUESTS = '3000', SEED = '1' } = process.env;
const CLIENTS = 40;
const UNCACHED = { 'cache-control': 'no-cache' };
/** Requests between two new blocks. */
const PER_BLOCK = 1_000;
/** Of so many requests the last ones find a table locked: their clients leave while the database is read. */
const PER_LOCK = 400;
const LOCKED = 80;
/** Only one at a time, because requests lock several, in any order. */
const LOCKED_TABLES = ['transactions', 'lists', 'names'];

const MEGABYTE = 1024 * 1024;
const MAX_FORWARDED = 128;
const MAX_LARGE = 16;
const MAX_EXPORTS = 32;
const MAX_COMPILING = 8;
const MAX_HEAVY = Math.floor(POOL_SIZE / 2);
/** Those that wait for each that is admitted. */
const WAITING = 4;

describe('clients that leave at random moments', function () {
  this.timeout(GIVE_UP_MS + Number(REQUESTS) * 50);
  let served: Served;
  let live: LiveRequests;
  let ids: Ids;
  let kinds: [name: string, make: Kind][];

  before(async () => {
    live = liveRequests();
    served = await serveEverything();
    ids = await idsOf(served.world.database);
    kinds = Object.entries(kindsOf(ids));
  });
  after(async () => {
    live.stop();
    await served.close();
  });

  const request = (path: string, options?: RequestOptions): Promise<Reply> => ask(served.api.port, path, options);

  /** Sends requests until there were so many, each client on its own connection after the other. */
  async function storm(requests: number, seed: number): Promise<Record<string, number>> {
    const random = choices(seed);
    const counts: Record<string, number> = { requests: 0, connections: 0 };
    const next = (): Visit => {
      const { port } = served.api;
      const kind = random.int(0, kinds.length + 1);
      if (kind === kinds.length) return { port, bytes: websocketBytes('/websocket', random), requests: 1 };
      if (kind > kinds.length) return { port: served.websocketPort, bytes: websocketBytes('/', random), requests: 1 };
      // Several requests of one connection wait behind each other.
      const several = random.chance(0.3) ? random.int(2, 5) : 1;
      const made = Array.from({ length: several }, (_, i) =>
        bytesOf(kinds[i === 0 ? kind : random.int(0, kinds.length - 1)]![1](random)),
      );
      return { port, bytes: Buffer.concat(made), requests: several };
    };
    const locks = await served.world.database.connect();
    let isLocked = false;
    let turn = 0;
    let block = PER_BLOCK;
    const grow = async (): Promise<void> => {
      await served.world.devnode.addMicroBlock({ txs: 2 });
      await served.world.sync();
    };
    // One after the other: a lock would wait for the new block, and the new block for the lock.
    let changing: Promise<unknown> = Promise.resolve();
    const change = (): void => {
      const done = counts['requests']!;
      const wanted = done % PER_LOCK >= PER_LOCK - LOCKED;
      if (wanted !== isLocked) {
        isLocked = wanted;
        const table = LOCKED_TABLES[(turn += 1) % LOCKED_TABLES.length]!;
        const sql = wanted ? `BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE` : 'ROLLBACK';
        changing = changing.then(() => locks.query(sql));
      } else if (!isLocked && done > block) {
        block += PER_BLOCK;
        changing = changing.then(grow);
      }
    };
    const client = async (): Promise<void> => {
      while (counts['requests']! < requests) {
        const one = next();
        counts['requests']! += one.requests;
        counts['connections']! += 1;
        change();
        const moment = await visit(one, random);
        counts[moment] = (counts[moment] ?? 0) + 1;
      }
    };
    await Promise.all(Array.from({ length: CLIENTS }, client));
    // Whatever it has locked is free then.
    await changing.finally(() => locks.end());
    return counts;
  }

  /** The gauges of the server that count what clients have. */
  async function gauges(): Promise<Record<string, number>> {
    const { body } = await ask(served.api.metricsPort, '/metrics');
    const wanted =
      /^(mdw_websocket_(?:connections|subscriptions)|mdw_pool_connections\{state="(?:busy|waiting)"\}) (\d+)$/gm;
    return Object.fromEntries([...body.matchAll(wanted)].map(([, name, value]) => [name!, Number(value)]));
  }

  const AT_START = {
    mdw_websocket_connections: 0,
    mdw_websocket_subscriptions: 0,
    'mdw_pool_connections{state="busy"}': 0,
    'mdw_pool_connections{state="waiting"}': 0,
  };

  /** Waits until the server has noticed that all clients have left, and nothing holds their requests. */
  async function settled(): Promise<void> {
    await eventually(gauges, (now) => Object.entries(AT_START).every(([name, value]) => now[name] === value));
    await eventually(
      () => Promise.resolve(served.streams.hasAny()),
      (any) => !any,
    );
    await eventually(
      () => Promise.resolve(live.left()),
      (left) => left.length === 0,
    );
  }

  it(`${REQUESTS} requests leave nothing in the server (SEED=${SEED})`, async () => {
    const started = performance.now();
    const counts = await storm(Number(REQUESTS), Number(SEED));
    const seconds = (performance.now() - started) / 1000;
    await settled();
    process.stdout.write(`      ${JSON.stringify(counts)} in ${seconds.toFixed(1)} s\n`);
    for (const moment of MOMENTS) expect(counts[moment], moment).to.be.greaterThan(0);
  });

  it('every endpoint answers afterwards, and the server is ready', async () => {
    const random = choices(Number(SEED));
    for (const [name, make] of kinds) {
      if (/^an event stream|never|half|broken/.test(name)) continue;
      const { method, path, headers = '', body } = make(random);
      const given = headers.split('\r\n').filter((line) => line !== '' && !line.startsWith('Accept-Encoding'));
      const { status, body: text } = await request(path, {
        method,
        headers: Object.fromEntries(given.map((line) => line.split(': '))) as Record<string, string>,
        ...(body !== undefined && { body }),
      });
      expect(status, `${name}: ${text.slice(0, 200)}`).to.be.lessThan(500);
    }
    for (const port of [served.api.port, served.api.metricsPort]) {
      expect((await ask(port, '/readyz')).status).to.equal(200);
      expect((await ask(port, '/healthz')).status).to.equal(200);
    }
  });

  it('several requests of one connection are answered in turn', async () => {
    const random = choices(Number(SEED));
    const last = 'GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
    for (const [name, make] of kinds.filter(([name]) => name.startsWith('GET '))) {
      const several = Array.from({ length: MAX_HEAVY * (1 + WAITING) }, () => bytesOf(make(random)));
      const text = await converse(served.api.port, Buffer.concat([...several, Buffer.from(last)]).toString('latin1'));
      // Most bodies end without an end of line.
      const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
      expect(statuses, name).to.have.length(several.length + 1);
      expect(Math.max(...statuses), name).to.be.lessThan(500);
    }
  });

  it('requests of several connections at once are answered, and may be joined into one statement', async () => {
    const random = choices(Number(SEED));
    for (const [name, make] of kinds.filter(([name]) => name.startsWith('GET '))) {
      const all = Array.from({ length: MAX_HEAVY * (1 + WAITING) }, () =>
        request(make(random).path, { headers: UNCACHED }),
      );
      const statuses = (await Promise.all(all)).map(({ status }) => status);
      expect(Math.max(...statuses), name).to.be.lessThan(500);
    }
  });

  /** Sends so many requests at a time. Calls `go` when all others are refused, and returns the number of those that are answered then. */
  async function fill(count: number, over: number, send: () => Promise<Reply>, go: () => unknown): Promise<number> {
    const statuses: number[] = [];
    const all = Array.from({ length: count + over }, async () => statuses.push((await send()).status));
    await eventually(
      () => Promise.resolve(statuses.length),
      (answered) => answered >= over,
    );
    expect(statuses).to.deep.equal(Array<number>(over).fill(503));
    await go();
    await Promise.all(all);
    return statuses.filter((status) => status === 200).length;
  }

  /** The same while a table cannot be read. */
  async function fillLocked(table: string, count: number, send: () => Promise<Reply>): Promise<number> {
    const blocker = await served.world.database.connect();
    try {
      await blocker.query(`BEGIN; LOCK TABLE ${table} IN ACCESS EXCLUSIVE MODE`);
      return await fill(count, 2, send, () => blocker.query('ROLLBACK'));
    } finally {
      await blocker.end();
    }
  }

  it('forwarding has all its places, of large bodies too', async () => {
    for (const [count, options] of [
      [MAX_FORWARDED, {}],
      [MAX_LARGE, { method: 'POST', body: ' '.repeat(70_000) }],
    ] as const) {
      served.hold();
      const answered = await fill(
        count,
        2,
        () => request('/v3/hold', options),
        async () => {
          await eventually(
            () => Promise.resolve(served.held.node),
            (held) => held === count,
          );
          served.release();
        },
      );
      expect(answered).to.equal(count);
    }
  });

  it('exports, heavy requests and sources have all their places', async () => {
    const account = ids['account']![0]!;
    const path = `/middleware/transactions/account/${account}`;
    expect(await fillLocked('lists', MAX_EXPORTS, () => request(path, { headers: { accept: 'text/csv' } }))).to.equal(
      MAX_EXPORTS,
    );
    const heavy = MAX_HEAVY * (1 + WAITING);
    expect(await fillLocked('names', heavy, () => request('/middleware/names/abc', { headers: UNCACHED }))).to.equal(
      heavy,
    );
    served.hold();
    const compiling = MAX_COMPILING * (1 + WAITING);
    const body = JSON.stringify({ contract_id: ids['address ct']![0], source: 'hold', compiler: '8.0.0' });
    const answered = await fill(
      compiling,
      2,
      () =>
        request('/middleware/contracts/verify', {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body,
        }),
      () => served.release(),
    );
    expect(answered).to.equal(compiling);
  });

  it('websockets have all their places', async () => {
    const url = `ws://127.0.0.1:${served.websocketPort}/`;
    // With many requests waiting behind it, an event stream notices with its next heartbeat that its client has left.
    await settled();
    const all = await Promise.all(Array.from({ length: MAX_WEBSOCKETS }, () => connect(url)));
    for (const one of all) await one.ask({ op: 'subscribe', payload: 'key_blocks' });
    expect((await (await connect(url)).closed).code).to.equal(1013);
    // The one that was refused is closed a moment later.
    await eventually(gauges, (shown) => shown['mdw_websocket_connections'] === MAX_WEBSOCKETS);
    await Promise.all(all.map((one) => one.close()));
    await settled();
  });

  it('bodies have all their room', async () => {
    const refused: Socket[] = [];
    const all = await Promise.all(
      Array.from({ length: 31 }, async () => {
        const socket = await opened(served.api.port);
        socket.on('data', () => refused.push(socket));
        const head = `POST /middleware/contracts/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: ${MEGABYTE}\r\n\r\n`;
        socket.write(head);
        await new Promise((resolve) => socket.write(Buffer.alloc(MEGABYTE - 1, ' '), resolve));
        return socket;
      }),
    );
    const { status } = await request('/middleware/contracts/verify', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
    });
    expect([status, refused.length]).to.deep.equal([422, 0]);
    for (const socket of all) socket.destroy();
    for (const socket of all) if (!socket.closed) await once(socket, 'close');
  });
});
