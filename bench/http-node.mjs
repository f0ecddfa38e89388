/** A node that answers everything at once, for what is forwarded. */
import { createServer } from 'node:http';

const body = JSON.stringify({
  network_id: 'ae_bench',
  genesis_key_block_hash: `kh_${'1'.repeat(50)}`,
  filler: 'x'.repeat(300),
});
const server = createServer((request, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
}).listen(0, '127.0.0.1', () => process.send(server.address().port));
