import { expect } from 'chai';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { createNodeClient } from '../../src/node/client.js';
import { statusFacts } from '../../src/store/queries/status.js';
import { closeDevnodes, generated } from '../support/devnode.js';
import { rejection, reply, startServer } from '../support/http-server.js';
import type { TestServer } from '../support/http-server.js';
import { chainDump, cleanDump, startPopulating } from '../support/populating.js';
import type { Populating } from '../support/populating.js';
import { eventually } from '../support/populator.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';
import { shareOf } from '../support/share.js';

type Answer = (path: string, text: string) => string;

const DEEP = `${'['.repeat(100_000)}${']'.repeat(100_000)}`;
const isTransactions = (path: string): boolean => /\/transactions(\/index\/\d+)?$/.test(path);
const inTransactions =
  (found: RegExp, instead: string): Answer =>
  (path, text) =>
    isTransactions(path) ? text.replace(found, instead) : text;

/** Malicious contents of a well-formed answer. */
const ATTACKS: Record<string, Answer> = {
  'a transaction nested 100,000 deep': inTransactions(/"tx":\{/, `"tx":{"deep":${DEEP},`),
  'an envelope nested 100,000 deep': inTransactions(/"block_hash":/, `"deep":${DEEP},"block_hash":`),
  'a transaction nested so deep that it is of objects': inTransactions(
    /"tx":\{/,
    `"tx":{"tx":${'{"tx":'.repeat(20_000)}1${'}'.repeat(20_000)},`,
  ),
  'a key block nested 100,000 deep': (path, text) =>
    path.includes('/height/') ? text.replace(/"beneficiary":/, `"deep":${DEEP},"beneficiary":`) : text,
  'a header nested 100,000 deep': (path, text) =>
    path.endsWith('/header') ? text.replace(/\{/, `{"deep":${DEEP},`) : text,
  'fields in __proto__ alone': inTransactions(/"amount":(\d+)/g, '"__proto__":{"amount":$1}'),
  'a number of a million digits and one': inTransactions(/"fee":\d+/, `"fee":${'7'.repeat(1_000_001)}`),
  'a hash with the code of a terminal in it': inTransactions(/"hash":"th_/g, '"hash":"\\u001b[2Jth_'),
  'zero characters': inTransactions(/"type":"/g, '"type":"\\u0000'),
};

/** Members that the bytes do not contain. */
const EXTRA: Record<string, Answer> = {
  'members named __proto__': inTransactions(
    /"tx":\{/g,
    '"tx":{"__proto__":{"type":"x","amount":12345678901234567890},',
  ),
  'members of the names that all objects have': inTransactions(/"tx":\{/g, '"tx":{"constructor":1,"toString":"x",'),
  'a member whose name no database can store': (path, text) =>
    path.endsWith('/header') ? text.replace(/^\{/, '{"\\u0000\\u001b[2J":1,') : text,
  'a member whose name is a path': inTransactions(/"tx":\{/g, '"tx.fee":1,"tx":{"fee.a":1,'),
};

describe('a malicious answer of a node', () => {
  let server: TestDatabase;
  let devnode: Devnode;
  let proxy: TestServer;
  let attack: Answer | undefined;
  let clean: Record<string, string[]>;

  before(async () => {
    server = await testDatabase();
    devnode = await generated({ generations: 4 });
    proxy = await startServer(async (request, response) => {
      const answer = await fetch(devnode.externalUrl + request.url);
      const text = await answer.text();
      reply(response, answer.status, answer.ok && attack !== undefined ? attack(request.url!, text) : text);
    });
    clean = await cleanDump(server, 'clean', devnode.externalUrl);
  });
  after(async () => {
    await proxy.close();
    await closeDevnodes();
    await server.drop();
  });

  async function becomesClean(populating: Populating): Promise<void> {
    await populating.at(devnode.top().hash);
    expect(await chainDump(populating.database)).to.deep.equal(clean);
    expect(({} as Record<string, unknown>)['amount']).to.equal(undefined);
  }

  for (const [index, [what, answer]] of shareOf(Object.entries(ATTACKS)).entries()) {
    it(`has ${what}: it is a fault of the node, and the load continues with an honest one`, async () => {
      attack = answer;
      const populating = await startPopulating(server, `attack_${index}`, [proxy.url], { distrustMs: 100 });
      try {
        await eventually(
          async () => {
            const facts = await statusFacts(populating.database);
            return 'row' in facts ? (facts.row as { node_state: string }).node_state : undefined;
          },
          (state) => state === 'node_unproven' || state === 'node_malformed',
        );
        attack = undefined;
        await becomesClean(populating);
      } finally {
        attack = undefined;
        await populating.stop();
      }
    });
  }

  for (const [index, [what, answer]] of Object.entries(EXTRA).entries()) {
    it(`has ${what}: what the bytes do not contain is left out`, async () => {
      attack = answer;
      const populating = await startPopulating(server, `extra_${index}`, [proxy.url]);
      try {
        await becomesClean(populating);
      } finally {
        attack = undefined;
        await populating.stop();
      }
    });
  }
});

describe('the client of a node', () => {
  let answer: (response: ServerResponse) => unknown;
  let server: TestServer;
  before(async () => {
    server = await startServer((_, response) => answer(response));
  });
  after(() => server.close());

  const asked = (options: { maxBytes?: number; deadlineMs?: number } = {}): Promise<Error & { code?: string }> => {
    const node = createNodeClient({
      address: { url: server.url, authorization: undefined },
      timeoutMs: 5_000,
      concurrency: 1,
      retries: [],
      api: 'v3',
      ...options,
    });
    return rejection(node.status()).finally(() => node.close());
  };

  it('does not decompress an answer, so that a small one stays small', async () => {
    answer = (response) => reply(response, 200, '', { 'content-encoding': 'gzip' });
    const bomb = gzipSync(Buffer.alloc(50_000_000, ' '));
    answer = (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
    const { code, message } = await asked({ maxBytes: 1_000_000 });
    expect(code).to.equal('node_malformed');
    expect(message).to.include('not JSON');
  });

  it('stops to read an endless answer at the limit', async () => {
    let sent = 0;
    const piece = Buffer.alloc(65_536, ' ');
    answer = (response) => {
      const more = (): void => {
        while (!response.destroyed && response.write(piece)) sent += piece.length;
      };
      response.on('drain', more);
      more();
    };
    const { code, message } = await asked({ maxBytes: 1_000_000 });
    expect([code, message]).to.satisfy(([c, m]: string[]) => c === 'node_malformed' && /more than 1000000/.test(m!));
    expect(sent).to.be.below(50_000_000);
  });

  it('follows no redirection', async () => {
    answer = (response) => response.writeHead(302, { location: 'http://169.254.169.254/v3/status' }).end();
    expect((await asked()).message).to.include('answered 302');
  });

  it('reads members named __proto__ as usual members', () => {
    const text = '{"__proto__":{"polluted":12345678901234567890}}';
    const value = parseExact(text) as Record<string, unknown>;
    expect(Object.keys(value)).to.deep.equal(['__proto__']);
    expect(value['polluted']).to.equal(undefined);
    expect(({} as Record<string, unknown>)['polluted']).to.equal(undefined);
  });

  it('refuses a number with more digits than any transaction has', () => {
    expect(() => parseExact(`{"a":${'7'.repeat(1_000_001)}}`)).to.throw(/digits/);
    expect(parseExact(`{"a":${'7'.repeat(1_000)}}`)).to.deep.equal({ a: BigInt('7'.repeat(1_000)) });
  });
});
