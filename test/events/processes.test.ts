import { expect } from 'chai';
import { once } from 'node:events';
import { connect as connectSocket } from 'node:net';
import pg from 'pg';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { encodeId } from '../../src/chain/encoding/encoding.js';
import { readGenerationAt } from '../support/devnode.js';
import { connect } from '../support/events.js';
import type { EventFrame, TestClient } from '../support/events.js';
import { startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { deriveIds } from '../support/objects.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { asRole, migrateCopy } from '../support/roles.js';

const LOCAL = { HTTP_ADDRESS: '127.0.0.1:0', METRICS_ADDRESS: '127.0.0.1:0', WEBSOCKET_ADDRESS: '127.0.0.1:0' };
/** Small, so that it is reached soon. */
const BOUND = { WEBSOCKET_MAX_BACKLOG: '262144' };
const EVERYTHING = ['key_blocks', 'micro_blocks', 'transactions', 'tx_update', 'rollback'];
const TYPES = ['ContractCreateTx', 'OracleRegisterTx', 'NameClaimTx', 'ChannelCreateTx', 'OracleQueryTx', 'SpendTx'];

const openDevnode = (): Promise<Devnode> =>
  startDevnode({
    external: '127.0.0.1:0',
    source: { generate: { seed: 'processes', generations: 3, txsPerGeneration: 30 } },
  });

function maskedText(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message));
  const length = body.length < 126 ? [0x80 | body.length] : [0x80 | 126, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([0x81, ...length, 0, 0, 0, 0]), body]);
}

const typeOf = ({ tx }: { [member: string]: unknown }): string => (tx as { type: string }).type;
const told = (events: EventFrame[]): string[] =>
  events.map(({ subscription, payload }) => `${subscription} ${payload.hash}`);

