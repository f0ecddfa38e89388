/**
 * SQL for SET: the row is due again after a pause that doubles with each attempt, from `first` to `max` seconds. The table has the columns `attempts`
 * and `due_at`.
 */
export function postponed(first: number, max: number): string {
  // Limited, so that the power does not overflow.
  const doublings = Math.ceil(Math.log2(max / first));
  const factor = first === 1 ? '' : `${first} * `;
  return `attempts = attempts + 1, due_at = now() + make_interval(secs => LEAST(${max}, ${factor}2 ^ LEAST(attempts, ${doublings})))`;
}
