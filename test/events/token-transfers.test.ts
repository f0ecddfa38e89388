import { expect } from 'chai';
import { decodeId } from '../../src/chain/encoding/encoding.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { accountOfWord } from '../../src/chain/encoding/words.js';
import { eventHash } from '../../src/chain/event-names.js';
import type { ChainNode } from '../../src/node/client.js';
import { nodeFault } from '../../src/node/faults.js';
import { goLive } from '../../src/store/chain-state.js';
import type { Database } from '../../src/store/connection/database.js';
import { nodeAt, syncContext, syncFully } from '../support/copy.js';
import { decodeAll, decodeUntil } from '../support/decoding.js';
import { createWorld, startEventServer } from '../support/events.js';
import type { EventServer, TestClient } from '../support/events.js';
import { TOKENS } from '../support/histories.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { recordedLogs } from '../support/recorded-logs.js';
import { recordedNode } from '../support/recorded-node.js';
import { emptyCopy } from '../support/roles.js';

const OF = 'realnode-tokens';
const FIRST_LOAD = 30;
const NOWHERE = 'http://127.0.0.1:9';

interface Transfer {
  log_index: number;
  contract_id: string;
  standard: 'aex9' | 'aex141' | null;
  event: string;
  sender: string | null;
  recipient: string | null;
  value: bigint | number;
}

interface Frame {
  subscription: string;
  payload: { hash: string; block_hash: string; block_height: number; time: number; transfers: Transfer[] };
  cursor: string;
}

interface ListedRow {
  transaction_hash: string;
  log_index: number | bigint;
  sender: string;
  recipient: string;
  amount: number | bigint | null;
  token_id: number | bigint | null;
}

const framesOf = ({ frames }: TestClient): Frame[] =>
  frames.flatMap((text) => {
    const frame = parseExact(text) as unknown as Partial<Frame>;
    return frame.subscription === 'token_transfers' ? [frame as Frame] : [];
  });

const transfersOf = (frames: readonly Frame[]): (Transfer & { hash: string; block: string })[] =>
  frames.flatMap(({ payload: { hash, block_hash: block, transfers } }) =>
    transfers.map((transfer) => ({ hash, block, ...transfer })),
  );

/** One text for each transfer, in the order of the frames. */
const told = (frames: readonly Frame[]): string[] =>
  transfersOf(frames).map(({ hash, block, log_index, contract_id, event, sender, recipient, value }) =>
    [hash, block, log_index, contract_id, event, sender, recipient, value].join(' '),
  );

/** Whom an event names: places of its topics; and the standards that have it. */
const EVENTS: Readonly<Record<string, { kinds: string[]; topics: number; from?: number; to?: number; value: number }>> =
  {
    Transfer: { kinds: ['aex9', 'aex141'], topics: 4, from: 1, to: 2, value: 3 },
    Mint: { kinds: ['aex9', 'aex141'], topics: 3, to: 1, value: 2 },
    Burn: { kinds: ['aex9', 'aex141'], topics: 3, from: 1, value: 2 },
    Swap: { kinds: ['aex9'], topics: 3, from: 1, value: 2 },
    Deposit: { kinds: ['aex9'], topics: 3, to: 1, value: 2 },
    Withdrawal: { kinds: ['aex9'], topics: 3, from: 1, value: 2 },
    TemplateMint: { kinds: ['aex141'], topics: 4, to: 1, value: 3 },
  };

/** The same texts as `told`, by the words of the documentation, of the logs of the recorded node above a height. */
const recordedTexts = (kinds: ReadonlyMap<string, string>, above: number): string[] =>
  recordedLogs(OF).flatMap((log) => {
    const [name, event] = Object.entries(EVENTS).find(([known]) => eventHash(known) === BigInt(log.topics[0]!)) ?? [];
    const kind = kinds.get(log.contract_id);
    if (log.block_height <= above || event === undefined || kind === undefined) return [];
    if (!event.kinds.includes(kind) || event.topics !== log.topics.length) return [];
    const account = (place: number | undefined): string | null =>
      place === undefined ? null : accountOfWord(BigInt(log.topics[place]!));
    const ends = [account(event.from), account(event.to), log.topics[event.value]];
    return [[log.transaction_hash, log.block_hash, log.log_index, log.contract_id, name, ...ends].join(' ')];
  });

