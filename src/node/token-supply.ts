/** Asks the internal interface of a node where all coins are. */
import { serviceAddress } from './address.js';
import { createConnections, exchange } from './exchange.js';

/** The node reads all accounts for an answer, ms. */
const PATIENCE_MS = 600_000;
const MAX_BYTES = 65_536;

/** The answer after the key block of a height; undefined if the node refuses it, as where this interface is off. */
export async function tokenSupply(
  url: string,
  height: number,
  { caFile, signal }: { caFile: string | undefined; signal: AbortSignal },
): Promise<string | undefined> {
  const address = serviceAddress(url);
  const connections = createConnections(address.url, 1, caFile);
  try {
    const { status, text } = await exchange(connections, `/v3/debug/token-supply/height/${height}`, {
      ...(address.authorization !== undefined && { headers: { authorization: address.authorization } }),
      ...{ idleMs: PATIENCE_MS, deadlineMs: PATIENCE_MS, maxBytes: MAX_BYTES, signal },
    });
    return status === 200 ? text : undefined;
  } finally {
    connections.close();
  }
}
