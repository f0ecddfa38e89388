import { setTimeout as pause } from 'node:timers/promises';
import { backoffMs } from '../runtime/backoff.js';
import { createSlices } from '../runtime/slices.js';
import { createTurns } from '../runtime/turns.js';
import type { Turns } from '../runtime/turns.js';
import type { Logger } from '../observe/logger.js';
import type { Queryable } from '../store/connection/database.js';
import { endBelowGaps } from '../store/announced.js';
import { factsAfter, loadRollback } from '../store/queries/events.js';
import { chainEvent, partsOf } from './chain-event.js';
import type { ChainEvent } from './chain-event.js';
import type { Client, Reason, Replay, Subscription } from './client.js';
import { matchingSubscriptions } from './client-index.js';
import type { Feed } from './feed.js';
import { renderFrame } from './frames.js';
import { endReplay, nextOf, sentWith } from './progress.js';

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
 * client has reached the end of the log, and is live from then on.
 */
export function createCatchUp(deps: CatchUpDeps): (client: Client) => Promise<void> {
  const { db, feed, logger, send } = deps;
  const nextSlice = createSlices(SLICES);
  const busy = new Set<Client>();
  const untilRead = createBacklogWatch(busy, deps);
  const readers = { db, chain: createTurns(MAX_READERS), log: createTurns(MAX_READERS) };
  const publish: Publish = (client, event, needs) => {
    for (const part of partsOf(event))
      for (const { name } of matchingSubscriptions(client, part, needs))
        send(client, renderFrame(part, name, client.style));
  };
  const sendFromLog = createLogSender(readers, deps, publish);
  const sendFromChain = createChainSender(readers, deps, publish);

  async function sendNext(client: Client): Promise<void> {
    if (client.transport.backlog() > MAX_BACKLOG) return untilRead(client);
    const next = nextOf(client, feed.position());
    if (next.do === 'replay') await sendFromChain(client, next.replay, next.wanted);
    else if (next.do === 'log') await sendFromLog(client);
    else if (next.do === 'live') client.live = true;
    else await feed.nextRead().then(() => pause(WAIT_MS));
  }

  return async function catchUp(client) {
    if (busy.has(client)) return;
    busy.add(client);
    let failures = 0;
    while (!client.closed && !client.live) {
      try {
        await nextSlice(client.address);
        await sendNext(client);
        failures = 0;
      } catch (error) {
        logger.debug({ err: error }, 'Could not read the missed events of a client, will retry');
        await pause(backoffMs(failures++, 50, MAX_PAUSE_MS));
      }
    }
    busy.delete(client);
  };
}

/** Sends an event for those subscriptions of a client that match it and need it. */
type Publish = (client: Client, event: ChainEvent, needs: (one: Subscription) => boolean) => void;

/** Who may read at a time: apart, because the log is short. A client that resumes does not wait for those that begin far back. */
interface Readers {
  db: Queryable;
  chain: Turns;
  log: Turns;
}

async function asReader<T>(readers: Turns, client: Client, read: () => Promise<T>): Promise<T> {
  const leave = await readers.enter(client.address);
  try {
    return await read();
  } finally {
    leave();
  }
}

/** Makes the function that waits until a client has read what waits for it. It closes a client that reads nothing. */
function createBacklogWatch(
  busy: ReadonlySet<Client>,
  { close }: Pick<CatchUpDeps, 'close'>,
): (client: Client) => Promise<void> {
  let allBacklog = { bytes: 0, at: -Infinity };

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

  return async (client) => {
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
  };
}

/** Makes the function that sends a client the next batch of the event log. */
function createLogSender(
  readers: Readers,
  { feed, close }: CatchUpDeps,
  publish: Publish,
): (client: Client) => Promise<void> {
  return async (client) => {
    const { seq: from, mark } = client;
    const events =
      feed.recentAfter(from, SLICE_EVENTS) ??
      (await asReader(readers.log, client, () => feed.readAfter({ seq: from, mark }, BATCH)));
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
  };
}

/** Makes the function that sends a client the next batch of the stored chain as events. At the head, the client continues with the event log. */
function createChainSender(
  readers: Readers,
  { feed }: CatchUpDeps,
  publish: Publish,
): (client: Client, replay: Replay, wanted: readonly Subscription[]) => Promise<void> {
  const { db } = readers;
  const end = (client: Client, replay: Replay, seq: number): void => endReplay(client, replay, seq, feed.position());
  const read = <T>(client: Client, query: () => Promise<T>): Promise<T> => asReader(readers.chain, client, query);
  /** Meanwhile a message of the client may have replaced the replay. */
  const hasLeft = (client: Client, replay: Replay): boolean => client.closed || !client.replays.includes(replay);

  /**
   * Sends a rollback of the first load. The blocks that replaced the removed ones are stored but not in the log, so the
   * replay continues after it.
   */
  async function sendRollback(client: Client, replay: Replay, seq: number): Promise<void> {
    const { rollback, left } = await read(client, () => loadRollback(db, seq, replay.sent.transaction));
    if (hasLeft(client, replay)) return;
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

  return async (client, replay, wanted) => {
    if (wanted.length === 0) return end(client, replay, feed.position());
    const facts = await read(client, () => factsAfter(db, replay.sent, kindsOf(wanted, replay), BATCH, replay.end));
    if (hasLeft(client, replay)) return;
    if (facts.takenBack !== null) {
      const { seq, announced } = facts.takenBack;
      // If the rollback was announced, the log has it and the blocks after it, so the client continues there.
      return announced ? end(client, replay, seq - 1) : sendRollback(client, replay, seq);
    }
    if (facts.live && !facts.hasAnnounced && replay.end === undefined) {
      // Blocks above a gap are published by the log when the gap is filled. Below it, nothing changes while the log is empty.
      replay.end = await read(client, () => endBelowGaps(db));
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
    if (facts.live && !facts.waits) end(client, replay, facts.head);
    else await pause(LOADING_MS);
  };
}

const kindsOf = (subscriptions: readonly Subscription[], { removed }: Replay): Parameters<typeof factsAfter>[2] => {
  const kinds = new Set(subscriptions.map(({ kind }) => kind));
  return {
    keyBlocks: kinds.has('key_blocks'),
    microBlocks: kinds.has('micro_blocks'),
    transactions: kinds.has('transactions') || kinds.has('object') || (kinds.has('tx_update') && removed.size > 0),
    logs: kinds.has('contract_logs') || kinds.has('token_transfers'),
  };
};