const rowsAt = async <Row>(url: string): Promise<Row[]> => {
  const response = await fetch(`${url}?limit=1000`);
  const text = await response.text();
  expect(response.status, text).to.equal(200);
  const { rows, next } = parseExact(text) as unknown as { rows: Row[]; next: string | null };
  expect(next, url).to.equal(null);
  return rows;
};

/** The standards of all tokens that the API lists, by their contracts. */
async function listedTokens({ http }: EventServer): Promise<Map<string, string>> {
  const lists = ['aex9', 'aex141'].map((kind) =>
    rowsAt<{ contract_id: string; standard: string }>(`${http}/middleware/tokens/${kind}`),
  );
  return new Map((await Promise.all(lists)).flat().map(({ contract_id: id, standard }) => [id, standard]));
}

/** Expects that what was told of `Transfer` is what the lists of the API have of a token above a height. */
async function expectListed({ http }: EventServer, frames: readonly Frame[], tokens: Iterable<string>, above: number) {
  for (const token of tokens) {
    const rows = await rowsAt<ListedRow & { height: number }>(`${http}/middleware/tokens/${token}/transfers`);
    const listed = rows
      .filter(({ height }) => height > above)
      .reverse()
      .map(({ transaction_hash: hash, log_index, sender, recipient, amount, token_id }) =>
        [hash, log_index, sender, recipient, amount ?? token_id].join(' '),
      );
    const own = transfersOf(frames).filter(({ contract_id, event }) => contract_id === token && event === 'Transfer');
    const texts = own.map(({ hash, log_index, sender, recipient, value }) =>
      [hash, log_index, sender, recipient, value].join(' '),
    );
    expect(texts, token).to.deep.equal(listed);
  }
}

