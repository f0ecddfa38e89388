import { clientOf } from '../runtime/client-of.js';

export interface ConnectionLimits {
  /** Max connections; 0: no limit. */
  readonly websocketMaxConnections: number;
  /** Max connections from one address (`clientOf`); 0: no limit. */
  readonly websocketMaxPerAddress: number;
}

/** The limit that a new connection would exceed. */
export type ExceededLimit = 'connections' | 'address';

/** Counts the connections of clients against the limits, in this process or in another one. */
export interface ConnectionCounter {
  /** Counts a new connection from this address. Returns the exceeded limit and does not count it if there is no room. */
  add(address: string): ExceededLimit | undefined | Promise<ExceededLimit | undefined>;
  /** To be called once for each counted connection, when it ends. */
  remove(address: string): void;
}

interface LocalConnectionCounter extends ConnectionCounter {
  add(address: string): ExceededLimit | undefined;
}

export function createConnectionCounter({
  websocketMaxConnections: max,
  websocketMaxPerAddress: maxPerAddress,
}: ConnectionLimits): LocalConnectionCounter {
  const perAddress = new Map<string, number>();
  let total = 0;
  return {
    add(address) {
      const client = clientOf(address);
      const count = perAddress.get(client) ?? 0;
      if (max > 0 && total >= max) return 'connections';
      if (maxPerAddress > 0 && count >= maxPerAddress) return 'address';
      total += 1;
      perAddress.set(client, count + 1);
      return undefined;
    },
    remove(address) {
      const client = clientOf(address);
      const others = (perAddress.get(client) ?? 1) - 1;
      total -= 1;
      if (others === 0) perAddress.delete(client);
      else perAddress.set(client, others);
    },
  };
}
