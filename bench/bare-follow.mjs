/** Nothing but what following a chain cannot do without: asks for the head of a node and stores a row when it is another one. */
import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { request } from 'undici';

const [node, database, interval] = process.argv.slice(2);
const client = new pg.Client({ connectionString: database });
await client.connect();
await client.query('CREATE TABLE IF NOT EXISTS bare_heads (hash text PRIMARY KEY, body text NOT NULL)');
let known;
for (;;) {
  const { body } = await request(`${node}/v3/headers/top`);
  const text = await body.text();
  const { hash } = JSON.parse(text);
  if (hash !== known) {
    await client.query('INSERT INTO bare_heads VALUES ($1, $2) ON CONFLICT DO NOTHING', [hash, text]);
    known = hash;
    process.send({ hash, at: performance.timeOrigin + performance.now() });
  }
  await pause(Number(interval));
}