/** The check list of the contract, line by line, with the programs as they are started in production. */
for (const [what, roles] of [
  ['one process that populates and serves', [['-ps']]],
  ['two processes, one that populates and one that serves', [['-p'], ['-s']]],
] as const) {
  describe(`events of ${what}`, () => {
    let database: TestDatabase;
    let operator: pg.Client;
    let devnode: Devnode;
    /** Of the same seed: what it generates first, the other one generates afterwards. */
    let prophet: Devnode;
    let server: RunningMdw;
    let ws: string;
    let http: string;
    let metrics: string;
    const running: RunningMdw[] = [];
    let client: TestClient;

    before(async () => {
      [database, devnode, prophet] = await Promise.all([testDatabase(), openDevnode(), openDevnode()]);
      operator = new pg.Client({ connectionString: database.url, options: '-c search_path=mdw' });
      await operator.connect();
      const env = {
        NODE_URL: devnode.externalUrl,
        POLL_INTERVAL_MS: '50',
        ...LOCAL,
        ...BOUND,
      };
      await migrateCopy(database.url);
      running.push(
        ...roles.map((args) => {
          const role = args[0] === '-s' ? 'serve' : 'populate';
          return startMdw([...args], { ...env, DATABASE_URL: asRole(database.url, role) });
        }),
      );
      server = running.at(-1)!;
      await running[0]!.saw(/Caught up with the node/);
      const [, port] = await server.saw(/"websocket":\{[^}]*"port":(\d+)/);
      const [, httpPort] = await server.saw(/"http":\{[^}]*"port":(\d+)/);
      const [, metricsPort] = await server.saw(/"metrics":\{[^}]*"port":(\d+)/);
      [ws, http] = [`ws://127.0.0.1:${port}`, `http://127.0.0.1:${httpPort}`];
      metrics = `http://127.0.0.1:${metricsPort}/metrics`;
    });
    after(async () => {
      for (const { process } of running) process.kill('SIGKILL');
      await Promise.all(running.map(({ ended }) => ended));
      await operator.end();
      await Promise.all([devnode.close(), prophet.close()]);
      await database.drop();
    });
    beforeEach(async () => (client = await connect(ws)));
    afterEach(() => client.close());

    const metricsText = async (): Promise<string> => (await fetch(metrics)).text();

    const subscribe = (payload: string, target?: string): Promise<unknown> =>
      client.ask({ op: 'subscribe', payload, target });

    /** Waits until the chain of the node is stored and its events were sent to the clients. */
    async function settled(...clients: TestClient[]): Promise<void> {
      await eventually(
        async () => {
          const { rows } = await operator.query<{ hash: string }>(
            `SELECT hash FROM (
               SELECT hash, height << 33 AS position FROM key_blocks UNION ALL SELECT hash, position FROM micro_blocks
             ) AS b ORDER BY position DESC LIMIT 1`,
          );
          return rows[0]?.hash;
        },
        (hash) => hash === devnode.top().hash,
      );
      const { rows } = await operator.query<{ event_seq: string }>('SELECT event_seq FROM chain');
      for (const one of [client, ...clients]) await one.reached(Number(rows[0]!.event_seq));
    }

    /** The events of a chain from a height on, when it is new. */
    async function chainFrom(
      node: Devnode,
      height: number,
    ): Promise<{ event: string; payload: EventFrame['payload'] }[]> {
      const events: { event: string; payload: EventFrame['payload'] }[] = [];
      const add = (kind: string, object: object): void => {
        const payload = object as EventFrame['payload'];
        events.push({ event: `${kind} ${payload.hash}`, payload });
      };
      for (let at = height; at <= node.height(); at++) {
        const { keyBlock, microBlocks } = await readGenerationAt(node, at);
        add('key_blocks', keyBlock);
        for (const { header, transactions } of microBlocks) {
          add('micro_blocks', header);
          transactions.forEach((transaction) => add('transactions', transaction));
        }
      }
      return events;
    }

    /** Lets the chain grow until it has a transaction of each type. Returns the expected events in advance. */
    async function foresee(): Promise<{ payloads: EventFrame['payload'][]; grow: () => Promise<void> }> {
      const from = prophet.height() + 1;
      const seen = new Set<string>();
      let generations = 0;
      for (; generations < 20 && !TYPES.every((type) => seen.has(type)); generations++) {
        await prophet.grow(1, { txsPerGeneration: 60 });
        for (const { event, payload } of await chainFrom(prophet, prophet.height())) {
          if (event.startsWith('transactions')) seen.add(typeOf(payload));
        }
      }
      expect(TYPES.filter((type) => !seen.has(type))).to.deep.equal([]);
      const coming = await chainFrom(prophet, from);
      return {
        payloads: coming.filter(({ event }) => event.startsWith('transactions')).map(({ payload }) => payload),
        async grow() {
          for (let i = 0; i < generations; i++) await devnode.grow(1, { txsPerGeneration: 60 });
        },
      };
    }

    // This test is the first, because later tests give the two nodes different chains.
    it('match derived identifiers: the creation of an object is sent to clients that subscribed to it before', async () => {
      const { payloads, grow } = await foresee();
      const targets = new Map<string, string>();
      for (const [prefix, type] of ['ct', 'ok', 'nm', 'ch', 'oq', 'th'].map((each, i) => [each, TYPES[i]!] as const)) {
        const maker = payloads.find((payload) => typeOf(payload) === type)!;
        targets.set(
          deriveIds(maker).find((id) => id.startsWith(prefix))!,
          maker.hash,
        );
      }
      const clients: TestClient[] = [];
      for (const target of targets.keys()) {
        const one = await connect(ws);
        expect(await one.ask({ op: 'subscribe', payload: 'object', target })).to.deep.equal([target]);
        clients.push(one);
      }
      await grow();
      await settled(...clients);

      for (const [i, [target, maker]] of [...targets].entries()) {
        const expected = payloads.filter((payload) => deriveIds(payload).includes(target));
        expect(told(clients[i]!.events()), target).to.deep.equal(expected.map(({ hash }) => `object ${hash}`));
        expect(expected[0]!.hash, target).to.equal(maker);
        await clients[i]!.close();
      }
    });

    it('are sent once to each client under the name object, however many of its targets match', async () => {
      const { payloads, grow } = await foresee();
      const spend = payloads.find((payload) => typeOf(payload) === 'SpendTx')!;
      const { sender_id: sender, recipient_id: recipient } = spend['tx'] as Record<string, string>;
      const targets = [spend.hash, sender!, ...(recipient!.startsWith('ak_') ? [recipient!] : [])];
      for (const target of targets) await subscribe('object', target);
      await subscribe('transactions');
      await grow();
      await settled();

      const expected = payloads.flatMap((payload) =>
        deriveIds(payload).some((id) => targets.includes(id))
          ? [`object ${payload.hash}`, `transactions ${payload.hash}`]
          : [`transactions ${payload.hash}`],
      );
      expect(told(client.events())).to.deep.equal(expected);
    });

    it('accept both spellings, mixed, and reply with the spelling that was used last', async () => {
      expect(await client.ask({ op: 'Subscribe', payload: 'KeyBlocks' })).to.deep.equal(['KeyBlocks']);
      expect(await client.ask({ op: 'Subscribe', payload: 'transactions' })).to.deep.equal([
        'KeyBlocks',
        'transactions',
      ]);
      expect(await client.ask({ op: 'subscribe', payload: 'MicroBlocks' })).to.have.length(3);
      expect(await subscribe('micro_blocks')).to.deep.equal(['KeyBlocks', 'micro_blocks', 'transactions']);
      await devnode.grow(1);
      await settled();

      const names = client.events().map(({ subscription }) => subscription);
      expect(new Set(names)).to.deep.equal(new Set(['KeyBlocks', 'micro_blocks', 'transactions']));
      expect(await client.ask({ op: 'Unsubscribe', payload: 'key_blocks' })).to.deep.equal([
        'micro_blocks',
        'transactions',
      ]);
    });

    it('reply to each message with all subscriptions in their order, also to one that changes nothing', async () => {
      const account = (await chainFrom(devnode, 0))[0]!.payload['miner'] as string;
      expect(await subscribe('object', account)).to.deep.equal([account]);
      for (const kind of ['tx_update', 'transactions', 'micro_blocks', 'key_blocks']) await subscribe(kind);
      const all = ['key_blocks', 'micro_blocks', 'transactions', 'tx_update', account];
      expect(await subscribe('transactions')).to.deep.equal(all);
      expect(await subscribe('object', account)).to.deep.equal(all);
      expect(await client.ask({ op: 'unsubscribe', payload: 'rollback' })).to.deep.equal(all);
      expect(await client.ask({ op: 'unsubscribe', payload: 'tx_update' })).to.deep.equal(all.toSpliced(3, 1));
      expect(client.frames.at(-1)).to.equal(JSON.stringify(all.toSpliced(3, 1)));
    });

    it('come after the commit: a request over HTTP on receipt finds the data', async () => {
      await client.ask({ op: 'subscribe', subscriptions: EVERYTHING });
      const answers: Promise<string>[] = [];
      client.socket.on('message', (data: Buffer) => {
        const { subscription, payload } = JSON.parse(data.toString()) as EventFrame;
        if (subscription === undefined) return;
        const path = { k: 'key-blocks/hash/*', m: 'micro-blocks/hash/*/header', t: 'transactions/*' }[
          payload.hash[0]!
        ]!;
        answers.push(
          fetch(`${http}/v2/${path.replace('*', payload.hash)}`).then(
            ({ status, headers }) => `${status} ${headers.has('x-chain-height') ? 'own' : 'of the node'}`,
          ),
        );
      });
      await devnode.grow(2, { txsPerGeneration: 10 });
      await settled();

      expect(answers.length).to.be.greaterThan(10);
      expect(new Set(await Promise.all(answers))).to.deep.equal(new Set(['200 own']));
    });

    it('do not repeat anything while a generation grows', async () => {
      await client.ask({ op: 'subscribe', subscriptions: EVERYTHING });
      await devnode.mineKeyBlock();
      for (let i = 0; i < 4; i++) {
        await settled();
        await devnode.addMicroBlock({ txs: 2 });
      }
      await settled();

      const expected = (await chainFrom(devnode, devnode.height())).map(({ event }) => event);
      expect(told(client.events())).to.deep.equal(expected);
      expect(new Set(expected).size).to.equal(expected.length);
    });

    it('report a reorg ascending from the first differing block on, with moved transactions as tx_update', async () => {
      await devnode.grow(2);
      await settled();
      await client.ask({ op: 'subscribe', subscriptions: EVERYTHING });
      const from = devnode.height() - 1;
      const before = new Set((await chainFrom(devnode, from)).map(({ payload }) => payload.hash));
      await devnode.fork({ depth: 2, grow: 3, retainTxs: 'all' });
      await settled();

      const branch = (await chainFrom(devnode, from)).map(({ event, payload }) =>
        before.has(payload.hash) ? event.replace('transactions', 'tx_update') : event,
      );
      const [rollback, ...events] = client.events();
      expect(rollback).to.have.property('subscription', 'rollback');
      expect(told(events).slice(0, branch.length)).to.deep.equal(branch);
      expect(branch.filter((event) => event.startsWith('tx_update'))).to.not.deep.equal([]);
      const heights = events.flatMap(({ subscription, payload }) =>
        subscription === 'key_blocks' ? [payload.height] : [],
      );
      expect(heights).to.deep.equal([from, from + 1, from + 2]);
    });

    it('survive garbage: each message gets an error frame, connection and subscriptions stay', async () => {
      await subscribe('key_blocks');
      const garbage = [
        'hello',
        '[]',
        '{"op":',
        '{}',
        '{"op":"listen"}',
        Buffer.from([0xff, 0xfe]),
        { op: 'subscribe' },
      ];
      for (const message of [...garbage, { op: 'subscribe', payload: 'object', target: 'foo' }]) {
        expect(await client.ask(message)).to.have.all.keys('error');
      }
      await devnode.mineKeyBlock();
      await settled();

      expect(told(client.events())).to.deep.equal([`key_blocks ${devnode.top().hash}`]);
    });

    it('do not wait for a client that never reads: loading continues, and others get their events', async () => {
      const deaf = connectSocket(Number(new URL(ws).port), '127.0.0.1');
      deaf.on('error', () => undefined);
      deaf.write(
        'GET / HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
          'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
      );
      await once(deaf, 'data');
      deaf.pause();
      const targets = Array.from({ length: 1_000 }, (_, i) => encodeId('ak', Buffer.from(`${i}`.padEnd(32))));
      deaf.write(maskedText({ op: 'subscribe', subscriptions: ['transactions', ...targets] }));
      await subscribe('key_blocks');
      const from = devnode.height();
      // What the kernel takes for it is not the service's; full replies, 50 kB each, fill those buffers and more.
      for (let i = 0; i < 300; i++) deaf.write(maskedText({ op: 'unsubscribe', subscriptions: [] }));
      do {
        await devnode.grow(1);
        await settled();
      } while (!(await metricsText()).includes('mdw_websocket_closed_total{reason="slow"} 1'));
      await devnode.grow(1);
      await settled();

      const heights = client.events().map(({ payload }) => payload.height);
      expect(heights).to.deep.equal(Array.from({ length: devnode.height() - from }, (_, i) => from + 1 + i));
      deaf.destroy();
    });

    it('end with 1001 when the server shuts down', async () => {
      server.process.kill('SIGTERM');

      expect((await client.closed).code).to.equal(1001);
      expect((await server.ended).status).to.equal(0);
    });
  });
}

