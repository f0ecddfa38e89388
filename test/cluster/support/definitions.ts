import { readFileSync } from 'node:fs';
import { isNotFound } from '../../../src/operator/kube/errors.js';
import type { Kind } from '../../../src/operator/kube/kinds.js';
import { eventually } from './eventually.js';
import type { Plane } from './plane.js';

export const DEFINITIONS = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';

const CLOUD_NATIVE_PG = 'postgresql.cnpg.io/v1';

/** A definition of a kind of another operator: its own for CloudNativePG, which checks all fields, else one that accepts any content. */
export const definitionOf = (kind: Kind): Definition =>
  kind.apiVersion === CLOUD_NATIVE_PG ? definitionOfCloudNativePG(kind.plural) : looseDefinition(kind);

interface Definition {
  metadata: { name: string };
}

/** As CloudNativePG installs it, see the README beside it. */
export const definitionOfCloudNativePG = (plural: string): Definition =>
  JSON.parse(
    readFileSync(new URL(`../../fixtures/cloudnative-pg/${plural}.json`, import.meta.url), 'utf8'),
  ) as Definition;

function looseDefinition({ apiVersion, kind, plural }: Kind): Definition {
  const [group = '', name = ''] = apiVersion.split('/');
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    // Groups below k8s.io require it.
    metadata: { name: `${plural}.${group}`, annotations: { 'api-approved.kubernetes.io': 'unapproved, for tests' } },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, singular: kind.toLowerCase() },
      versions: [{ name, served: true, storage: true, schema }],
    },
  };
  return definition;
}

/** Deletes the definitions with all their objects and waits for the end, because the next suite may create them again. */
export async function removeDefinitions({ request }: Plane, names: readonly string[]): Promise<void> {
  for (const name of names) await request(`${DEFINITIONS}/${name}`, { method: 'DELETE' });
  await eventually(async () => {
    for (const name of names) {
      if (!(await request(`${DEFINITIONS}/${name}`).then(() => false, isNotFound))) throw new Error(`${name} is there`);
    }
  });
}
