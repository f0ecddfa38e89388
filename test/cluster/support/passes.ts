import { expect } from 'chai';
import type { OperatorMetrics } from '../../../src/operator/metrics.js';
import { eventually } from './eventually.js';

/** Waits for so many more passes over all resources. */
export async function passes(metrics: OperatorMetrics, times: number): Promise<void> {
  const seen = async (): Promise<number> =>
    Number(/mdw_operator_reconcile_seconds_count\S* (\d+)/.exec(await metrics.registry.metrics())?.[1] ?? 0);
  const first = await seen();
  await eventually(async () => expect(await seen()).to.be.at.least(first + times));
}
