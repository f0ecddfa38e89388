import { FAULTS, MiddlewareError } from '../../observe/errors.js';
import type { Queryable, Rows, Statement } from './database.js';

/** Max sets of values in one statement: one session of the database answers them one after another. */
const MAX_SETS = 32;

/** Max sets of values in one statement of pages. */
const MAX_PAGES = 16;
/** More pages than these are divided into at least two statements. */
const FEW_PAGES = 4;

/**
 * While so many statements of a name are running, new ones wait for one of them to end: they are joined meanwhile, and PostgreSQL has enough to
 * do. Where statements take long, nobody waits longer than this, ms.
 */
const FEW_RUNNING = 2;
const HELD_MS = 2;

interface Waiting {
  statement: Statement;
  resolve: (rows: Rows<object>) => void;
  reject: (error: unknown) => void;
}

/** The statements of a name. */
interface Joined {
  waiting: Waiting[];
  /** Statements that are sent and not answered. */
  running: number;
  /** Ends the wait for one of them. */
  held: NodeJS.Timeout | undefined;
}

/**
 * Joins the statements of one turn of the event loop, and of later turns while a few are running: those with the same name are sent as one
 * statement, which costs the server and the database much less. A single statement is sent unchanged.
 */
export function joining(db: Queryable, heldMs = HELD_MS): Queryable {
  const all = new Map<string, Joined>();
  let turn = new Set<Joined>();

  const sendAlone = ({ statement, resolve, reject }: Waiting): Promise<void> =>
    db.query(statement).then(resolve, reject);

  const send = async (all: readonly Waiting[]): Promise<void> => {
    const [first] = all;
    if (first?.statement.joined === undefined || all.length === 1) {
      await Promise.all(all.map(sendAlone));
      return;
    }
    const { name, joined, values = [], numbered } = first.statement;
    try {
      const { rows } = await db.query<{ asked: number }>({
        name: `${name}.joined`,
        text: joined,
        values: values.map((_, i) => all.map(({ statement }) => statement.values?.[i])),
        ...(numbered && { numbered }),
      });
      const answers = all.map((): object[] => []);
      for (const row of rows) answers[row.asked]?.push(row);
      for (const [i, { resolve }] of all.entries()) resolve({ rows: answers[i]!, rowCount: answers[i]!.length });
    } catch (error) {
      // One statement must not make the others fail, so each is sent alone, unless none could succeed now.
      if (!(error instanceof MiddlewareError) || isFaultOfOne(error)) await Promise.all(all.map(sendAlone));
      else for (const { reject } of all) reject(error);
    }
  };

  const sendWaiting = (of: Joined): void => {
    clearTimeout(of.held);
    of.held = undefined;
    const { waiting } = of;
    of.waiting = [];
    for (const part of partsOf(waiting)) {
      of.running += 1;
      void send(part).then(() => {
        of.running -= 1;
        if (of.held !== undefined) sendWaiting(of);
      });
    }
  };

  const sendTurn = (): void => {
    const ended = turn;
    turn = new Set();
    for (const of of ended) {
      if (of.running < FEW_RUNNING) sendWaiting(of);
      else of.held ??= setTimeout(sendWaiting, heldMs, of);
    }
  };

  return {
    query<Row extends object>(statement: Statement) {
      if (statement.joined === undefined) return db.query<Row>(statement);
      return new Promise<Rows<Row>>((resolve, reject) => {
        if (turn.size === 0) setImmediate(sendTurn);
        let of = all.get(statement.name);
        if (of === undefined) all.set(statement.name, (of = { waiting: [], running: 0, held: undefined }));
        of.waiting.push({ statement, resolve: resolve as Waiting['resolve'], reject });
        turn.add(of);
      });
    },
  };
}

/** Divides the statements into parts of equal size; each part is sent as one statement. */
function partsOf(all: readonly Waiting[]): Waiting[][] {
  const pages = all[0]?.statement.page === true;
  const min = pages && all.length > FEW_PAGES ? 2 : 1;
  const size = Math.ceil(all.length / Math.max(min, Math.ceil(all.length / (pages ? MAX_PAGES : MAX_SETS))));
  const parts: Waiting[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}

/** Whether one of the joined statements may have caused the fault, and the others may succeed without it. */
const isFaultOfOne = ({ code, row }: MiddlewareError): boolean =>
  !FAULTS[row.fault].retry || code === 'statement_timeout';
