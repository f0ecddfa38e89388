import { MiddlewareError } from '../../observe/errors.js';
import { POD, pathOf } from '../kube/kinds.js';
import { LABEL } from '../names.js';
import type { Component } from '../names.js';
import type { Color } from '../schema/status.js';
import type { KubeObject, Pod } from '../types.js';
import { asCommandError } from './resources.js';
import type { Cluster } from './resources.js';

interface LogOptions {
  name: string;
  component: Component | undefined;
  color: Color | undefined;
  tail: number;
  follow: boolean;
  signal: AbortSignal;
  onLine: (pod: string, line: string) => void;
}

/** Reads log lines of the pods of a resource, with one request for each pod. Throws if no pod has started. */
export async function readLogs(cluster: Cluster, options: LogOptions): Promise<void> {
  const { name, component, color, tail, follow, signal, onLine } = options;
  const { client, namespace } = cluster;
  const labels = {
    [LABEL.instance]: name,
    ...(component && { [LABEL.component]: component }),
    ...(color && { [LABEL.color]: color }),
  };
  const labelSelector = Object.entries(labels)
    .map(([label, value]) => `${label}=${value}`)
    .join(',');
  const pods = await client
    .request<{ items: KubeObject[] }>(pathOf(POD, namespace), { query: { labelSelector } })
    .catch((error: unknown) => Promise.reject(asCommandError(error) as Error));
  const running = (pods.items as Pod[]).filter(({ status }) => status?.phase !== 'Pending');
  if (running.length === 0) {
    const what = `${component ?? 'pod'}${color === undefined ? '' : ` of the ${color} copy`}`;
    throw new MiddlewareError('not_found', `${name} has no ${what} that has started`);
  }
  const read = async ({ metadata }: Pod): Promise<void> => {
    const path = `${pathOf(POD, namespace, metadata.name)}/log`;
    const query = { container: 'mdw', tailLines: tail, follow };
    for await (const line of client.lines(path, { query, accept: '*/*', signal })) onLine(metadata.name, line);
  };
  const ends = await Promise.allSettled(running.map(read));
  const failed = ends.find((end) => end.status === 'rejected');
  if (failed !== undefined && !signal.aborted) throw asCommandError(failed.reason);
}
