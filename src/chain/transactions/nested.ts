import { isObject } from '../encoding/json.js';
import type { Json, JsonObject } from '../encoding/json.js';

/** A transaction and those that it wraps, the outermost first. `tx`: the inner object of an envelope. */
export function* nestedTransactions(tx: Json | undefined): Generator<JsonObject> {
  for (let inner = tx; isObject(inner);) {
    yield inner;
    const envelope: Json | undefined = inner['tx'];
    inner = isObject(envelope) ? envelope['tx'] : undefined;
  }
}
