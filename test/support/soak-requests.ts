/** HTTP requests that clients send when they receive an event, and checks that the answers match the event. */
import { heightOf, microOf } from '../../src/chain/position.js';

/** A row of the event log with the time of its commit. */
export interface LoggedEvent {
  seq: number;
  kind: string;
  position: bigint;
  hash: string;
  /** The same in all rows of one commit. */
  transaction: string;
  /** When others could see it, ms since 1970. */
  committed: number;
}

export interface ReportedEvent {
  seq: number;
  subscription: string;
  payload: { hash: string; height?: number; block_hash?: string; removed?: string[] };
}

export interface TimedAnswer {
  event: ReportedEvent;
  /** Whether the answer is from another server than the event. */
  replica: boolean;
  url: string;
  path: string;
  /** ms since 1970 */
  begun: number;
  ended: number;
  status: number;
  /** Head of the copy when the server answered, `<height> <hash>`; absent if the node answered. */
  head?: string;
  /** Whether the answer contains what the event reports. */
  isMatching: boolean;
  body: string;
}

type Predicate = (body: Record<string, unknown>) => boolean;

interface SoakRequest {
  path: string;
  isMatching: Predicate;
}

const never: Predicate = () => false;

/** The requests whose answers must match an event. */
function requestsFor({ subscription, payload }: ReportedEvent): SoakRequest[] {
  const { hash } = payload;
  const isIt: Predicate = (body) => body['hash'] === hash;
  switch (subscription) {
    case 'key_blocks':
      return [
        { path: `/v2/key-blocks/hash/${hash}`, isMatching: isIt },
        { path: '/v2/key-blocks/current/height', isMatching: ({ height }) => Number(height) >= payload.height! },
      ];
    case 'micro_blocks':
      return [
        { path: `/v2/micro-blocks/hash/${hash}/header`, isMatching: isIt },
        {
          path: `/v2/generations/height/${payload.height}`,
          isMatching: (body) => (body['micro_blocks'] as string[]).includes(hash),
        },
      ];
    case 'rollback': {
      const removed = payload.removed!.at(-1)!;
      const path = removed.startsWith('kh')
        ? `/v2/key-blocks/hash/${removed}`
        : `/v2/micro-blocks/hash/${removed}/header`;
      return [{ path, isMatching: never }];
    }
    default:
      return [
        {
          path: `/v2/transactions/${hash}`,
          isMatching: payload.block_hash === 'none' ? never : (body) => body['block_hash'] === payload.block_hash,
        },
      ];
  }
}

const now = (): number => performance.timeOrigin + performance.now();

/** Sends requests one after the other and collects the answers. */
export function createRequester(): {
  request(event: ReportedEvent, url: string, replica: boolean): void;
  results(): Promise<TimedAnswer[]>;
} {
  const asked: TimedAnswer[] = [];
  let asking = Promise.resolve();

  async function one(
    event: ReportedEvent,
    url: string,
    replica: boolean,
    { path, isMatching }: SoakRequest,
  ): Promise<void> {
    const begun = now();
    const { status, headers, body } = await get(url + path);
    const own = headers.has('x-chain-height');
    asked.push({
      event,
      replica,
      url,
      path,
      begun,
      ended: now(),
      status,
      ...(own && { head: `${headers.get('x-chain-height')} ${headers.get('x-chain-hash')}` }),
      isMatching: own && status === 200 && isMatching(JSON.parse(body) as Record<string, unknown>),
      body: body.slice(0, 200),
    });
  }

  return {
    request(event, url, replica) {
      for (const question of requestsFor(event)) asking = asking.then(() => one(event, url, replica, question));
    },
    results: () => asking.then(() => asked),
  };
}

/** Status 0 means that there was no answer, or only a part of it. */
async function get(url: string): Promise<{ status: number; headers: Headers; body: string }> {
  try {
    const answer = await fetch(url);
    return { status: answer.status, headers: answer.headers, body: await answer.text() };
  } catch (error) {
    return { status: 0, headers: new Headers(), body: String((error as Error).cause ?? error) };
  }
}

export interface Time {
  begun: number;
  ended: number;
}

