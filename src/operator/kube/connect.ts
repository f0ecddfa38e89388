import { createKubeClient } from './client.js';
import type { KubeClient } from './client.js';
import { findAccess } from './kubeconfig.js';
import type { AccessOptions } from './kubeconfig.js';

/** A client for the cluster that flags and environment name, and the namespace of their context. */
export function connect(options: AccessOptions): { client: KubeClient; namespace: string } {
  const access = findAccess(options);
  return { client: createKubeClient(access), namespace: access.namespace };
}