describe('events about transfers of tokens', () => {
  let server: TestDatabase;
  let database: Database;
  let events: EventServer;
  let kinds: Map<string, string>;
  let expected: string[];
  let frames: Frame[];
  const node = recordedNode(undefined, OF);

  before(async () => {
    server = await testDatabase();
    database = await emptyCopy(server.url);
    await syncFully(syncContext(database, recordedNode(FIRST_LOAD, OF)));
    await goLive(database);
    events = await startEventServer(server.url, NOWHERE);
  });
  after(async () => {
    await events.close();
    await database.close();
    await server.drop();
  });

  const subscribe = async (message: object): Promise<TestClient> => {
    const client = await events.connect();
    const reply = await client.ask({ op: 'subscribe', payload: 'token_transfers', cursors: true, ...message });
    expect(reply).to.be.an('array');
    return client;
  };

  const seen = async (message: object, count: number): Promise<Frame[]> => {
    const client = await subscribe(message);
    await client.until(() => framesOf(client).length >= count);
    const found = framesOf(client);
    await client.close();
    return found;
  };

  const concerns =
    (...ids: string[]) =>
    ({ payload: { transfers } }: Frame): boolean =>
      transfers.some(({ contract_id: token, sender, recipient }) =>
        [token, sender, recipient].some((id) => id !== null && ids.includes(id)),
      );

  it('come as the lists have them, once, although nodes tell logs and codes late', async () => {
    const client = await subscribe({});
    const both = await subscribe({ payload: undefined, subscriptions: ['contract_logs', 'token_transfers'] });
    await syncFully(syncContext(database, node));
    const held = recordedLogs(OF).find(({ block_height: height }) => height > FIRST_LOAD + 2)!.transaction_hash;
    const busy = (): Promise<never> => Promise.reject(nodeFault('node_error', 'busy'));
    const holding: ChainNode = {
      ...node,
      contractCode: busy,
      info: (hash) => (hash === held ? busy() : node.info(hash)),
    };
    await decodeUntil(database, holding, async () => {
      const { rows } = await database.query<{ count: number }>({
        name: 'test.due',
        text: 'SELECT count(*)::int AS count FROM due_infos WHERE attempts = 0',
      });
      return rows[0]?.count === 0;
    });
    await database.query({ name: 'test.due-now', text: 'UPDATE due_infos SET due_at = now()' });
    await decodeUntil(database, { ...node, contractCode: busy }, async () => {
      const { rows } = await database.query<{ count: number }>({
        name: 'test.due-infos',
        text: 'SELECT count(*)::int AS count FROM due_infos',
      });
      return rows[0]?.count === 0;
    });
    const lastLog = recordedLogs(OF).at(-1)!;
    await both.until(() => both.frames.some((frame) => frame.includes(lastLog.transaction_hash)));
    const reply = (await both.ask({ op: 'unsubscribe', subscriptions: [], reply: 'lean' })) as { cursor: string };
    await client.reached(Number(reply.cursor.split('.')[0]));
    const live = framesOf(client);
    expect(framesOf(both).map(({ payload }) => payload)).to.deep.equal(live.map(({ payload }) => payload));
    await client.close();
    await both.close();

    // Of contracts whose code was not known then nobody could say more.
    await database.query({
      name: 'test.ask-again',
      text: 'UPDATE tokens SET attempts = 0, due_at = now() WHERE kind IS NULL',
    });
    await decodeAll(database, node);
    kinds = await listedTokens(events);
    expected = recordedTexts(kinds, FIRST_LOAD);
    const known = live.flatMap((frame) => {
      const transfers = frame.payload.transfers.filter(({ contract_id: id }) => kinds.has(id));
      return transfers.length === 0 ? [] : [{ ...frame, payload: { ...frame.payload, transfers } }];
    });
    expect(told(known)).to.deep.equal(expected);
    const standards = transfersOf(live).map(({ contract_id: id, standard }) => [kinds.get(id) ?? null, standard]);
    expect(standards.every(([listed, standard]) => standard === null || standard === listed)).to.equal(true);
    expect(standards.filter(([listed, standard]) => listed !== null && standard === null)).to.have.length.above(0);
    await expectListed(events, known, kinds.keys(), FIRST_LOAD);
  });

  it('have the standards that are known when they are sent', async () => {
    frames = await seen({ from: FIRST_LOAD + 1 }, new Set(expected.map((text) => text.split(' ')[0])).size);
    expect(told(frames)).to.deep.equal(expected);
    for (const { contract_id: id, standard } of transfersOf(frames)) expect(standard).to.equal(kinds.get(id));
    expect(new Set(transfersOf(frames).map(({ event }) => event))).to.include.members(['Transfer', 'Mint', 'Burn']);
    for (const { payload } of frames)
      expect(payload).to.have.all.keys('hash', 'block_hash', 'block_height', 'time', 'transfers');
  });

  it('continue after any of their cursors, also on a server that was started later', async () => {
    const restart = async (): Promise<void> => {
      await events.close();
      events = await startEventServer(server.url, NOWHERE);
    };
    const client = await subscribe({ since: frames[0]!.cursor });
    await client.until(() => framesOf(client).length >= frames.length - 1);
    const live = framesOf(client);
    await client.close();
    await restart();
    for (let i = 0; i < live.length - 1; i += 7) {
      const rest = told(live.slice(i + 1));
      const found = await seen({ since: live[i]!.cursor }, live.length - i - 1);
      expect(told(found), live[i]!.cursor).to.deep.equal(rest);
    }
  });

  it('come from stored blocks, beside the logs', async () => {
    for (const from of [0, 25, 100]) {
      const wanted = recordedTexts(kinds, from - 1);
      const client = await subscribe({ from, payload: undefined, subscriptions: ['contract_logs', 'token_transfers'] });
      await client.until(() => told(framesOf(client)).length >= wanted.length);
      expect(told(framesOf(client)), `from ${from}`).to.deep.equal(wanted);
      const logs = client.events().filter(({ subscription }) => subscription === 'contract_logs');
      const hashes = new Set(logs.map(({ payload }) => payload.hash));
      for (const { payload } of framesOf(client)) expect(hashes.has(payload.hash)).to.equal(true);
      await client.close();
    }
  });

  it('of one token or one account, each once', async () => {
    const parties = transfersOf(frames).flatMap(({ contract_id, sender, recipient }) =>
      [contract_id, sender, recipient].filter((id) => id !== null),
    );
    const counted = [...new Set(parties)].map((id) => [id, frames.filter(concerns(id)).length] as const);
    const oneOf = (prefix: string): string =>
      counted.find(([id, count]) => id.startsWith(prefix) && count > 1 && count < frames.length)![0];
    const token = oneOf('ct_');
    const account = oneOf('ak_');
    const from = FIRST_LOAD + 1;
    for (const [message, ids] of [
      [{ target: token }, [token]],
      [{ target: account }, [account]],
      [{ payload: undefined, subscriptions: [`token_transfers:${account}`] }, [account]],
      [{ payload: undefined, subscriptions: [token, account].map((id) => `TokenTransfers:${id}`) }, [token, account]],
    ] as const) {
      const wanted = frames.filter(concerns(...ids));
      const client = await subscribe({ ...message, from });
      const ofClient = () =>
        client.frames.flatMap((text) => {
          const frame = parseExact(text) as unknown as Partial<Frame>;
          return frame.payload === undefined ? [] : [frame.payload];
        });
      await client.until(() => ofClient().length >= wanted.length);
      expect(ofClient()).to.deep.equal(wanted.map(({ payload }) => payload));
      for (const target of ids) await client.ask({ op: 'unsubscribe', payload: 'token_transfers', target });
      expect(await client.ask({ op: 'unsubscribe', subscriptions: [] })).to.deep.equal([]);
      await client.close();
    }
    const stopping = new AbortController();
    const query = `kinds=token_transfers:${account}&from=${from}`;
    const response = await fetch(`${events.http}/middleware/events?${query}`, { signal: stopping.signal });
    const wanted = frames.filter(concerns(account));
    let text = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      if (text.split('\ndata: ').length > wanted.length && text.endsWith('\n\n')) break;
    }
    stopping.abort();
    const hashes = [...text.matchAll(/"payload":\{"hash":"(th_\w+)"/g)].map(([, hash]) => hash);
    expect(hashes).to.deep.equal(wanted.map(({ payload }) => payload.hash));
  });

  it('of a target that is neither a token nor an account are refused, with the reason', async () => {
    const client = await events.connect();
    const oracle = recordedLogs(OF)[0]!.contract_id.replace('ct_', 'ok_');
    expect(decodeId(oracle)).to.have.length(32);
    const named = 'a token (ct_…) or an account (ak_…)';
    for (const [message, error] of [
      [{ payload: 'token_transfers', target: oracle }, `target '${oracle.slice(0, 40)}…' is not ${named}`],
      [{ payload: 'token_transfers', target: 'ct_x' }, `target 'ct_x' is not ${named}`],
      [{ payload: 'token_transfers', target: 7 }, 'target is not text'],
      [{ subscriptions: ['token_transfers:ak_x'] }, `target 'ak_x' is not ${named}`],
      [{ subscriptions: ['contract_logs:ak_x'] }, "target 'ak_x' is not a contract (ct_…)"],
    ] as const)
      expect(await client.ask({ op: 'subscribe', ...message })).to.deep.equal({ error });
    await client.close();
    const response = await fetch(`${events.http}/middleware/events?kinds=token_transfers:x`);
    expect([response.status, await response.json()]).to.deep.equal([
      400,
      { reason: `Invalid input: target 'x' is not ${named}` },
    ]);
  });
});

