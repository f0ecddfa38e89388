/** Default ports of a server. */
export const PORT = { http: 8080, websocket: 3020, metrics: 9090 } as const;
