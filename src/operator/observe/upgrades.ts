import type { MiddlewareSpec } from '../schema/spec.js';
import type { MiddlewareStatus, UpgradePhase } from '../schema/status.js';
import type { KubeObject, OtherUpgrade } from '../types.js';
import type { Store } from './store.js';

/** Phase of the upgrade of a resource, from its status. */
export const upgradePhase = (object: KubeObject | undefined): UpgradePhase | undefined =>
  ((object?.status ?? {}) as MiddlewareStatus).upgrade?.phase;

/** Phases in which other upgrades must wait. */
const EXCLUSIVE = new Set<UpgradePhase | undefined>(['Rolling', 'Failed']);

export const isUpgrading = (object: KubeObject | undefined): boolean => EXCLUSIVE.has(upgradePhase(object));

/** Lets only one resource upgrade at a time. The state is in the status of the resources, so that it outlives this process. */
export function createUpgrades(resources: Pick<Store, 'all'>) {
  /** Resources whose upgrade this process began; their status may not be written yet. */
  const begun = new Set<string>();
  return {
    /** Another resource whose upgrade is in progress, or has failed. */
    other(key: string): OtherUpgrade | undefined {
      for (const object of resources.all()) {
        const name = `${object.metadata.namespace}/${object.metadata.name}`;
        const { image } = (object.spec ?? {}) as Partial<MiddlewareSpec>;
        // A resource that names its image is not upgraded.
        if (name === key || image !== undefined || !(isUpgrading(object) || begun.has(name))) continue;
        return { name, failed: upgradePhase(object) === 'Failed' };
      }
      return undefined;
    },
    record(key: string, phase: UpgradePhase | undefined): void {
      if (EXCLUSIVE.has(phase)) begun.add(key);
      else begun.delete(key);
    },
  };
}