describe('a server whose websocket address is taken', () => {
  let database: TestDatabase;
  let devnode: Devnode;
  const running: RunningMdw[] = [];

  before(async () => ([database, devnode] = await Promise.all([testDatabase(), openDevnode()])));
  after(async () => {
    for (const { process } of running) process.kill('SIGKILL');
    await Promise.all(running.map(({ ended }) => ended));
    await devnode.close();
    await database.drop();
  });

  it('serves websockets with HTTP; one that populates as well ends with 75', async () => {
    await migrateCopy(database.url);
    const env = { NODE_URL: devnode.externalUrl, DATABASE_URL: asRole(database.url, 'populate'), ...LOCAL };
    const start = (args: string[], more: Record<string, string> = {}): RunningMdw => {
      const started = startMdw(args, { ...env, ...more });
      running.push(started);
      return started;
    };
    const [, port] = await start(['-s']).saw(/"websocket":\{[^}]*"port":(\d+)/);
    const taken = { WEBSOCKET_ADDRESS: `127.0.0.1:${port}` };
    const second = start(['-s'], taken);
    await second.saw(/Websockets are served only under \/websocket/);
    const [, http] = await second.saw(/"http":\{[^}]*"port":(\d+)/);
    const client = await connect(`ws://127.0.0.1:${http}/websocket`);
    const both = await start(['-ps'], taken).ended;

    expect(await client.ask({ op: 'subscribe', payload: 'key_blocks' })).to.deep.equal(['key_blocks']);
    expect(both.status).to.equal(75);
    expect(both.stderr).to.contain(`WEBSOCKET_ADDRESS 127.0.0.1:${port} is in use`);
    await client.close();
  });
});
