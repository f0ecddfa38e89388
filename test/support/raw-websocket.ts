/** Handwritten websockets: they read and answer only what the test does. */
import { once } from 'node:events';
import { connect } from 'node:net';
import type { Socket } from 'node:net';

export const HANDSHAKE =
  'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n';

const FINAL_TEXT = 0x81;

/** Opens a websocket that never reads, and sends these messages. */
export async function deafClient(url: string, ...messages: object[]): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.write(HANDSHAKE);
  await once(socket, 'data');
  socket.pause();
  for (const message of messages) socket.write(maskedText(JSON.stringify(message)));
  return socket;
}

export const maskedText = (text: string): Buffer => maskedFrame(FINAL_TEXT, Buffer.from(text));

/** A frame with a zero mask. `claimed`: the length in its header. */
export function maskedFrame(first: number, body: Buffer, claimed = body.length): Buffer {
  const head = Buffer.alloc(14);
  head[0] = first;
  let length = 2;
  if (claimed < 126) head[1] = 0x80 | claimed;
  else if (claimed < 65_536) {
    head[1] = 0x80 | 126;
    length = head.writeUInt16BE(claimed, 2);
  } else {
    head[1] = 0x80 | 127;
    length = head.writeBigUInt64BE(BigInt(claimed), 2);
  }
  return Buffer.concat([head.subarray(0, length + 4), body]);
}
