/** Default ports of a server. */
export const PORT = { http: 8080, websocket: 3020, metrics: 9090 } as const;

/**
 * Max connections that wait to be accepted; the kernel may allow fewer (`net.core.somaxconn`). It drops those above, and clients try again
 * only after seconds. All clients of websockets connect again at once when a server is replaced.
 */
export const BACKLOG = 4096;
