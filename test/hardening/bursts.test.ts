import { expect } from 'chai';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fakeNode } from '../support/api.js';
import type { FakeNode } from '../support/api.js';
import { createWorld, startEventServer } from '../support/events.js';
import type { EventServer, World } from '../support/events.js';

const COUNT = 1_500;
/** Prints how many of so many connections to a port are made. Those that the kernel drops are tried again after 1 s, 3 s, 7 s. */
const CONNECT = `
  const { connect } = require('node:net');
  let made = 0;
  const end = () => { process.stdout.write(String(made)); process.exit(); };
  for (let i = 0; i < ${COUNT}; i++) {
    connect(Number(process.argv[1]), '127.0.0.1').on('error', () => undefined).once('connect', () => ++made === ${COUNT} && end());
  }
  setTimeout(end, 5_000);
`;

describe('connections that come faster than they are accepted', () => {
  let world: World;
  let node: FakeNode;
  let events: EventServer;

  before(async function () {
    // Max that the kernel allows.
    if (Number(readFileSync('/proc/sys/net/core/somaxconn', 'utf8')) < COUNT) this.skip();
    world = await createWorld({ seed: 'bursts', generations: 2 });
    node = await fakeNode((_, response) => response.end());
    events = await startEventServer(world.databaseUrl, node.url);
  });
  after(async () => {
    await events.close();
    await world.close();
    await node.close();
  });

  for (const which of ['http', 'ws'] as const)
    it(`wait, and are not dropped, at the address of ${which}`, () => {
      // This process accepts none meanwhile.
      const made = execFileSync(process.execPath, ['-e', CONNECT, new URL(events[which]).port], { encoding: 'utf8' });
      expect(Number(made)).to.equal(COUNT);
    });
});
