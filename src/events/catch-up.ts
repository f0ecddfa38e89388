import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../runtime/backoff.js';
import { createSlices } from '../runtime/slices.js';
import { createTurns } from '../runtime/turns.js';
import type { Turns } from '../runtime/turns.js';
import type { Logger } from '../observe/logger.js';
import type { Queryable } from '../store/connection/database.js';
import { endBelowGaps } from '../store/announced.js';
import { factsAfter, loadRollback } from '../store/queries/events.js';
import type { EventRow, StoredPoint } from '../store/queries/events.js';
import { chainEvent } from './chain-event.js';
import type { ChainEvent } from './chain-event.js';
import { rewind, subscriptionsOf } from './client.js';
import type { Client, Reason, Replay, Subscription } from './client.js';
import { matchingSubscriptions } from './client-index.js';
import type { Feed } from './feed.js';
import { renderFrame } from './frames.js';

interface CatchUpDeps {
  db: Queryable;
  feed: Feed;
  logger: Logger;
  send: (client: Client, frame: Buffer) => void;
  close: (client: Client, reason: Reason) => void;
}

const BATCH = 200;
/** Events in memory that are sent to a client in a slice, and slices in a turn of the event loop for all clients. */
const SLICE_EVENTS = 20;
const SLICES = 10;
/** Max backlog of a client for which more events are read, bytes. */
const MAX_BACKLOG = 256 * 1024;
/** The same for all clients that catch up, bytes. Above it, clients that do not read are closed. */
const MAX_ALL_BACKLOG = 64 * 1024 * 1024;
/** Max clients for which the stored chain is read at a time, and for which the log is. */
const MAX_READERS = 2;
const WAIT_MS = 20;
/** Max pause between two looks at a client that does not read, ms. */
const MAX_WAIT_MS = 1_000;
/** Max time in which a client reads nothing although much waits for it, ms. */
const MAX_STALL_MS = 60_000;
/** The same while too much waits for all clients, ms. */
const MAX_STALL_FULL_MS = 5_000;
/** Pause between two reads of new blocks during the first load, ms. */
const LOADING_MS = 500;
const MAX_PAUSE_MS = 2_000;

/**
 * Makes the function that sends a client the events that it missed, as fast as the client reads them. It ends when the
 * client has reached the end of the log, and is live from then on. Each subscription gets each event at most once, in the
 * order of the chain.
 */
