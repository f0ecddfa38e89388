import { areCertificates } from '../../config/certificates.js';
import { authoritiesOf } from '../desired/authorities.js';
import type { KubeClient } from '../kube/client.js';
import { CONFIG_MAP, SECRET } from '../kube/kinds.js';
import type { AuthorityFacts, AuthorityFault, Middleware } from '../types.js';
import { createValues } from './values.js';
import type { Reference } from './values.js';
import type { Store } from './store.js';

type Facts = AuthorityFacts | AuthorityFault;

/** Reads the certificates of the authorities of a resource, in the order of `authoritiesOf`. */
export function createAuthorities(
  client: KubeClient,
  { secrets, configMaps }: { secrets: Store; configMaps: Store },
): (resource: Middleware) => Promise<Facts[]> {
  const factsOf =
    (kind: 'Secret' | 'ConfigMap') =>
    (reference: Reference, text: string | undefined, version: string): Facts => {
      const { name, key } = reference;
      if (text === undefined) {
        return {
          reason: 'AuthorityKeyMissing',
          message: `${kind} ${name} has no key ${key}: put the certificates there`,
        };
      }
      if (areCertificates(text)) return { version };
      const message = `Key ${key} of ${kind} ${name} has no PEM certificates: put the certificates of the authority there`;
      return { reason: 'AuthorityInvalid', message };
    };
  const read = {
    Secret: createValues({ client, kind: SECRET, store: secrets, factsOf: factsOf('Secret') }),
    ConfigMap: createValues({ client, kind: CONFIG_MAP, store: configMaps, factsOf: factsOf('ConfigMap') }),
  };
  return ({ spec, metadata: { namespace } }) =>
    Promise.all(
      authoritiesOf(spec).map(async ({ field, kind, name, key }) => {
        const facts = await read[kind](namespace, { name, key });
        if (facts !== undefined && 'version' in facts) return facts;
        const missing = `${kind} ${name} does not exist: create it in namespace ${namespace}, with the certificates as key ${key}`;
        const { reason, message } = facts ?? { reason: 'AuthorityMissing' as const, message: missing };
        return { reason, message: `${field}: ${message}` };
      }),
    );
}
