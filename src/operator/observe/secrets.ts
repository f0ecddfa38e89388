import { allowedTls } from '../../config/postgres-url.js';
import type { KubeClient } from '../kube/client.js';
import { SECRET } from '../kube/kinds.js';
import { databaseSecret } from '../desired/pod.js';
import { createValues } from './values.js';
import type { Reference } from './values.js';
import type { Store } from './store.js';
import type { Middleware, SecretFacts, SecretFault } from '../types.js';

export interface Secrets {
  /** Facts about the URL in a Secret. The Secret is read only when it changed. */
  facts(resource: Middleware, reference: Reference): Promise<SecretFacts | SecretFault>;
  databaseOf(resource: Middleware): Promise<SecretFacts | SecretFault>;
  readDatabaseOf(resource: Middleware): Promise<SecretFacts | SecretFault | undefined>;
}

/** Reads database URLs, and caches only facts about them, never passwords. */
export function createSecrets(client: KubeClient, store: Store): Secrets {
  const read = createValues({ client, kind: SECRET, store, factsOf: readUrl });

  const facts: Secrets['facts'] = async ({ metadata: { namespace } }, reference) =>
    (await read(namespace, reference)) ?? missing(namespace, reference);

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

const missing = (namespace: string, { name, key }: Reference): SecretFault => ({
  reason: 'SecretMissing',
  message: `Secret ${name} does not exist: create it in namespace ${namespace}, with the URL of the database as key ${key}`,
});

function readUrl(reference: Reference, data: string | undefined, version: string): SecretFacts | SecretFault {
  const { name, key } = reference;
  if (data === undefined) {
    return {
      reason: 'SecretKeyMissing',
      message: `Secret ${name} has no key ${key}: put the URL of the database there`,
    };
  }
  const text = data.trim();
  const invalid: SecretFault = {
    reason: 'SecretInvalid',
    message: `Key ${key} of Secret ${name} is not a URL such as postgres://user:password@host/database`,
  };
  const urls = text.split(/\s*,\s*(?=postgres(?:ql)?:\/\/)/);
  if (!urls.every((url) => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url))) return invalid;
  const allowed = urls.map(allowedTls).find((one) => one !== undefined);
  if (allowed !== undefined) {
    return { reason: 'SecretInvalid', message: `Key ${key} of Secret ${name} must have a URL with ${allowed}` };
  }
  const [{ host, port, pathname }, ...more] = urls.map(endpointOf) as [Endpoint, ...Endpoint[]];
  return {
    version,
    host,
    ports: [port, ...more.map((one) => one.port)],
    target: `${host}:${port}${pathname}`,
  };
}

type Endpoint = ReturnType<typeof endpointOf>;

function endpointOf(url: string) {
  const { hostname, port, pathname, searchParams } = new URL(url);
  return {
    host: searchParams.get('host') ?? hostname,
    port: Number(port === '' ? (searchParams.get('port') ?? 5432) : port),
    pathname,
  };
}
