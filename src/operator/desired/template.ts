import { ANNOTATION, hashOf } from '../names.js';
import type { Basis, Deployment, KubeObject, PodTemplate, StatefulSet } from '../types.js';

/** A child that makes pods from a template that may change. */
type Workload = Deployment | StatefulSet;

export const isWorkload = (object: KubeObject): object is Workload =>
  object.kind === 'Deployment' || object.kind === 'StatefulSet';

const TEMPLATE = ANNOTATION.template;
const templateOf = ({ spec }: Workload): string => hashOf(spec.template);

export const hasTemplate = (live: Workload | undefined, wanted: Workload): boolean =>
  live?.metadata.annotations?.[TEMPLATE] === templateOf(wanted);

export function withTemplate<W extends Workload>(workload: W): W {
  const { metadata, spec } = workload;
  const annotations = {
    ...metadata.annotations,
    [TEMPLATE]: templateOf(workload),
    [ANNOTATION.podTemplate]: JSON.stringify(spec.template),
  };
  return { ...workload, metadata: { ...metadata, annotations } };
}

/** The pod template that was applied last; undefined if its record is missing or damaged. */
function appliedTemplate(live: Workload | undefined): PodTemplate | undefined {
  const { [ANNOTATION.podTemplate]: text, [TEMPLATE]: hash } = live?.metadata.annotations ?? {};
  if (text === undefined) return undefined;
  try {
    const template: unknown = JSON.parse(text);
    return hashOf(template) === hash ? (template as PodTemplate) : undefined;
  } catch {
    return undefined;
  }
}

export const hasOlderTemplate = (live: Workload | undefined, wanted: Workload): boolean =>
  appliedTemplate(live) !== undefined && !hasTemplate(live, wanted);

/** The wanted object; while the world is frozen, with the pod template that it has now. */
export function withFrozenTemplate<W extends Workload>({ frozen: isFrozen, children }: Basis, wanted: W): W {
  const { kind, metadata } = wanted;
  const template = isFrozen ? appliedTemplate(children.get(kind, metadata.name) as W | undefined) : undefined;
  return template === undefined ? wanted : { ...wanted, spec: { ...wanted.spec, template } };
}
