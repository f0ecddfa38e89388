/**
 * Hostile clients of a server, in a process of their own. Those that read come again when their connection is closed; the others do not
 * notice it. Arguments: ports of HTTP and of websockets, a path with a large export, a word for only those kinds that have it. Sends what
 * the kinds did so far, when it is asked.
 */
import { connect } from 'node:net';

const [http, websocket, large, only = ''] = process.argv.slice(2);
/** By kind: connections that were opened, and bytes that were sent. */
const done = {};

const get = (path, headers = '') => `GET ${path} HTTP/1.1\r\nhost: x\r\n${headers}\r\n`;
const HANDSHAKE = get(
  '/',
  'upgrade: websocket\r\nconnection: upgrade\r\nsec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n',
);
const frame = (text) => {
  const body = Buffer.from(text);
  return Buffer.concat([Buffer.from([0x81, 0x80 | body.length, 0, 0, 0, 0]), body]);
};
const FROM_0 = frame('{"op":"subscribe","payload":"transactions","from":0}');
/** Time after which a client whose connection was closed comes again, ms. */
const PAUSE_MS = 500;

/** Keeps `count` connections open. `act` may return a function that is called each 50 ms. */
function keep(kind, count, port, act, reads = false) {
  if (!kind.includes(only)) return;
  done[kind] = { opened: 0, sent: 0 };
  const open = () => {
    // Of another address than the honest client.
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: '127.0.0.2' });
    if (reads) socket.resume();
    else socket.pause();
    const send = (bytes) => {
      done[kind].sent += bytes.length;
      // Only what the server takes: its memory is measured, not that of this process.
      return socket.writableLength < 2_000_000 && socket.write(bytes);
    };
    let timer;
    socket.once('connect', () => {
      done[kind].opened += 1;
      const again = act(send);
      if (again !== undefined) timer = setInterval(again, 50);
    });
    socket.on('error', () => undefined);
    socket.once('close', () => {
      clearInterval(timer);
      setTimeout(open, PAUSE_MS);
    });
  };
  for (let i = 0; i < count; i += 1) setTimeout(open, i * 5);
}

const repeated = (paths) => Array.from({ length: 500 }, (_, i) => get(paths[i % paths.length])).join('');
const documents = repeated([
  '/openapi.json',
  '/docs/swagger-ui-bundle.js',
  '/',
  '/explorer/main.js',
  '/middleware/api',
]);
const others = repeated([
  `${large}?limit=1000`,
  '/middleware/names?limit=1000',
  '/v2/key-blocks/height/1',
  '/v3/status',
  '/middleware/count/current',
]);
const body = 'x'.repeat(999_999);
const post = (path) =>
  `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: 1000000\r\n\r\n`;

const sendOnce = (text) => (send) => void send(text);
/** Asks from 0 each 50 ms. */
const askAgain = (send) => {
  send(HANDSHAKE);
  return () => send(FROM_0);
};
const sendSlowly = (send) => {
  const bytes = get('/v3/status', `x: ${'y'.repeat(15_000)}\r\n`);
  let at = 0;
  let turn = 0;
  // A byte each second.
  return () => void (turn++ % 20 === 0 && send(bytes[at++ % bytes.length]));
};

keep('500 requests for documents on a connection, nothing read', 50, http, sendOnce(documents));
keep('500 other requests on a connection, nothing read', 50, http, sendOnce(others));
keep('websockets that ask from 0 each 50 ms, and read', 100, websocket, askAgain, true);
keep('websockets that ask from 0 each 50 ms, and do not read', 100, websocket, askAgain);
keep(
  'websockets that ask from 0 once, and do not read',
  200,
  websocket,
  sendOnce(Buffer.concat([Buffer.from(HANDSHAKE), FROM_0])),
);
keep('event streams from 0, not read', 50, http, sendOnce(get('/middleware/events?subscriptions=transactions&from=0')));
keep(
  'unfinished bodies of 1 MB to verify a contract',
  350,
  http,
  sendOnce(post('/middleware/contracts/verify') + body),
);
keep('unfinished bodies of 1 MB to forward', 350, http, sendOnce(post('/v3/transactions') + body));
keep('headers of a byte a second', 500, http, sendSlowly);
keep('exports, not read', 100, http, sendOnce(get(large, 'accept: text/csv\r\n')));
keep('garbage behind a request', 20, http, sendOnce(get(large, 'accept: text/csv\r\n') + 'garbage\r\n\r\n'));

process.on('message', () => process.send(done));
process.send({});
