import type { RenderPayload } from './compat.js';

/** Max payloads and characters of events that are kept, and for how long, ms: an endpoint may answer more about them later. */
const MAX_KEPT = 1_000;
const MAX_CHARACTERS = 4 * 2 ** 20;
const MAX_AGE_MS = 5_000;

/**
 * Renders each payload once for all clients that want it at about the same time. After a restart of a server all its clients catch up with the
 * same events, and a payload costs a query.
 */
export function sharePayloads(render: RenderPayload): RenderPayload {
  const kept = new Map<string, { made: Promise<string>; at: number }>();
  let characters = 0;

  function drop(key: string): void {
    if (kept.delete(key)) characters -= key.length;
  }

  return (channel, text, form) => {
    const key = `${form} ${channel} ${text}`;
    const now = performance.now();
    const known = kept.get(key);
    if (known !== undefined && now - known.at < MAX_AGE_MS) return known.made;
    drop(key);
    const made = render(channel, text, form);
    kept.set(key, { made, at: now });
    characters += key.length;
    for (const oldest of kept.keys()) {
      if (kept.size <= MAX_KEPT && characters <= MAX_CHARACTERS) break;
      drop(oldest);
    }
    return made;
  };
}
