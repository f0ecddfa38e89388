import { FIELDS, MANAGED } from '../schema/settings.js';
import type { Basis } from '../types.js';
import { variables } from './config.js';
import { PROGRESS, jobPod } from './job.js';
import { isFields, keyOf, mergeKeyOf } from './merge.js';
import type { Fields } from './merge.js';
import { podLayers } from './pod.js';
import type { PodLayers, Role } from './pod.js';
import { populatorPod, serverPod } from './workloads.js';

/** Fields that must be absent, so the operator does not set them. */
const ABSENT = new Set(['serviceAccount', 'command']);

/** Which field of the resource to set instead of a field that the operator owns. */
const INSTEAD: Record<string, string> = {
  image: 'spec.image',
  imagePullPolicy: 'spec.imagePullPolicy',
  resources: 'spec.ROLE.resources',
  terminationGracePeriodSeconds: 'spec.websocket.drainMs and spec.server.streamDrainMs',
};

/** Errors in the pod templates of a resource, as text: fields that the operator owns, and values that cannot be merged. */
export function templateFaults(basis: Basis): string[] {
  const { resource } = basis;
  const { server, populator, migration } = resource.spec;
  if ([server, populator, migration].every(({ podTemplate }) => podTemplate === undefined)) return [];
  const copy = { color: 'blue', schema: resource.spec.database.schema } as const;
  const job = jobPod({ ...copy, component: 'migration', args: [], ...PROGRESS });
  const own = new Set([...MANAGED, ...Object.keys(FIELDS), ...Object.keys(variables(resource))]);
  return [populatorPod(copy), serverPod(resource, copy), job]
    .filter(({ role }) => resource.spec[role].podTemplate !== undefined)
    .flatMap((pod) => faultsOf(pod.role, podLayers(basis, pod), own));
}

/** `ownVariables`: variables that a template must not set, because each has a field of its own in the resource. */
function faultsOf(role: Role, { template, owned }: PodLayers, ownVariables: ReadonlySet<string>): string[] {
  const faults: string[] = [];
  const refuse = (at: string, instead?: string): void => {
    const use = instead === undefined ? '' : `: use ${instead.replace('ROLE', role)}`;
    faults.push(`${at} belongs to the operator${use}`);
  };

  const compare = (given: Fields, own: Fields, path: string): void => {
    for (const [name, value] of Object.entries(given)) {
      const at = `${path}.${name}`;
      if (value === null || (own[name] === undefined && !ABSENT.has(name))) continue;
      const member = mergeKeyOf(name);
      if (member !== undefined) compareItems(value, own[name], { name, member, at });
      else if (name !== 'envFrom') refuse(at, INSTEAD[name]);
      else if (!Array.isArray(value)) faults.push(`${at} must be a list`);
    }
  };

  const compareItems = (
    given: unknown,
    own: unknown,
    { name, member, at }: { name: string; member: string; at: string },
  ): void => {
    if (!Array.isArray(given)) {
      faults.push(`${at} must be a list`);
      return;
    }
    for (const [i, item] of (given as unknown[]).entries()) {
      const key = keyOf(item, member);
      const same = (own as unknown[]).find((one) => keyOf(one, member) === key);
      if (key === undefined) faults.push(`${at}[${i}] must have a ${member}`);
      else if (name === 'env' && ownVariables.has(key)) refuse(`${at}[${key}]`, insteadOf(key));
      else if (same === undefined) continue;
      else if (name === 'containers') compare(item as Fields, withoutName(same as Fields), `${at}[${key}]`);
      else refuse(`${at}[${key}]`);
    }
  };

  const root = `spec.${role}.podTemplate`;
  for (const part of ['labels', 'annotations'] as const) {
    for (const name of Object.keys(template.metadata?.[part] ?? {})) {
      if (owned.metadata?.[part]?.[name] !== undefined) refuse(`${root}.metadata.${part}[${name}]`);
    }
  }
  if (isFields(template.spec)) compare(template.spec, owned.spec ?? {}, `${root}.spec`);
  return faults;
}

const withoutName = ({ name: _, ...fields }: Fields): Fields => fields;

function insteadOf(variable: string): string {
  const field = FIELDS[variable];
  return field === undefined ? 'its field of the resource, or spec.settings' : `spec.${field}`;
}
