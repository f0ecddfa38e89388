/** Ports of a server unless the settings name others. */
export const PORT = { http: 8080, websocket: 3020, metrics: 9090 } as const;
