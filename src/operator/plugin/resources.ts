import { MiddlewareError } from '../../observe/errors.js';
import type { KubeClient } from '../kube/client.js';
import { PATCH } from '../kube/client.js';
import { KubeError, asMiddlewareError, isConflict, isNotFound } from '../kube/errors.js';
import { MIDDLEWARE, pathOf } from '../kube/kinds.js';
import type { MiddlewareSpec } from '../schema/spec.js';
import type { KubeObject, Middleware } from '../types.js';
import type { Action } from './actions.js';

/** Field manager of the commands. It differs from the managers of the operator and of the tool that applied the resource. */
const FIELD_MANAGER = 'kubectl-mdw';

/** A cluster, and the namespace that a command works in. */
export interface Cluster {
  client: KubeClient;
  namespace: string;
}

const notFound = (name: string, namespace: string): MiddlewareError =>
  new MiddlewareError('not_found', `There is no Middleware ${name} in namespace ${namespace}`);

/** Returns a resource. If it does not exist, throws an error that says what to do. */
export async function getMiddleware({ client, namespace }: Cluster, name: string): Promise<Middleware> {
  try {
    return read(await client.request<KubeObject>(pathOf(MIDDLEWARE, namespace, name)));
  } catch (error) {
    if (isNotFound(error)) throw isKindMissing(error) ? kindMissing() : notFound(name, namespace);
    throw asCommandError(error);
  }
}

/** The resources of a namespace, or of all namespaces. */
export async function listMiddlewares({ client }: Cluster, namespace: string | undefined): Promise<Middleware[]> {
  try {
    const { items } = await client.request<{ items: KubeObject[] }>(pathOf(MIDDLEWARE, namespace));
    return items.map(read);
  } catch (error) {
    throw isNotFound(error) ? kindMissing() : asCommandError(error);
  }
}

/** Max attempts to change a resource. Conflicts are usual, because the operator writes the status at any time. */
const MAX_ATTEMPTS = 10;

/** Applies the action that `decide` returns, and repeats both if somebody changed the resource meanwhile. Returns the action. */
export async function changeMiddleware(
  cluster: Cluster,
  name: string,
  decide: (resource: Middleware) => Action,
): Promise<Action> {
  for (let attempt = 1; ; attempt += 1) {
    const resource = await getMiddleware(cluster, name);
    const action = decide(resource);
    try {
      if (action.patch !== undefined) await patch(cluster, resource, action.patch);
      return action;
    } catch (error) {
      if (!isConflict(error) || attempt === MAX_ATTEMPTS) throw asCommandError(error);
    }
  }
}

/** Patches a resource. Throws a conflict if somebody changed it since it was read. */
async function patch({ client }: Cluster, { metadata }: Middleware, fields: object): Promise<void> {
  const { name, namespace, resourceVersion } = metadata;
  const given = fields as { metadata?: object };
  await client.request(pathOf(MIDDLEWARE, namespace, name), {
    method: 'PATCH',
    contentType: PATCH.merge,
    query: { fieldManager: FIELD_MANAGER },
    body: { ...fields, metadata: { ...given.metadata, resourceVersion } },
  });
}

/**
 * A resource as the API server returns it, checked and completed by the CRD. It is not checked again, unlike in the operator:
 * that takes longer than the rest of a command, and the status shows when the operator cannot read the resource.
 */
function read({ metadata, spec, status }: KubeObject): Middleware {
  const { namespace = '', uid = '', generation = 0 } = metadata;
  return { metadata: { ...metadata, namespace, uid, generation }, spec: spec as MiddlewareSpec, status: status ?? {} };
}

/** Whether the path itself is unknown: the answer is then no API object. */
const isKindMissing = (error: KubeError): boolean => error.reason === 'Unknown' || error.reason === '';

const kindMissing = (): MiddlewareError =>
  new MiddlewareError(
    'kind_missing',
    'The cluster does not know the kind Middleware: install it with mdw crd | kubectl apply --server-side -f -',
  );

/** The error for a command: a KubeError as a MiddlewareError, any other error unchanged. */
export const asCommandError = (error: unknown): unknown =>
  error instanceof KubeError ? asMiddlewareError(error) : error;