interface Held {
  hash: string;
  block: string;
  transfer: Transfer;
}

const textsOf = (held: readonly Held[]): string[] =>
  held.map(({ hash, block, transfer }) => `${hash} ${block} ${transfer.log_index}`);

/** What a client holds after these frames, if it takes back what was in removed blocks. */
function heldAfter(before: readonly Held[], frames: readonly string[]): Held[] {
  let held = [...before];
  for (const text of frames) {
    const { subscription, payload } = parseExact(text) as unknown as {
      subscription?: string;
      payload: Frame['payload'] & { removed: string[] };
    };
    if (subscription === 'rollback') held = held.filter(({ block }) => !payload.removed.includes(block));
    if (subscription !== 'token_transfers') continue;
    const { hash, block_hash: block, transfers } = payload;
    held.push(...transfers.map((transfer) => ({ hash, block, transfer })));
  }
  return held;
}

describe('events about transfers of tokens in reorgs', () => {
  it('leave a client that takes back those of removed blocks with those of the lists, though its server is restarted', async () => {
    const world = await createWorld({ seed: 'token-events', generations: 6, txsPerGeneration: 40, ...TOKENS });
    const node = nodeAt(world.devnode.externalUrl);
    let held: Held[] = [];
    let removals = 0;
    let since: string | undefined;

    /** The stored events of tokens that were announced. */
    async function stored(): Promise<string[]> {
      const { rows } = await world.database.query<{ text: string }>({
        name: 'test.transfers',
        text: `
          SELECT t.hash || ' ' || m.hash || ' ' || l.log_index AS text
          FROM contract_logs AS l JOIN tokens AS k ON k.contract_id = l.contract_id JOIN transactions AS t ON t.position = l.position
          JOIN micro_blocks AS m ON m.position = (l.position & (-65536)::bigint)
          WHERE EXISTS (SELECT FROM token_deltas(k.kind, l.topics)) AND l.position < (SELECT position FROM announced_logs)
          ORDER BY l.position, l.log_index`,
      });
      return rows.map(({ text }) => text);
    }

    /** Connects to a new server, changes the chain, and takes what comes until nothing is missing. */
    async function take(change: () => Promise<void>): Promise<void> {
      const server = await world.serve();
      const client = await server.connect();
      const start = since === undefined ? { from: 0 } : { since };
      const subscriptions = ['token_transfers', 'rollback'];
      await client.ask({ op: 'subscribe', subscriptions, cursors: true, ...start });
      await change();
      const wanted = (await stored()).join();
      await client.until(() => textsOf(heldAfter(held, client.frames)).join() === wanted);
      const after = heldAfter(held, client.frames);
      removals += client.events().filter(({ subscription }) => subscription === 'rollback').length;
      held = after;
      since = client.events().at(-1)?.cursor ?? since;
      await client.close();
      await server.close();
    }

    await decodeAll(world.database, node);
    for (const fork of [1, 2, 3, 2]) {
      await take(async () => {
        await world.devnode.grow(2);
        await world.sync();
        if (fork !== 2) await decodeAll(world.database, node);
      });
      await take(async () => {
        await world.devnode.fork({ depth: fork, grow: fork + 1, retainTxs: 'some' });
        await world.sync();
        await decodeAll(world.database, node);
      });
    }
    expect(held).to.have.length.above(20);
    expect(removals).to.be.at.least(4);
    const server = await world.serve();
    const frames = held.map(({ hash, block, transfer }) => ({
      ...{ subscription: 'token_transfers', cursor: '' },
      payload: { hash, block_hash: block, block_height: 0, time: 0, transfers: [transfer] },
    }));
    await expectListed(server, frames, (await listedTokens(server)).keys(), -1);
    node.close();
    await world.close();
  });
});
