import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serverUser } from '../../devtools/local-postgres/binaries.js';

/** Files of a new certificate authority, and of a server certificate that it signed. */
export interface Authority {
  /** Certificate of the authority. */
  ca: string;
  /** Certificate and key of a server, only for this address; readable for PostgreSQL. */
  cert: string;
  key: string;
  remove(): void;
}

/** Made by openssl, for a server at 127.0.0.1 unless it has other names. */
export function makeAuthority(names = 'IP:127.0.0.1'): Authority {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-authority-'));
  const openssl = (...args: string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  const key = (name: string) => [
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-keyout',
    name,
  ];
  openssl('req', '-x509', ...key('ca.key'), '-out', 'ca.crt', '-subj', '/CN=authority of a test', '-days', '2');
  openssl('req', ...key('server.key'), '-out', 'server.csr', '-subj', '/CN=server of a test');
  writeFileSync(join(folder, 'names'), `subjectAltName=${names}\n`);
  const signed = ['-CA', 'ca.crt', '-CAkey', 'ca.key', '-CAcreateserial', '-extfile', 'names', '-days', '2'];
  openssl('x509', '-req', '-in', 'server.csr', ...signed, '-out', 'server.crt');
  const user = serverUser();
  chmodSync(folder, 0o755);
  chmodSync(join(folder, 'server.key'), 0o600);
  if (user !== undefined) chownSync(join(folder, 'server.key'), user.uid, user.gid);
  return {
    ca: join(folder, 'ca.crt'),
    cert: join(folder, 'server.crt'),
    key: join(folder, 'server.key'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
