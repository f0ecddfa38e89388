/** What a server of nothing but the websocket library does: the same message to everybody, again and again. */
import { setImmediate as breathe } from 'node:timers/promises';
import { WebSocketServer } from 'ws';

const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
server.on('listening', () => process.send({ port: server.address().port }));

process.on('message', async ({ frame, times }) => {
  for (let i = 0; i < times; i++) {
    for (const client of server.clients) client.send(frame);
    await breathe();
  }
});
