import { ANNOTATION, CONTAINER, hashOf, populatorName, serverName } from '../names.js';
import { liveColor } from '../readings/colors.js';
import type { UpgradePhase } from '../schema/status.js';
import type { Basis, Observed } from '../types.js';

/**
 * Decides which image the pods have, and whether the pod templates are frozen. A new image or a new version of the operator
 * changes running pods only after the upgrade of the resource has begun. A change of the resource itself is applied at once.
 */
export function basisOf(observed: Observed): Basis {
  const { resource, defaultImage, operatorVersion } = observed;
  const { image: named } = resource.spec;
  const { image: kept, version, phase } = resource.status.upgrade ?? {};
  const begun = named === undefined && isBegun(phase);
  const image = named ?? (begun ? defaultImage : (kept ?? runningImage(observed) ?? defaultImage));
  const frozen = !begun && version !== undefined && version !== operatorVersion && !hasNewRequest(observed);
  return { ...observed, image, frozen };
}

export const isBegun = (phase: UpgradePhase | undefined): boolean => phase === 'Rolling' || phase === 'Failed';

/** Image of the copy that serves; undefined while it has no Deployment. */
export function runningImage({ resource, children }: Observed): string | undefined {
  const color = liveColor({ resource, children });
  const { name } = resource.metadata;
  const running = children.deployment(serverName(name, color)) ?? children.deployment(populatorName(name, color));
  return running?.spec.template.spec.containers.find((one) => one.name === CONTAINER)?.image;
}

/** Begin of a hash of versions of Secrets. Hashes of their values have no such begin. */
const OF_VERSIONS = 'v';

/** Hashes of what pods depend on besides the operator: of the resource, and of the Secrets and certificates that it names. */
export function requestHashes({ resource, database, readDatabase, authorities }: Observed): {
  spec: string;
  facts: string;
} {
  const { spec, metadata, status } = resource;
  const { replicas: _, ...server } = spec.server;
  const facts = [database, readDatabase ?? { version: '' }, ...authorities];
  const annotations = [metadata.annotations?.[ANNOTATION.retry], metadata.annotations?.[ANNOTATION.acceptDatabase]];
  // If one of them cannot be read at the moment, the last hash stays.
  const isKnown = facts.every((one) => 'version' in one);
  const last = status.upgrade?.asked?.split('.')[1];
  const versions = facts.map((one) => ('version' in one ? one.version : null));
  const now = `${OF_VERSIONS}${hashOf([versions, annotations.map((one) => one ?? null)])}`;
  return { spec: hashOf({ ...spec, server }), facts: isKnown ? now : (last ?? now) };
}

/** Whether the resource asks for something else since the last pass; the number of servers does not count. */
function hasNewRequest(observed: Observed): boolean {
  const { metadata, status } = observed.resource;
  const [spec, facts] = status.upgrade?.asked?.split('.') ?? [];
  const now = requestHashes(observed);
  // A newer CRD may add defaults to the spec. That is no change by the user, and the generation stays the same.
  const isEdited = metadata.generation !== status.observedGeneration && now.spec !== spec;
  // Older versions recorded hashes of the values, which say nothing about the versions.
  const isComparable = facts === undefined || facts.startsWith(OF_VERSIONS);
  return isEdited || (isComparable && now.facts !== facts);
}
