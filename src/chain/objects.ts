/** Which objects a transaction concerns. Subscribers of these objects receive it. */
import { derive } from './derive.js';
import type { Transaction } from './facts.js';
import type { Json } from './encoding/json.js';
import { isIdText } from './operations.js';

/**
 * Returns every identifier in the envelope, the transaction and the transactions that it wraps, and the ids of what it creates (contract,
 * oracle, name, channel, oracle query). An identifier counts only if it is a whole text, not a part of a longer text.
 */
export function objectIds(transaction: Transaction): Set<string> {
  const ids = new Set<string>();
  collect(JSON.parse(transaction.body) as Json, ids);
  for (const operation of derive(transaction).operations) {
    ids.add(operation.on === 'name' ? operation.name_hash : operation.id);
  }
  return ids;
}

function collect(value: Json, into: Set<string>): void {
  if (isIdText(value)) into.add(value);
  else if (Array.isArray(value)) value.forEach((each) => collect(each, into));
  else if (typeof value === 'object' && value !== null) Object.values(value).forEach((each) => collect(each, into));
}
