import { FAULTS, MiddlewareError } from '../../observe/errors.js';
import type { Queryable, Rows, Statement } from './database.js';

/** Max sets of values in one statement: one session of the database answers them one after another. */
const MAX_SETS = 32;

/** Max sets of values in one statement of pages. */
const MAX_PAGES = 16;
/** More pages than these are divided into at least two statements. */
const FEW_PAGES = 4;

interface Waiting {
  statement: Statement;
  resolve: (rows: Rows<object>) => void;
  reject: (error: unknown) => void;
}

/**
 * Joins the statements of one turn of the event loop: those with the same name are sent as one statement, which costs the server and
 * the database much less. Under load a turn is longer, so more statements are joined. A single statement is sent unchanged.
 */
export function joining(db: Queryable): Queryable {
  let turn = new Map<string, Waiting[]>();

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

  return {
    query<Row extends object>(statement: Statement) {
      if (statement.joined === undefined) return db.query<Row>(statement);
      return new Promise<Rows<Row>>((resolve, reject) => {
        if (turn.size === 0)
          setImmediate(() => {
            const ended = turn;
            turn = new Map();
            for (const waiting of ended.values()) for (const part of partsOf(waiting)) void send(part);
          });
        const waiting = turn.get(statement.name);
        const one: Waiting = { statement, resolve: resolve as Waiting['resolve'], reject };
        if (waiting === undefined) turn.set(statement.name, [one]);
        else waiting.push(one);
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
