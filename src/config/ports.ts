/** Default ports of a server; `compat` only where that is asked for. */
export const PORT = { http: 8080, websocket: 3020, metrics: 9090, compat: 4000 } as const;
