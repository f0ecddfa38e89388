import type { Metrics } from '../observe/metrics.js';
import { withTimeout } from '../runtime/with-timeout.js';
import type { Queryable } from '../store/connection/database.js';
import { healthFacts } from '../store/queries/status.js';

/** Max time to read the head from the database for a scrape, ms. */
const HEAD_MS = 1_000;
/** Max age of a head that is shown again, ms. */
const KEPT_MS = 60_000;

interface Head {
  height: number | undefined;
  /** Age of the head when it was read, ms, and when that was. */
  age: number | undefined;
  readAt: number;
}

interface HeadGaugesDeps {
  db: Queryable;
  metrics: Pick<Metrics, 'databaseHeight' | 'lagSeconds'>;
  /** Whether statements wait for a connection to the database. */
  isExhausted: () => boolean;
  /** Milliseconds of a monotonic clock. */
  now: () => number;
}

/**
 * Returns a function that sets the gauges about the head for a scrape, or removes them while the database cannot be read. A scrape must
 * show that there is no connection left, so it does not wait for one: it shows the head that was read before, for a minute.
 */
export function headGauges({ db, metrics, isExhausted, now }: HeadGaugesDeps): () => Promise<void> {
  let last: Head | undefined;
  let reading: Promise<Head | undefined> | undefined;

  const read = async (): Promise<Head | undefined> => {
    const { head, row } = await healthFacts(db);
    return { height: head?.height, age: row?.age == null ? undefined : Number(row.age), readAt: now() };
  };
  /** One question at a time: those of earlier scrapes may still wait for a connection. */
  const begin = (): Promise<Head | undefined> =>
    (reading ??= read()
      .catch(() => undefined)
      .then((head) => {
        reading = undefined;
        return (last = head);
      }));

  return async () => {
    const mayWait = !isExhausted();
    const answer = begin();
    const head = mayWait ? await withTimeout(HEAD_MS, answer) : last;
    const { height, age, readAt = 0 } = head ?? {};
    const since = now() - readAt;
    const isKnown = since <= KEPT_MS;
    if (height === undefined || !isKnown) metrics.databaseHeight.remove();
    else metrics.databaseHeight.set(height);
    if (age === undefined || !isKnown) metrics.lagSeconds.remove();
    else metrics.lagSeconds.set((age + since) / 1000);
  };
}
