import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../observe/backoff.js';
import type { Logger } from '../observe/logger.js';
import type { Queryable } from '../store/database.js';
import { factsAfter, loadRollback } from '../store/queries/events.js';
import type { EventRow, Told } from '../store/queries/events.js';
import { chainEvent } from './chain-event.js';
import type { ChainEvent } from './chain-event.js';
import { rewind, subscriptionsOf } from './client.js';
import type { Client, Reason, Replay, Subscription } from './client.js';
import { concerned } from './client-index.js';
import type { Feed } from './feed.js';
import { renderFrame } from './frames.js';
import { createGate } from './gate.js';

export interface CatchUpDeps {
  db: Queryable;
  feed: Feed;
  logger: Logger;
  send: (client: Client, frame: Buffer) => void;
  close: (client: Client, reason: Reason) => void;
}

const BATCH = 200;
/** Nothing more is read for a client while that much waits to leave, bytes. */
const ENOUGH = 256 * 1024;
/** How many clients may read from the database at a time. */
const READERS = 2;
const WAIT_MS = 20;
/** While the first load runs, new blocks are looked for that often. */
const LOADING_MS = 500;
const LONGEST_PAUSE_MS = 2_000;

/**
 * Gives the function that tells a client what it missed, at the pace at which it reads, until it is at the end of the log
 * and live. The client is told each event at most once for each of its subscriptions, in the order of the chain.
 */
export function createCatchUp({ db, feed, logger, send, close }: CatchUpDeps): (client: Client) => Promise<void> {
  const gate = createGate(READERS);
  const busy = new WeakSet<Client>();

  return async function catchUp(client) {
    if (busy.has(client)) return;
    busy.add(client);
    let failures = 0;
    while (!client.closed && !client.live) {
      try {
        if (client.transport.backlog() > ENOUGH) await pause(WAIT_MS);
        else if (client.replays[0] !== undefined) await replayOn(client, client.replays[0]);
        else await readOn(client);
        failures = 0;
      } catch (error) {
        logger.debug({ err: error }, 'Cannot read what a client missed, will try again');
        await pause(backoffMs(failures++, 50, LONGEST_PAUSE_MS));
      }
    }
    busy.delete(client);
  };

  async function readOn(client: Client): Promise<void> {
    const position = feed.position();
    if (client.seq >= position) {
      const ahead = [...subscriptionsOf(client)].some(({ after }) => after > position);
      // Another server was faster: what the client knows already is not told again.
      if (!ahead) client.live = true;
      else await feed.looked().then(() => pause(WAIT_MS));
      return;
    }
    const from = client.seq;
    const events = await gate(() => feed.readAfter(from, BATCH));
    // Meanwhile a message may have sent the client back.
    if (client.closed || client.seq !== from || client.replays.length > 0) return;
    if (events === undefined || events.length === 0) return close(client, 'lost');
    for (const event of events) {
      if (event.seq > feed.position() || client.closed) return;
      if (event.announced) tell(client, event, ({ after }) => after < event.seq);
      client.seq = event.seq;
    }
  }

  async function replayOn(client: Client, replay: Replay): Promise<void> {
    const present = new Set(subscriptionsOf(client));
    const wanted = [...replay.subscriptions].filter((one) => present.has(one));
    if (wanted.length === 0) return endReplay(client, replay, feed.position());
    const facts = await gate(() => factsAfter(db, replay.told, kindsOf(wanted, replay), BATCH));
    if (client.closed) return;
    if (facts.takenBack !== null) {
      const { seq, announced } = facts.takenBack;
      // The log goes on from there: what came in the place of the blocks taken back is told by it.
      return announced ? endReplay(client, replay, seq - 1) : takeBack(client, replay, seq);
    }
    for (const row of facts.rows) {
      const moved = row.kind === 'transaction' && replay.removed.has(row.hash);
      tell(client, chainEvent(moved ? { ...row, kind: 'tx_update' } : row), (one) => replay.subscriptions.has(one));
      replay.told = toldWith(replay.told, row);
    }
    replay.told = { ...replay.told, seq: facts.head };
    if (facts.rows.length === BATCH) return;
    if (facts.live) endReplay(client, replay, facts.head);
    else await pause(LOADING_MS);
  }

  /** A fork of the first load: what took the place of the removed blocks is not in the log, but stored. */
  async function takeBack(client: Client, replay: Replay, seq: number): Promise<void> {
    const { rollback, left } = await gate(() => loadRollback(db, seq, replay.told.transaction));
    if (client.closed) return;
    for (const row of [rollback, ...left]) {
      tell(client, chainEvent(row, rollback.hash), (one) => replay.subscriptions.has(one));
      if (row !== rollback) replay.removed.add(row.hash);
    }
    const last = rollback.position - 1n;
    replay.told = { block: last, transaction: rollback.position, place: last, seq: left.at(-1)?.seq ?? seq };
  }

  function endReplay(client: Client, replay: Replay, seq: number): void {
    client.replays.splice(client.replays.indexOf(replay), 1);
    rewind(client, seq, feed.position());
    for (const subscription of replay.subscriptions) subscription.after = seq;
  }

  function tell(client: Client, event: ChainEvent, counts: (one: Subscription) => boolean): void {
    for (const { name } of concerned(client, event, counts)) send(client, renderFrame(event, name, client.style));
  }
}

const kindsOf = (subscriptions: readonly Subscription[], { removed }: Replay): Parameters<typeof factsAfter>[2] => {
  const kinds = new Set(subscriptions.map(({ kind }) => kind));
  return {
    keyBlocks: kinds.has('key_blocks'),
    microBlocks: kinds.has('micro_blocks'),
    transactions: kinds.has('transactions') || kinds.has('object') || (kinds.has('tx_update') && removed.size > 0),
  };
};

function toldWith(told: Told, { kind, position }: EventRow): Told {
  return kind === 'transaction'
    ? { ...told, transaction: position + 1n, place: position }
    : { ...told, block: position, transaction: position, place: position };
}