/** Max time after a commit in which other servers may still answer from the previous state, ms. */
const MAX_DELAY_MS = 1_000;

export interface AnswerCheck {
  /** Wrong answers. */
  faults: string[];
  /** Answers that do not match the event because a later event, committed before the answer, undid it. */
  overtaken: number;
  /** Answers of another server from the state before an event that had just been committed. */
  late: number;
  /** Answers 503 while the database was down. */
  databaseDown: number;
  /** Requests without an answer while the server was down. */
  serverDown: number;
}

/**
 * Checks answers. An answer must come from a state that includes the event, and match it, unless a later event undid it before the answer.
 * While the database is down, 503 is right, too. A killed server does not have to answer. Another server than the one that sent the event
 * may be late for a moment, until the database notifies it to clear its cache.
 */
export function checkAnswers(
  answers: readonly TimedAnswer[],
  log: readonly LoggedEvent[],
  before: ReadonlyMap<number, string>,
  times: { databaseDown: readonly Time[]; serverDown: readonly (Time & { url: string })[] },
): AnswerCheck {
  const heads = headsOf(log, before);
  const check: AnswerCheck = { faults: [], overtaken: 0, late: 0, databaseDown: 0, serverDown: 0 };
  for (const asked of answers) {
    const { event, begun, ended, status, head, replica, url, path, body } = asked;
    const fault = (why: string): void => {
      const who = replica ? 'another server' : 'the same server';
      check.faults.push(`${event.seq} ${event.subscription}: ${who}, ${path}: ${status} ${why}: ${body}`);
    };
    if (status === 503 && times.databaseDown.some((time) => meet(asked, time))) check.databaseDown += 1;
    else if (status === 0 && times.serverDown.some((time) => time.url === url && meet(asked, time)))
      check.serverDown += 1;
    else if (status !== 200 && status !== 404) fault('is not an answer');
    else {
      const isOld = head !== undefined && (heads.get(head) ?? -1) < event.seq;
      if (!isOld && (asked.isMatching || (reportsRemoval(event) && head === undefined))) continue;
      if (!isOld && isUndone(event, log, ended)) check.overtaken += 1;
      else if (replica && head !== undefined && begun < committedAt(event, log) + MAX_DELAY_MS) check.late += 1;
      else fault(isOld ? `was made from an older state, ${head}` : 'contradicts');
    }
  }
  return check;
}

const meet = (one: Time, other: Time): boolean => one.begun < other.ended && one.ended > other.begun;

/** Whether the event reports that something is no longer stored. Requests for it are then forwarded to the node. */
const reportsRemoval = ({ subscription, payload }: ReportedEvent): boolean =>
  subscription === 'rollback' || payload.block_hash === 'none';

const committedAt = ({ seq }: ReportedEvent, log: readonly LoggedEvent[]): number =>
  log.find((logged) => logged.seq === seq)!.committed;

function isUndone(event: ReportedEvent, log: readonly LoggedEvent[], at: number): boolean {
  const hash = event.subscription === 'rollback' ? event.payload.removed!.at(-1)! : event.payload.hash;
  const position = log.find(({ seq }) => seq === event.seq)!.position;
  return log.some(
    (later) =>
      later.seq > event.seq &&
      later.committed <= at &&
      (reportsRemoval(event)
        ? later.hash === hash && later.kind !== 'left' && later.kind !== 'rollback'
        : later.kind === 'rollback' && later.position <= position),
  );
}

/** Each head after a commit, with the last event up to which it was the head. */
function headsOf(log: readonly LoggedEvent[], before: ReadonlyMap<number, string>): Map<string, number> {
  const hashes = new Map(before);
  let height = Math.max(...hashes.keys());
  const heads = new Map<string, number>();
  for (const [i, { seq, kind, position, hash, transaction }] of log.entries()) {
    if (kind === 'key_block') hashes.set((height = heightOf(position)), hash);
    if (kind === 'rollback') height = microOf(position) === 0 ? heightOf(position) - 1 : heightOf(position);
    if (log[i + 1]?.transaction !== transaction) heads.set(`${height} ${hashes.get(height)}`, seq);
  }
  return heads;
}
