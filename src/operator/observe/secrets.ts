import { createHash } from 'node:crypto';
import type { KubeClient } from '../kube/client.js';
import { isNotFound } from '../kube/errors.js';
import { SECRET, pathOf } from '../kube/kinds.js';
import { databaseSecret } from '../desired/pod.js';
import type { Store } from './store.js';
import type { Middleware, SecretFacts, SecretFault } from '../types.js';

interface Reference {
  name: string;
  key: string;
}

export interface Secrets {
  /** Facts about the URL in a Secret; read only when the Secret changed. */
  facts(resource: Middleware, reference: Reference): Promise<SecretFacts | SecretFault>;
  databaseOf(resource: Middleware): Promise<SecretFacts | SecretFault>;
  readDatabaseOf(resource: Middleware): Promise<SecretFacts | SecretFault | undefined>;
}

/** Reads the URLs of databases and caches only facts about them, never passwords. */
export function createSecrets(client: KubeClient, store: Store): Secrets {
  const known = new Map<string, { version: string; facts: SecretFacts | SecretFault }>();

  const facts: Secrets['facts'] = async ({ metadata: { namespace } }, { name, key }) => {
    const version = store.get(namespace, name)?.metadata.resourceVersion;
    if (version === undefined) return missing(namespace, name, key);
    const id = `${namespace}/${name}/${key}`;
    const held = known.get(id);
    if (held?.version === version) return held.facts;
    try {
      const { data } = await client.request<{ data?: Record<string, string> }>(pathOf(SECRET, namespace, name));
      const read = readUrl(name, key, data?.[key]);
      known.set(id, { version, facts: read });
      return read;
    } catch (error) {
      if (isNotFound(error)) return missing(namespace, name, key);
      throw error;
    }
  };

  return {
    facts,
    databaseOf: (resource) => facts(resource, databaseSecret(resource)),
    readDatabaseOf({ spec, metadata }) {
      const { readSecret } = spec.database;
      return readSecret === undefined
        ? Promise.resolve(undefined)
        : facts({ metadata } as Middleware, { name: readSecret.name, key: readSecret.key });
    },
  };
}

const missing = (namespace: string, name: string, key: string): SecretFault => ({
  reason: 'SecretMissing',
  message: `Secret ${name} is not there: make it in namespace ${namespace}, with the URL of the database as ${key}`,
});

function readUrl(name: string, key: string, data: string | undefined): SecretFacts | SecretFault {
  if (data === undefined) {
    return {
      reason: 'SecretKeyMissing',
      message: `Secret ${name} has no key ${key}: put the URL of the database there`,
    };
  }
  const text = Buffer.from(data, 'base64').toString('utf8').trim();
  const invalid: SecretFault = {
    reason: 'SecretInvalid',
    message: `Key ${key} of Secret ${name} is no URL postgres://user:password@host/database`,
  };
  const urls = text.split(/\s*,\s*(?=postgres(?:ql)?:\/\/)/);
  if (!urls.every((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url))) return invalid;
  const [{ host, port, pathname }, ...more] = urls.map(placeOf) as [Place, ...Place[]];
  // Short on purpose: enough to notice a change, too short to test guessed passwords.
  const hash = createHash('sha256').update(`${name}/${key}/${text}`).digest('hex').slice(0, 8);
  return { hash, host, ports: [port, ...more.map((one) => one.port)], target: `${host}:${port}${pathname}` };
}

type Place = ReturnType<typeof placeOf>;

function placeOf(url: string) {
  const { hostname, port, pathname, searchParams } = new URL(url);
  return {
    host: searchParams.get('host') ?? hostname,
    port: Number(port === '' ? (searchParams.get('port') ?? 5432) : port),
    pathname,
  };
}
