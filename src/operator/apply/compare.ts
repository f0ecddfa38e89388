import { ANNOTATION, hashOf } from '../names.js';
import type { KubeObject } from '../types.js';

/** The object with a hash of itself as an annotation. The hash shows when a field is no longer wanted. */
export function withAppliedHash(object: KubeObject): KubeObject {
  const { metadata } = object;
  const annotations = { ...metadata.annotations, [ANNOTATION.applied]: hashOf(object, 16) };
  return { ...object, metadata: { ...metadata, annotations } };
}

/**
 * Whether an object has all wanted fields. Fields that others added are ignored, but lists must be equal. Values are
 * compared by meaning, because the API server writes 1000m as 1 and omits empty fields.
 */
export function covers(live: unknown, wanted: unknown): boolean {
  if (isEmpty(wanted)) return isEmpty(live);
  if (Array.isArray(wanted)) {
    return Array.isArray(live) && live.length === wanted.length && wanted.every((item, i) => covers(live[i], item));
  }
  if (typeof wanted === 'object') {
    if (live === null || typeof live !== 'object') return Object.values(wanted as object).every(isEmpty);
    const fields = live as Record<string, unknown>;
    return Object.entries(wanted as object).every(([name, value]) => covers(fields[name], value));
  }
  return live === wanted || (isScalar(live) && isScalar(wanted) && isSameQuantity(String(live), String(wanted)));
}

export const isSame = (a: unknown, b: unknown): boolean => covers(a, b) && covers(b, a);

const isScalar = (value: unknown): value is string | number => typeof value === 'string' || typeof value === 'number';

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  value === 0 ||
  value === false ||
  (typeof value === 'object' && Object.keys(value).length === 0);

/** Factors of the units of Kubernetes quantities. */
const SUFFIX: Record<string, number> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

function isSameQuantity(a: string, b: string): boolean {
  const [left, right] = [quantityOf(a), quantityOf(b)];
  return left !== undefined && right !== undefined && Math.abs(left - right) <= Math.abs(left) * 1e-12;
}

function quantityOf(text: string): number | undefined {
  const match = /^(\d+(?:\.\d+)?)(n|u|m|k|M|G|T|P|E|Ki|Mi|Gi|Ti|Pi|Ei)?$/.exec(text);
  return match === null ? undefined : Number(match[1]) * (SUFFIX[match[2] ?? ''] ?? 1);
}
