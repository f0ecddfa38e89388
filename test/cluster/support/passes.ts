import { expect } from 'chai';
import { createOperatorMetrics } from '../../../src/operator/metrics.js';
import type { OperatorMetrics } from '../../../src/operator/metrics.js';
import { eventually } from './eventually.js';
import type { Scene } from './scene.js';
import { notingWrites } from './tamper.js';

/** An operator that reconciles all resources five times a second, and the paths of its writes. */
export function startNoted(
  scene: Scene,
  options: Parameters<Scene['operator']>[0] = {},
): { metrics: OperatorMetrics; written: string[] } {
  const written: string[] = [];
  const metrics = createOperatorMetrics();
  scene.operator({ resyncMs: 200, metrics, through: notingWrites(written), ...options });
  return { metrics, written };
}

/** Waits for this number of further passes over all resources. */
export async function passes(metrics: OperatorMetrics, times: number): Promise<void> {
  const seen = async (): Promise<number> =>
    Number(/mdw_operator_reconcile_seconds_count\S* (\d+)/.exec(await metrics.registry.metrics())?.[1] ?? 0);
  const first = await seen();
  await eventually(async () => expect(await seen()).to.be.at.least(first + times));
}
