// Runs in the network of the real node. Each connection to the socket names an address in its first line.
import { connect, createServer } from 'node:net';

createServer((client) => {
  client.on('error', () => undefined);
  client.once('data', (head) => {
    client.pause();
    const end = head.indexOf('\n');
    const [host, port] = head.subarray(0, end).toString().split(' ');
    const server = connect(Number(port), host);
    server.on('error', () => client.destroy());
    server.on('close', () => client.destroySoon());
    client.on('close', () => server.destroy());
    server.write(head.subarray(end + 1));
    client.pipe(server).pipe(client);
  });
}).listen(process.argv[2], () => process.stdout.write('listening\n'));
