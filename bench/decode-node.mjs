/** A node that knows the outcome of every call at once: the same for each of them. */
import { createServer } from 'node:net';

const answerOf = (body) =>
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
const [info, status] = process.argv.slice(2).map(answerOf);
const server = createServer((socket) => {
  socket.setNoDelay(true);
  socket.on('error', () => socket.destroy());
  // Requests have no body, and the client sends the next one after the answer.
  socket.on('data', (chunk) => {
    const request = chunk.toString('latin1');
    if (request.endsWith('\r\n\r\n')) socket.write(request.includes('/status ') ? status : info);
  });
}).listen(0, '127.0.0.1', () => process.send(server.address().port));
