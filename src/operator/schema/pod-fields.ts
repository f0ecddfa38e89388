import { z } from 'zod';
import { annotations, anyKeys, described, labels, objectName, passedThrough, quantities, rules } from './parts.js';

export const resources = z
  .object({
    requests: described(quantities().optional(), 'What a container is sure to get, by resource.'),
    limits: described(quantities().optional(), 'What a container may use as a maximum, by resource.'),
  })
  .meta(
    rules({
      rule:
        '!has(self.requests) || !has(self.limits) || self.requests.all(name, !(name in self.limits) || ' +
        '!isQuantity(string(self.requests[name])) || !isQuantity(string(self.limits[name])) || ' +
        'quantity(string(self.requests[name])).compareTo(quantity(string(self.limits[name]))) <= 0)',
      message: 'a limit must not be less than the request for the same resource',
      fieldPath: '.limits',
    }),
  );

/** Fields that users add to the pods of a component. */
const podTemplate = z.object({
  metadata: described(
    z
      .object({
        labels: described(labels().optional(), 'Labels of the pods.'),
        annotations: described(annotations().optional(), 'Annotations of the pods.'),
      })
      .optional(),
    'Metadata of the pods.',
  ),
  spec: described(
    passedThrough().optional(),
    'A pod as in a Deployment. Lists are merged by name (mounts by mountPath); what is given for the container mdw is added to that of the middleware. What the operator sets itself cannot be set here.',
    anyKeys,
  ),
});

/** Fields that configure the pods of a component. `requests` are its default requests, from measurements. */
export const podFields = (requests: { cpu: string; memory: string }, limit: string) => ({
  resources: described(
    resources.prefault({ requests, limits: { memory: limit } }),
    'Requests and limits of the container; giving one replaces the defaults of all.',
  ),
  nodeSelector: described(labels().optional(), 'Labels that a machine must have for the pods to run there.'),
  tolerations: described(
    z
      .array(described(passedThrough(), 'A toleration, as in a pod.', anyKeys))
      .max(64)
      .optional(),
    'Taints of machines that the pods bear.',
  ),
  affinity: described(passedThrough().optional(), 'Affinity, as in a pod; replaces the default.', anyKeys),
  topologySpreadConstraints: described(
    z
      .array(described(passedThrough(), 'A constraint, as in a pod.', anyKeys))
      .max(16)
      .optional(),
    'How the pods spread; replaces the default, which spreads servers over machines and zones where it can.',
  ),
  priorityClassName: described(objectName().optional(), 'Priority class of the pods.'),
  podTemplate: described(
    podTemplate.optional(),
    'What the pods have besides: volumes, variables, sidecars, init containers, security contexts, DNS and the like. The fields beside it win.',
  ),
  podLabels: described(labels().optional(), 'Further labels of the pods of this component.'),
  podAnnotations: described(annotations().optional(), 'Further annotations of the pods of this component.'),
});
