import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import type { KubeClient, KubeRequest } from '../../../src/operator/kube/client.js';
import { tampered } from './tamper.js';

export interface Rule {
  apiGroups: string[];
  resources: string[];
  /** Objects that the rule is limited to. */
  resourceNames?: string[];
  verbs: string[];
}

/** The right that a request needs by the rules of the API server; undefined if every account has it. */
interface Right {
  verb: string;
  /** Group and resource, for example `apps/deployments`. */
  resource: string;
  namespace: string | undefined;
}

const PATH = /^\/(?:api|apis\/([^/]+))\/[^/]+(?:\/namespaces\/([^/]+))?\/([^/]+)(?:\/([^/]+))?(?:\/([^/]+))?$/;
const VERBS = { POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' };

export function rightOf(
  path: string,
  { method = 'GET', query }: Pick<KubeRequest, 'method' | 'query'>,
): Right | undefined {
  const [, group = '', namespace, plural, name, part] = PATH.exec(path) ?? [];
  if (plural === undefined) return undefined;
  const read = String(query?.['watch']) === 'true' ? 'watch' : name === undefined ? 'list' : 'get';
  const resource = `${group}/${plural}${part === undefined ? '' : `/${part}`}`;
  return { verb: method === 'GET' ? read : VERBS[method], resource, namespace };
}

/** All pairs that rules give, for example `patch apps/deployments`. */
export const given = (rules: readonly Rule[]): string[] =>
  rules.flatMap(({ apiGroups, resources, verbs }) =>
    apiGroups.flatMap((group) => resources.flatMap((one) => verbs.map((verb) => `${verb} ${group}/${one}`))),
  );

const CHART = new URL('../../../charts/chain-middleware/templates/', import.meta.url);
const rulesIn = (file: string, between: RegExp): Rule[] =>
  parse(
    (between.exec(readFileSync(new URL(file, CHART), 'utf8'))?.[1] ?? '')
      .replace(/{{ (?:if|end).*?}}/g, '')
      .replace(/{{.*?}}/g, 'name'),
  ) as Rule[];

/** The rights that the chart gives, from its templates. */
const GIVEN = new Set(
  given([
    ...rulesIn('_helpers.tpl', /define "mdw.rules" -}}\n([^]*?){{- end }}/),
    ...rulesIn('rbac.yaml', /\nrules:\n( +- apiGroups: \[coordination[^]*?)---\n/),
  ]),
);

/** A client that records requests for which the chart gives the operator no right. */
export const withinRights = (client: KubeClient, beyond: Set<string>): KubeClient =>
  noting(client, ({ verb, resource }) => {
    if (!GIVEN.has(`${verb} ${resource}`)) beyond.add(`${verb} ${resource}`);
  });

/** A client that reports the right that each request needs, before it is sent. */
export const noting = (client: KubeClient, note: (right: Right, path: string) => void | Promise<void>): KubeClient =>
  tampered(client, {
    before(path, request) {
      const right = rightOf(path, request);
      return right === undefined ? undefined : note(right, path);
    },
  });
