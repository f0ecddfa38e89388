import { expect } from 'chai';
import { createServer, connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { createDatabase } from '../../src/store/connection/database.js';
import { silent } from '../support/copy.js';
import { rejection } from '../support/http-server.js';
import { testDatabase } from '../support/postgres.js';
import type { TestDatabase } from '../support/postgres.js';

describe('settings of a session before its first use', () => {
  let server: TestDatabase;
  before(async () => {
    server = await testDatabase();
  });
  after(() => server.drop());

  /** A proxy in front of the server; `look` sees the bytes that are sent, and may change them. */
  async function between(look: (sent: string) => string): Promise<{ url: string; close(): void }> {
    const { hostname, port } = new URL(server.url);
    const way = createServer((socket) => {
      const other = connect(Number(port), hostname);
      socket.on('data', (data) => other.write(look(data.toString('latin1')), 'latin1'));
      socket.on('end', () => other.end());
      for (const end of [socket, other]) end.on('error', () => undefined);
      other.pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(way, 'listening');
    const url = new URL(server.url);
    url.port = String((way.address() as AddressInfo).port);
    return { url: url.href, close: () => void way.close() };
  }
  const open = (url: string) =>
    createDatabase({ url, schema: 'mdw', poolSize: 3, statementTimeoutMs: 0, logger: silent });

  it('cost one message for each connection, and nothing later', async () => {
    const seen = { settings: 0, statements: 0 };
    const way = await between((sent) => {
      if (sent.includes('set_config')) seen.settings++;
      if (sent.includes('test.one')) seen.statements++;
      return sent;
    });
    const database = open(way.url);
    const ask = () => database.query({ name: 'test.one', text: 'SELECT pg_sleep(0.005)' });
    for (let round = 0; round < 20; round++) await Promise.all([ask(), ask(), ask()]);
    const own = await database.connect();
    await own.end();
    await database.close();
    way.close();

    expect(seen).to.deep.equal({ settings: 4, statements: 60 });
  });

  it('are checked, and a connection with other settings is not used', async () => {
    const way = await between((sent) => sent.replace(`'search_path', 'mdw'`, `'search_path', 'xyz'`));
    const database = open(way.url);
    const faults = await Promise.all(
      [database.query({ name: 'test.one', text: 'SELECT 1' }), database.connect()].map((work) => rejection(work)),
    );
    const { busy, idle } = database.pool();
    await database.close();
    way.close();

    for (const { code, message } of faults) {
      expect(code).to.equal('session_not_set');
      expect(message).to.equal('database: a connection has search_path=xyz instead of mdw, so it is not used');
    }
    expect([busy, idle]).to.deep.equal([0, 0]);
  });
});
