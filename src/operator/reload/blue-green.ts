import type { CurrentReload } from '../world/current-reload.js';
import type { World } from '../world/world.js';
import { cleanUp } from './clean-up.js';
import { load } from './load.js';
import { afterRollback, retain } from './serving.js';
import type { State } from './state.js';

/**
 * The state of a blue/green reload: the whole chain is loaded into a second copy, which then serves. It is derived from what exists,
 * so an operator can continue what another began.
 */
export function blueGreen(world: World, current: CurrentReload): State {
  const { served } = world;
  const { id, last, action, why } = current;
  if (served.rolledBack === id) return afterRollback(world, current, served);
  if (served.reload === id) return retain(world, current);
  if (last?.phase === 'Failing') return cleanUp(world, current, served, 'Failing', last.message ?? 'It failed');
  if (last?.phase === 'Aborting' || action === 'Abort') {
    const message =
      (last?.phase === 'Aborting' ? last.message : undefined) ?? (why ? `Aborted: ${why}` : 'Aborted on request');
    return cleanUp(world, current, served, 'Aborting', message);
  }
  return load(world, current);
}
