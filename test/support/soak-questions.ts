/** What HTTP is asked on receipt of an event, and whether its answers may stand beside what was told. */
import { heightOf, microOf } from '../../src/chain/position.js';

/** A row of the event log with the time of its commit. */
export interface LoggedEvent {
  seq: number;
  kind: string;
  position: bigint;
  hash: string;
  /** Rows of one commit have the same. */
  transaction: string;
  /** When others could see it, ms since 1970. */
  committed: number;
}

export interface ToldEvent {
  seq: number;
  subscription: string;
  payload: { hash: string; height?: number; block_hash?: string; removed?: string[] };
}

export interface Asked {
  event: ToldEvent;
  /** Of the server that told the event, or of another one. */
  replica: boolean;
  url: string;
  path: string;
  /** ms since 1970 */
  begun: number;
  ended: number;
  status: number;
  /** Key block from which the answer was made, `<height> <hash>`; absent when the node answered. */
  top?: string;
  /** The answer has what the event told. */
  holds: boolean;
  body: string;
}

type Holds = (body: Record<string, unknown>) => boolean;

interface Question {
  path: string;
  holds: Holds;
}

const never: Holds = () => false;

/** Where to look for what an event told. */
function questionsOf({ subscription, payload }: ToldEvent): Question[] {
  const { hash } = payload;
  const isIt: Holds = (body) => body['hash'] === hash;
  switch (subscription) {
    case 'key_blocks':
      return [
        { path: `/v2/key-blocks/hash/${hash}`, holds: isIt },
        { path: '/v2/key-blocks/current/height', holds: ({ height }) => Number(height) >= payload.height! },
      ];
    case 'micro_blocks':
      return [
        { path: `/v2/micro-blocks/hash/${hash}/header`, holds: isIt },
        {
          path: `/v2/generations/height/${payload.height}`,
          holds: (body) => (body['micro_blocks'] as string[]).includes(hash),
        },
      ];
    case 'rollback': {
      const gone = payload.removed!.at(-1)!;
      const path = gone.startsWith('kh') ? `/v2/key-blocks/hash/${gone}` : `/v2/micro-blocks/hash/${gone}/header`;
      return [{ path, holds: never }];
    }
    default:
      return [
        {
          path: `/v2/transactions/${hash}`,
          holds: payload.block_hash === 'none' ? never : (body) => body['block_hash'] === payload.block_hash,
        },
      ];
  }
}

const now = (): number => performance.timeOrigin + performance.now();

/** Asks one after the other. */
export function asker(): {
  ask(event: ToldEvent, url: string, replica: boolean): void;
  finish(): Promise<Asked[]>;
} {
  const asked: Asked[] = [];
  let asking = Promise.resolve();

  async function one(event: ToldEvent, url: string, replica: boolean, { path, holds }: Question): Promise<void> {
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
      ...(own && { top: `${headers.get('x-chain-height')} ${headers.get('x-chain-hash')}` }),
      holds: own && status === 200 && holds(JSON.parse(body) as Record<string, unknown>),
      body: body.slice(0, 200),
    });
  }

  return {
    ask(event, url, replica) {
      for (const question of questionsOf(event)) asking = asking.then(() => one(event, url, replica, question));
    },
    finish: () => asking.then(() => asked),
  };
}

/** Status 0 when there was no answer, or not all of it. */
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

/** Time in which another server than the one that told the event learns of its commit, ms. */
const NEWS_MS = 1_000;

export interface Judgement {
  /** Answers that must not be. */
  faults: string[];
  /** Answers that lack what was told because a later event, committed before the answer came, took it back. */
  movedOn: number;
  /** Of another server, made from the state before an event that was committed just then. */
  late: number;
  /** 503 while the database was away. */
  away: number;
  /** No answer while the server was killed and not yet back. */
  gone: number;
}

/**
 * An answer is the server's own, made from a state that has the event, and holds what it told. It need not hold what a
 * later event took back, if that was committed when the answer came. While the database is away, 503 is right as well; a
 * server that was killed need not answer. Another server than the one that told the event may be late for a moment: what it
 * keeps in memory it drops when the database wakes it.
 */
export function judge(
  answers: readonly Asked[],
  log: readonly LoggedEvent[],
  before: ReadonlyMap<number, string>,
  times: { away: readonly Time[]; gone: readonly (Time & { url: string })[] },
): Judgement {
  const tops = topsOf(log, before);
  const judgement: Judgement = { faults: [], movedOn: 0, late: 0, away: 0, gone: 0 };
  for (const asked of answers) {
    const { event, begun, ended, status, top, replica, url, path, body } = asked;
    const fault = (why: string): void => {
      const who = replica ? 'another server' : 'the same server';
      judgement.faults.push(`${event.seq} ${event.subscription}: ${who}, ${path}: ${status} ${why}: ${body}`);
    };
    if (status === 503 && times.away.some((time) => meet(asked, time))) judgement.away += 1;
    else if (status === 0 && times.gone.some((time) => time.url === url && meet(asked, time))) judgement.gone += 1;
    else if (status !== 200 && status !== 404) fault('is no answer');
    else {
      const isOld = top !== undefined && (tops.get(top) ?? -1) < event.seq;
      if (!isOld && (asked.holds || (tellsAbsence(event) && top === undefined))) continue;
      if (!isOld && tookBack(event, log, ended)) judgement.movedOn += 1;
      else if (replica && top !== undefined && begun < committedAt(event, log) + NEWS_MS) judgement.late += 1;
      else fault(isOld ? `was made from an older state, ${top}` : 'contradicts');
    }
  }
  return judgement;
}

const meet = (one: Time, other: Time): boolean => one.begun < other.ended && one.ended > other.begun;

/** The event tells that something is no longer stored: then the node is asked. */
const tellsAbsence = ({ subscription, payload }: ToldEvent): boolean =>
  subscription === 'rollback' || payload.block_hash === 'none';

const committedAt = ({ seq }: ToldEvent, log: readonly LoggedEvent[]): number =>
  log.find((logged) => logged.seq === seq)!.committed;

function tookBack(event: ToldEvent, log: readonly LoggedEvent[], at: number): boolean {
  const hash = event.subscription === 'rollback' ? event.payload.removed!.at(-1)! : event.payload.hash;
  const place = log.find(({ seq }) => seq === event.seq)!.position;
  return log.some(
    (later) =>
      later.seq > event.seq &&
      later.committed <= at &&
      (tellsAbsence(event)
        ? later.hash === hash && later.kind !== 'left' && later.kind !== 'rollback'
        : later.kind === 'rollback' && later.position <= place),
  );
}

/** Each key block that was the top after a commit, and the last event up to which it was. */
function topsOf(log: readonly LoggedEvent[], before: ReadonlyMap<number, string>): Map<string, number> {
  const hashes = new Map(before);
  let height = Math.max(...hashes.keys());
  const tops = new Map<string, number>();
  for (const [i, { seq, kind, position, hash, transaction }] of log.entries()) {
    if (kind === 'key_block') hashes.set((height = heightOf(position)), hash);
    if (kind === 'rollback') height = microOf(position) === 0 ? heightOf(position) - 1 : heightOf(position);
    if (log[i + 1]?.transaction !== transaction) tops.set(`${height} ${hashes.get(height)}`, seq);
  }
  return tops;
}