export function createCatchUp({ db, feed, logger, send, close }: CatchUpDeps): (client: Client) => Promise<void> {
  // Apart, because the log is short: a client that resumes does not wait for those that begin far back.
  const chainReaders = createTurns(MAX_READERS);
  const logReaders = createTurns(MAX_READERS);
  const nextSlice = createSlices(SLICES);
  const busy = new Set<Client>();
  let allBacklog = { bytes: 0, at: -Infinity };

  return async function catchUp(client) {
    if (busy.has(client)) return;
    busy.add(client);
    let failures = 0;
    while (!client.closed && !client.live) {
      try {
        await nextSlice(client.address);
        if (client.transport.backlog() > MAX_BACKLOG) await untilRead(client);
        else if (client.replays[0] !== undefined) await sendFromChain(client, client.replays[0]);
        else await sendFromLog(client);
        failures = 0;
      } catch (error) {
        logger.debug({ err: error }, 'Could not read the missed events of a client, will retry');
        await pause(backoffMs(failures++, 50, MAX_PAUSE_MS));
      }
    }
    busy.delete(client);
  };

  async function asReader<T>(readers: Turns, client: Client, read: () => Promise<T>): Promise<T> {
    const leave = await readers.enter(client.address);
    try {
      return await read();
    } finally {
      leave();
    }
  }

  /** Bytes that wait for all clients that catch up. */
  function backlogOfAll(): number {
    const now = performance.now();
    if (now - allBacklog.at > MAX_WAIT_MS / 4) {
      let bytes = 0;
      for (const { transport } of busy) bytes += transport.backlog();
      allBacklog = { bytes, at: now };
    }
    return allBacklog.bytes;
  }

  /** Waits until a client has read what waits for it. Closes it if it reads nothing. */
  async function untilRead(client: Client): Promise<void> {
    const { transport } = client;
    let backlog = transport.backlog();
    let since = performance.now();
    for (let waits = 0; !client.closed && transport.backlog() > MAX_BACKLOG; waits++) {
      await pause(backoffMs(waits, WAIT_MS, MAX_WAIT_MS));
      if (transport.backlog() < backlog) {
        backlog = transport.backlog();
        since = performance.now();
        waits = 0;
      }
      const limit = backlogOfAll() > MAX_ALL_BACKLOG ? MAX_STALL_FULL_MS : MAX_STALL_MS;
      if (performance.now() - since > limit) close(client, 'slow');
    }
  }

  /** Sends the next batch of the event log. At its end, the client becomes live. */
  async function sendFromLog(client: Client): Promise<void> {
    const position = feed.position();
    if (client.seq >= position) {
      const isAhead = [...subscriptionsOf(client)].some(({ after }) => after > position);
      // If another server was faster, the client already has the next events. It must not get them again, so it waits.
      if (!isAhead) client.live = true;
      else await feed.nextRead().then(() => pause(WAIT_MS));
      return;
    }
    const { seq: from, mark } = client;
    const events =
      feed.recentAfter(from, SLICE_EVENTS) ??
      (await asReader(logReaders, client, () => feed.readAfter({ seq: from, mark }, BATCH)));
    // Meanwhile a message of the client may have rewound it.
    if (client.closed || client.seq !== from || client.replays.length > 0) return;
    if (events === undefined || events.length === 0) return close(client, 'lost');
    for (const event of events) {
      if (event.seq > feed.position() || client.closed) return;
      if (event.announced) publish(client, event, ({ after }) => after < event.seq);
      client.seq = event.seq;
      client.mark = event.mark;
      if (client.transport.backlog() > MAX_BACKLOG) return;
    }
  }

  /** Sends the next batch of the stored chain as events. At the head, the client continues with the event log. */
  async function sendFromChain(client: Client, replay: Replay): Promise<void> {
    const present = new Set(subscriptionsOf(client));
    const wanted = [...replay.subscriptions].filter((one) => present.has(one));
    if (wanted.length === 0) return endReplay(client, replay, feed.position());
    const facts = await asReader(chainReaders, client, () =>
      factsAfter(db, replay.sent, kindsOf(wanted, replay), BATCH, replay.end),
    );
    // Meanwhile a message of the client may have replaced the replay.
    if (client.closed || !client.replays.includes(replay)) return;
    if (facts.takenBack !== null) {
      const { seq, announced } = facts.takenBack;
      // If the rollback was announced, the log has it and the blocks after it, so the client continues there.
      return announced ? endReplay(client, replay, seq - 1) : sendRollback(client, replay, seq);
    }
    if (facts.live && !facts.hasAnnounced && replay.end === undefined) {
      // Blocks above a gap are published by the log when the gap is filled. Below it, nothing changes while the log is empty.
      replay.end = await asReader(chainReaders, client, () => endBelowGaps(db));
      return;
    }
    // The rows are of the state with this head.
    replay.sent = { ...replay.sent, seq: facts.head };
    for (const row of facts.rows) {
      const moved = row.kind === 'transaction' && replay.removed.has(row.hash);
      publish(client, chainEvent(moved ? { ...row, kind: 'tx_update' } : row), (one) => replay.subscriptions.has(one));
      replay.sent = sentWith(replay.sent, row);
      if (client.transport.backlog() > MAX_BACKLOG) return;
    }
    if (facts.rows.length === BATCH) return;
    if (facts.live && !facts.waits) endReplay(client, replay, facts.head);
    else await pause(LOADING_MS);
  }

  /**
   * Sends a rollback of the first load. The blocks that replaced the removed ones are stored but not in the log, so the
   * replay continues after it.
   */
  async function sendRollback(client: Client, replay: Replay, seq: number): Promise<void> {
    const { rollback, left } = await asReader(chainReaders, client, () =>
      loadRollback(db, seq, replay.sent.transaction),
    );
    if (client.closed || !client.replays.includes(replay)) return;
    for (const row of [rollback, ...left]) {
      publish(client, chainEvent(row, rollback.hash), (one) => replay.subscriptions.has(one));
      if (row !== rollback) replay.removed.add(row.hash);
    }
    const last = rollback.position - 1n;
    replay.sent = {
      block: last,
      transaction: rollback.position,
      logs: rollback.position,
      position: last,
      seq: left.at(-1)?.seq ?? seq,
    };
  }

  function endReplay(client: Client, replay: Replay, seq: number): void {
    client.replays.splice(client.replays.indexOf(replay), 1);
    rewind(client, seq, feed.position());
    for (const subscription of replay.subscriptions) subscription.after = seq;
  }

  function publish(client: Client, event: ChainEvent, needs: (one: Subscription) => boolean): void {
    for (const { name } of matchingSubscriptions(client, event, needs))
      send(client, renderFrame(event, name, client.style));
  }
}

const kindsOf = (subscriptions: readonly Subscription[], { removed }: Replay): Parameters<typeof factsAfter>[2] => {
  const kinds = new Set(subscriptions.map(({ kind }) => kind));
  return {
    keyBlocks: kinds.has('key_blocks'),
    microBlocks: kinds.has('micro_blocks'),
    transactions: kinds.has('transactions') || kinds.has('object') || (kinds.has('tx_update') && removed.size > 0),
    logs: kinds.has('contract_logs'),
  };
};

function sentWith(sent: StoredPoint, { kind, position }: EventRow): StoredPoint {
  if (kind === 'contract_logs')
    return { ...sent, logs: position + 1n, position: position > sent.position ? position : sent.position };
  return kind === 'transaction'
    ? { ...sent, transaction: position + 1n, position }
    : { ...sent, block: position, transaction: position, position };
}
