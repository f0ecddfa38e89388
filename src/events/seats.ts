export interface SeatLimits {
  /** Max connections; 0 for no limit. */
  readonly websocketMaxConnections: number;
  /** Max connections from one address; 0 for no limit. */
  readonly websocketMaxPerAddress: number;
}

/** The limit that a new connection would exceed. */
export type FullSeats = 'connections' | 'address';

/** Counts the connections of clients, here or in another process. */
export interface Seats {
  /** Takes a seat for a client of this address; undefined if it has one now. */
  take(address: string): FullSeats | undefined | Promise<FullSeats | undefined>;
  /** Gives one back. */
  leave(address: string): void;
}

interface LocalSeats extends Seats {
  take(address: string): FullSeats | undefined;
}

export function createSeats({
  websocketMaxConnections: max,
  websocketMaxPerAddress: maxOfOne,
}: SeatLimits): LocalSeats {
  const perAddress = new Map<string, number>();
  let all = 0;
  return {
    take(address) {
      const ofOne = perAddress.get(address) ?? 0;
      if (max > 0 && all >= max) return 'connections';
      if (maxOfOne > 0 && ofOne >= maxOfOne) return 'address';
      all += 1;
      perAddress.set(address, ofOne + 1);
      return undefined;
    },
    leave(address) {
      const others = (perAddress.get(address) ?? 1) - 1;
      all -= 1;
      if (others === 0) perAddress.delete(address);
      else perAddress.set(address, others);
    },
  };
}
