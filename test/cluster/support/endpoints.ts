import type { KubeClient } from '../../../src/operator/kube/client.js';

interface Slice {
  metadata: { name: string };
  endpoints?: { conditions?: { ready?: boolean } }[] | null;
}

interface Selecting {
  spec: { selector?: Record<string, string> };
}

export interface Watcher {
  /** Moments at which the Service lost its last ready endpoint, as text. */
  faults: string[];
  /** Colors that the Service selected, in order. */
  colors: string[];
  stop(): Promise<void>;
}

const COLOR = 'chain-middleware.io/color';

/** Watches every change of a Service and of its endpoints from now on. */
export function watchService(client: KubeClient, namespace: string, name: string): Watcher {
  const end = new AbortController();
  const faults: string[] = [];
  const colors: string[] = [];
  const slices = new Map<string, number>();
  let had = false;

  const see = async <T>(
    path: string,
    query: Record<string, string>,
    on: (type: string, object: T) => void,
  ): Promise<void> => {
    while (!end.signal.aborted) {
      try {
        const lines = client.lines(path, { query: { ...query, watch: 'true' }, signal: end.signal });
        for await (const line of lines) {
          const { type, object } = JSON.parse(line) as { type: string; object: T };
          if (type !== 'BOOKMARK' && type !== 'ERROR') on(type, object);
        }
      } catch {
        // The watch broke: start it again, unless it was stopped.
      }
    }
  };
  const endpoints = see<Slice>(
    `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`,
    { labelSelector: `kubernetes.io/service-name=${name}` },
    (type, slice) => {
      const ready = (slice.endpoints ?? []).filter(({ conditions }) => conditions?.ready !== false).length;
      slices.set(slice.metadata.name, type === 'DELETED' ? 0 : ready);
      const all = [...slices.values()].reduce((sum, count) => sum + count, 0);
      if (all > 0) had = true;
      else if (had) faults.push(`${new Date().toISOString()}: no ready endpoint while ${colors.at(-1)} is selected`);
    },
  );
  const service = see<Selecting>(
    `/api/v1/namespaces/${namespace}/services`,
    { fieldSelector: `metadata.name=${name}` },
    (_type, { spec }) => {
      const color = spec.selector?.[COLOR] ?? 'none';
      if (colors.at(-1) !== color) colors.push(color);
    },
  );
  return {
    faults,
    colors,
    async stop() {
      end.abort();
      await Promise.all([endpoints, service]);
    },
  };
}
