/**
 * Sends GET requests over kept connections, one at a time on each, from a process of its own, and costs the machine little:
 * requests are made beforehand, and of an answer only status and length are read. Messages: `paths` is what is asked for in turn
 * under a name; `fire` sends such requests for a time, going on where the last time of that name ended.
 */
import { connect } from 'node:net';

const series = new Map();

process.on('message', (message) => {
  if (message.paths !== undefined) {
    const requests = message.paths.map((path) => Buffer.from(`GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`));
    series.set(message.name, { name: message.name, requests, next: 0 });
  } else void fire(message.fire).then((figures) => process.send(figures));
});

async function fire({ name, port, connections, ms }) {
  const took = [];
  const end = performance.now() + ms;
  const began = performance.now();
  await Promise.all(Array.from({ length: connections }, () => one(series.get(name), port, end, took)));
  const seconds = (performance.now() - began) / 1000;
  took.sort((a, b) => a - b);
  const at = (part) => took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? 0;
  return { count: took.length, rate: took.length / seconds, p50: at(0.5), p99: at(0.99) };
}

/** Asks over one connection until `end`. */
const one = (asked, port, end, took) =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    let sent = 0;
    /** Bytes of the answer that are still to come; before its head is complete, what there is of it. */
    let left = -1;
    let head = '';
    const ask = () => {
      sent = performance.now();
      socket.write(asked.requests[asked.next]);
      asked.next = (asked.next + 1) % asked.requests.length;
    };
    const done = () => {
      const now = performance.now();
      took.push(now - sent);
      left = -1;
      if (now < end) ask();
      else socket.end(resolve);
    };
    socket.on('connect', ask);
    socket.on('error', reject);
    socket.on('close', () => reject(new Error('The server closed a connection')));
    socket.on('data', (chunk) => {
      if (left >= 0) {
        left -= chunk.length;
        if (left === 0) done();
        return;
      }
      const before = head.length;
      // Heads have less than 2 kB.
      head += chunk.latin1Slice(0, Math.min(chunk.length, 2048));
      const stop = head.indexOf('\r\n\r\n');
      if (stop < 0) return;
      const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
      if (!head.startsWith('HTTP/1.1 200') || length === undefined) {
        reject(new Error(`Unexpected answer in ${asked.name}: ${head.slice(0, stop)}`));
        socket.destroy();
        return;
      }
      left = stop + 4 + Number(length) - before - chunk.length;
      head = '';
      if (left === 0) done();
    });
  });
