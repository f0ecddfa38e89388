import type { Scene } from './scene.js';

interface Rule {
  apiGroups: string[];
  apiVersions: string[];
  operations: string[];
  resources: string[];
}

/** Lets the API server refuse objects in the namespace of the scene that do not meet all expressions. Returns a function that ends it. */
export function setPolicy({ plane, namespace }: Scene, rule: Rule, expressions: readonly string[]): () => void {
  const apply = (kind: string, spec: object): void =>
    plane.apply({ apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name: namespace }, spec });
  apply('ValidatingAdmissionPolicy', {
    matchConstraints: { resourceRules: [rule] },
    validations: expressions.map((expression) => ({ expression })),
  });
  apply('ValidatingAdmissionPolicyBinding', {
    policyName: namespace,
    validationActions: ['Deny'],
    matchResources: { namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } } },
  });
  return () => void plane.kubectl('delete', 'validatingadmissionpolicybinding,validatingadmissionpolicy', namespace);
}

export const NEW_PODS: Rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
