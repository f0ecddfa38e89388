/** Many websocket clients in a process of their own, which messages control. */
import { connect } from 'node:net';
import { WebSocket } from 'ws';

const sockets = [];
let received = 0;
let wanted = Infinity;
let delays = [];

const now = () => performance.timeOrigin + performance.now();

function arrived(data) {
  if (data[2] !== 115 /* {"s…: an event, not a reply */) return;
  received += 1;
  const mark = data.lastIndexOf('"sent":');
  if (mark >= 0) delays.push(now() - Number.parseFloat(data.subarray(mark + 7, mark + 24).toString()));
  if (received !== wanted) return;
  process.send({ done: received, at: now(), delays });
  delays = [];
}

/** Opens connections, `width` at a time, and waits for as many replies as messages. */
async function open({ url, count, messages }, width = 200) {
  let next = 0;
  const one = (i) =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(url, { perMessageDeflate: false, skipUTF8Validation: true });
      sockets.push(socket);
      const own = messages?.[i % messages.length] ?? [];
      let replies = own.length;
      socket.on('open', () => {
        for (const message of own) socket.send(message);
        if (replies === 0) resolve();
      });
      socket.on('message', (data) => {
        if (replies > 0 && --replies === 0) resolve();
        else arrived(data);
      });
      socket.on('error', reject);
    });
  const work = async () => {
    while (next < count) await one(next++);
  };
  await Promise.all(Array.from({ length: width }, work));
}

/** Connections that subscribe and never read again. */
async function openDeaf({ url, count, message }) {
  const { hostname, port } = new URL(url);
  const body = Buffer.from(message);
  const frame = Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
  for (let i = 0; i < count; i++) {
    const socket = connect(Number(port), hostname);
    sockets.push(socket);
    socket.on('error', () => undefined);
    socket.write(
      'GET / HTTP/1.1\r\nHost: bench\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
        'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n',
    );
    await new Promise((resolve) => socket.once('data', resolve));
    socket.pause();
    socket.write(frame);
  }
}

process.on('message', async (command) => {
  if (command.open !== undefined) await open(command.open);
  if (command.deaf !== undefined) await openDeaf(command.deaf);
  if (command.expect !== undefined) {
    received = 0;
    wanted = command.expect;
  }
  if (command.close) for (const socket of sockets.splice(0)) (socket.terminate ?? socket.destroy).call(socket);
  process.send({ ok: true });
});
