import type { MiddlewareSpec } from '../schema/spec.js';
import type { MiddlewareStatus, UpgradePhase } from '../schema/status.js';
import type { KubeObject, OtherUpgrade } from '../types.js';
import type { Store } from './store.js';

/** How far the upgrade of a resource is, as its status says. */
export const upgradePhase = (object: KubeObject | undefined): UpgradePhase | undefined =>
  ((object?.status ?? {}) as MiddlewareStatus).upgrade?.phase;

const HOLD = new Set<UpgradePhase | undefined>(['Rolling', 'Failed']);

export const isUpgrading = (object: KubeObject | undefined): boolean => HOLD.has(upgradePhase(object));

/** Whose turn it is: upgrades go one by one. That is in the status of the resources, so that it outlives this process. */
export function createUpgrades(resources: Pick<Store, 'all'>) {
  /** Those that this process let begin: their status may not be written yet. */
  const begun = new Set<string>();
  return {
    /** Another resource whose upgrade is under way, or has failed. */
    other(key: string): OtherUpgrade | undefined {
      for (const object of resources.all()) {
        const name = `${object.metadata.namespace}/${object.metadata.name}`;
        const { image } = (object.spec ?? {}) as Partial<MiddlewareSpec>;
        // Who names an image is not upgraded.
        if (name === key || image !== undefined || !(isUpgrading(object) || begun.has(name))) continue;
        return { name, failed: upgradePhase(object) === 'Failed' };
      }
      return undefined;
    },
    note(key: string, phase: UpgradePhase | undefined): void {
      if (HOLD.has(phase)) begun.add(key);
      else begun.delete(key);
    },
  };
}
