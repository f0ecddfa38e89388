import { expect } from 'chai';
import { ask, fakeNode, testApi } from '../support/api.js';
import type { FakeNode, TestApi } from '../support/api.js';
import { badBytes, badRequests } from '../support/bad-requests.js';
import { logicalDump } from '../support/dump.js';
import { recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { converse } from '../support/raw.js';

/** Text that no answer may contain: paths of the code, and SQL. */
const INSIDE = /\bat \S+ \(|\.[jt]s:\d|node_modules|SELECT |syntax error|relation "|SQLSTATE|pg_|<!DOCTYPE|<html/i;

describe('bad requests', () => {
  let model: Modelled;
  let node: FakeNode;
  let api: TestApi;
  let stored: unknown;

  /** All tables, also those that a dump of the chain omits. */
  const readStored = async (): Promise<unknown> => {
    const { rows } = await model.database.query({
      name: 'test.besides',
      text: `
        SELECT
          (SELECT count(*) FROM events) AS events, (SELECT count(*) FROM lists) AS lists,
          (SELECT count(*) FROM types) AS types, (SELECT c::text FROM chain AS c) AS chain,
          (SELECT w::text FROM writer AS w) AS writer,
          (SELECT string_agg(table_name, ' ' ORDER BY table_name) FROM information_schema.tables
            WHERE table_schema = current_schema()) AS tables`,
    });
    return { ...(await logicalDump(model.database)), besides: rows };
  };

  before(async () => {
    model = await recordedModel();
    node = await fakeNode((_req, res) =>
      res.writeHead(404, { 'content-type': 'application/json' }).end('{"reason":"from the node"}'),
    );
    api = await testApi(model.database, { nodeUrls: [node.url] });
    stored = await readStored();
  });
  after(async () => {
    await api.close();
    await node.close();
    await model.close();
  });

  it('are at least 400 different requests', () => {
    const texts = new Set(badRequests.map((one) => JSON.stringify(one)));
    expect(texts.size).to.equal(badRequests.length);
    expect(badRequests.length + badBytes.length).to.be.at.least(400);
  });

  it('with text that is no identifier are told one of the expected kind', async () => {
    for (const [path, prefix, field] of [
      ['transactions/account/x', 'ak', 'account'],
      ['names?owner=x', 'ak', 'owner'],
      ['names?after=x', 'th', 'after'],
      ['names/reverse/x', 'ak', 'account'],
      ['names/hash/x', 'nm', 'hash'],
      ['names/transactions/x', 'nm', 'hash'],
      ['contracts/transactions/address/x', 'ct', 'address'],
      ['contracts/transactions/creation/address/x', 'ct', 'address'],
      ['contracts/calls/address/x', 'ct', 'address'],
      ['contracts/calls/transaction/x', 'th', 'hash'],
      ['oracles/x', 'ok', 'oracle'],
      ['channels/transactions/address/x', 'ch', 'address'],
    ] as const) {
      const { status, body } = await api.get(`/middleware/${path}`);
      expect([status, body], path).to.deep.equal([
        400,
        JSON.stringify({
          reason: `Invalid input: ${field} must be an identifier such as ${prefix}_… (prefix, base58 and checksum)`,
        }),
      ]);
    }
  });

  it('get the documented error in JSON, without internals', async () => {
    const faults: string[] = [];
    for (const { method = 'GET', path, headers = {}, body, status, names } of badRequests) {
      const reply = await ask(api.port, path, { method, headers, ...(body !== undefined && { body }) });
      const title = `${method} ${path.slice(0, 100)} ${JSON.stringify(headers)} ${(body ?? '').slice(0, 60)}`;
      if (reply.status !== status)
        faults.push(`${title}: ${reply.status} instead of ${status}: ${reply.body.slice(0, 200)}`);
      if (INSIDE.test(reply.body)) faults.push(`${title}: tells of the inside: ${reply.body}`);
      if (status < 400 || reply.status !== status) continue;
      const told = JSON.parse(reply.body) as { reason: string };
      if (Object.keys(told).join() !== 'reason') faults.push(`${title}: ${reply.body}`);
      if (names !== undefined && !told.reason.includes(names))
        faults.push(`${title}: does not name ${names}: ${told.reason}`);
      if (reply.headers['content-type'] !== 'application/json')
        faults.push(`${title}: ${reply.headers['content-type']}`);
      if (status === 405 && !reply.headers.allow) faults.push(`${title}: no allow`);
    }
    expect(faults.join('\n')).to.equal('');
  });

  it('that are malformed or ambiguous HTTP get one answer and are not forwarded to a node', async () => {
    node.seen.length = 0;
    const faults: string[] = [];
    for (const [bytes, status] of badBytes) {
      const text = await converse(api.port, bytes);
      const answers = text.split(/^HTTP\/1\.1 /m).slice(1);
      const title = JSON.stringify(bytes.slice(0, 120));
      if (answers.length !== 1 || !answers[0]!.startsWith(String(status)))
        faults.push(`${title}: ${JSON.stringify(text.slice(0, 300))}`);
      else if (!/^\{"reason":"[^"]+"\}$/.test(answers[0]!.split('\r\n\r\n')[1] ?? ''))
        faults.push(`${title}: ${JSON.stringify(text)}`);
    }
    expect(faults.join('\n')).to.equal('');
    expect(node.seen).to.deep.equal([]);
  });

  it('do not change the database and do not harm the server', async () => {
    expect(await readStored()).to.deep.equal(stored);
    expect((await api.get('/healthz')).status).to.equal(200);
  });
});
