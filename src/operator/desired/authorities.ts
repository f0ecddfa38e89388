import type { MiddlewareSpec } from '../schema/spec.js';
import type { Fields } from './merge.js';
import { FILE_MODE } from './file-mode.js';

/** Where the certificates of an authority (CA) are, and whose certificate it must have signed. */
interface Authority {
  field: string;
  what: 'database' | 'node' | 'compiler';
  kind: 'Secret' | 'ConfigMap';
  name: string;
  key: string;
}

type Given = Pick<MiddlewareSpec, 'database' | 'node' | 'compiler'>;

/** The authorities that a resource names, in a fixed order. */
export function authoritiesOf({ database, node, compiler }: Given): Authority[] {
  return Object.entries({ database, node, compiler }).flatMap(([name, part]): Authority[] => {
    const what = name as Authority['what'];
    const { secret, configMap } = part?.ca ?? {};
    const field = `spec.${what}.ca`;
    if (secret !== undefined) return [{ field, what, kind: 'Secret', ...secret }];
    return configMap === undefined ? [] : [{ field, what, kind: 'ConfigMap', ...configMap }];
  });
}

/** Volumes, mounts and variables that give pods the certificates as files. */
export const authorityFiles = (spec: Given) =>
  authoritiesOf(spec).map(({ what, kind, name, key }) => {
    const folder = `/var/run/mdw/${what}-ca`;
    const items = [{ key, path: 'ca.crt' }];
    const source: Fields =
      kind === 'Secret'
        ? { secret: { secretName: name, items, defaultMode: FILE_MODE } }
        : { configMap: { name, items, defaultMode: FILE_MODE } };
    return {
      env: { name: `${what.toUpperCase()}_CA_FILE`, value: `${folder}/ca.crt` },
      mount: { name: `${what}-ca`, mountPath: folder, readOnly: true },
      volume: { name: `${what}-ca`, ...source },
    };
  });
