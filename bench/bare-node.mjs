/** What node:http does alone with an answer of the size and the headers of a key block. */
import { createServer } from 'node:http';

const body = Buffer.from(JSON.stringify({ filler: 'x'.repeat(740) }));
const headers = ['content-length', String(body.length), 'server', 'Cowboy', 'content-type', 'application/json'];
const server = createServer((request, response) => {
  response.writeHead(200, headers).end(body);
}).listen(0, '127.0.0.1', () => process.send(server.address().port));
