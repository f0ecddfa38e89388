import { expect } from 'chai';
import { once } from 'node:events';
import { get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { createWorld } from '../support/events.js';
import type { EventFrame, EventServer, World } from '../support/events.js';
import { GIVE_UP_MS } from '../support/patience.js';

interface Stream {
  status: number;
  headers: IncomingMessage['headers'];
  /** The received events, parsed. */
  events(): { id: string; frame: EventFrame }[];
  text(): string;
  until(done: () => boolean): Promise<void>;
  ended: Promise<unknown>;
  close(): void;
}

async function open(url: string, headers: Record<string, string> = {}): Promise<Stream> {
  const request = get(url, { headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  let text = '';
  let look = (): void => undefined;
  response.on('data', (chunk: Buffer) => {
    text += chunk.toString();
    look();
  });
  const ended = new Promise((resolve) => response.once('close', resolve));
  return {
    status: response.statusCode!,
    headers: response.headers,
    text: () => text,
    events: () =>
      text.split('\n\n').flatMap((block) => {
        const [, id, data] = /^id: (.*)\ndata: (.*)$/.exec(block) ?? [];
        return id === undefined ? [] : [{ id, frame: JSON.parse(data!) as EventFrame }];
      }),
    until: (done) =>
      new Promise((resolve, reject) => {
        const timer = setTimeout(() => reject(new Error(`waited in vain: ${text}`)), GIVE_UP_MS);
        look = () => {
          if (!done()) return;
          clearTimeout(timer);
          resolve();
        };
        look();
      }),
    ended,
    close: () => request.destroy(),
  };
}

describe('server-sent events', () => {
  let world: World;
  let server: EventServer;
  let url: string;

  before(async () => {
    world = await createWorld({ seed: 'streams', generations: 2 });
    server = await world.serve({ config: { websocketMaxConnections: 3 } });
    url = `${server.http}/middleware/events`;
  });
  after(() => world.close());

  it('are the frames of the websocket, with the cursor as id', async () => {
    const stream = await open(`${url}?kinds=key_blocks,transactions`, { origin: 'http://page.example' });
    const client = await server.connect();
    await client.ask({ op: 'subscribe', subscriptions: ['key_blocks', 'transactions'], cursors: true });
    await world.devnode.grow(2);
    await world.sync();
    await client.reached(await world.head());
    await stream.until(() => stream.events().length === client.events().length);

    expect(stream.headers).to.include({
      'content-type': 'text/event-stream',
      'access-control-allow-origin': 'http://page.example',
    });
    expect(stream.events().map(({ id, frame }) => ({ ...frame, cursor: id }))).to.deep.equal(client.events());
    stream.close();
    await client.close();
  });

  it('continue after Last-Event-ID, also after the id before the first event', async () => {
    const first = await open(`${url}?kinds=key_blocks,micro_blocks`);
    await first.until(() => first.text().includes('\n\n'));
    const [, beginning] = /^id: (.*)$/m.exec(first.text())!;
    await world.devnode.grow(2);
    await world.sync();
    await first.until(() => first.events().filter(({ frame }) => frame.subscription === 'key_blocks').length === 2);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const all = first.events();
    for (const [i, id] of [beginning!, ...all.map((event) => event.id)].entries()) {
      const again = await open(`${url}?kinds=key_blocks,micro_blocks&from=0`, { 'last-event-id': id });
      await again.until(() => again.events().length === all.length - i);
      expect(again.events()).to.deep.equal(all.slice(i));
      again.close();
      await again.ended;
    }
    first.close();
  });

  it('follow an object', async () => {
    const { cursor } = (await (
      await server.connect()
    ).ask({ op: 'subscribe', subscriptions: ['transactions'], reply: 'lean' })) as { cursor: string };
    await world.devnode.grow(1);
    await world.sync();
    const everything = await open(`${url}?kinds=transactions&since=${cursor}`);
    await everything.until(() => everything.events().length > 0);
    const { hash } = everything.events()[0]!.frame.payload;
    everything.close();
    const stream = await open(`${url}?object=${hash}&since=${cursor}`);
    await stream.until(() => stream.events().length === 1);

    expect(stream.events()[0]!.frame).to.include({ subscription: 'object' });
    expect(stream.events()[0]!.frame.payload.hash).to.equal(hash);
    stream.close();
  });

  for (const [what, query, status] of [
    ['nothing asked for', '', 400],
    ['an unknown kind', '?kinds=key_blocks,foo', 400],
    ['an object that is no identifier', '?object=foo', 400],
    ['a point that is none', '?kinds=key_blocks&since=foo', 400],
    ['a height that is none', '?kinds=key_blocks&from=-1', 400],
    ['a point that is not known', '?kinds=key_blocks&since=kh_VtFgDuQ7Awc6BtWRFLmjwo9UfuzL5rxmAxRuddNBYRT6njYnC', 410],
  ] as const) {
    it(`${what}: ${status} with a reason`, async () => {
      const answer = await fetch(url + query);
      expect(answer.status).to.equal(status);
      expect(await answer.json()).to.have.property('reason');
    });
  }

  it('have the same limits as websockets', async () => {
    const own = await world.serve({ config: { websocketMaxConnections: 1 } });
    const client = await own.connect();
    const answer = await fetch(`${own.http}/middleware/events?kinds=key_blocks`);
    expect(answer.status).to.equal(503);
    await client.close();
  });

  it('end with the server', async () => {
    const own = await world.serve();
    const stream = await open(`${own.http}/middleware/events?kinds=key_blocks`);
    await own.close();
    await stream.ended;
    expect(stream.status).to.equal(200);
  });
});
