import { FAULTS, MiddlewareError } from '../../observe/errors.js';
import type { Queryable, Rows, Statement } from './database.js';

/** Max sets of values in one statement: they are answered one after another, by one session of the database. */
const MAX_SETS = 32;

/** The same of pages, of which more than `FEW_PAGES` go in two statements at least. */
const MAX_PAGES = 16;
const FEW_PAGES = 4;

interface Waiting {
  statement: Statement;
  resolve: (rows: Rows<object>) => void;
  reject: (error: unknown) => void;
}

/**
 * The database with the statements of one turn of the event loop joined: those of the same name are sent as one, which
 * costs both sides far less than one each. A turn is longer the more there is to do, so more is joined under load, and a
 * statement that comes alone is sent as it is.
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
      // Nobody's statement fails through that of another, unless no statement can succeed at the moment.
      if (!(error instanceof MiddlewareError) || isOfOne(error)) await Promise.all(all.map(sendAlone));
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

/** What goes in one statement each, in equal parts. */
function partsOf(all: readonly Waiting[]): Waiting[][] {
  const pages = all[0]?.statement.page === true;
  const least = pages && all.length > FEW_PAGES ? 2 : 1;
  const size = Math.ceil(all.length / Math.max(least, Math.ceil(all.length / (pages ? MAX_PAGES : MAX_SETS))));
  const parts: Waiting[][] = [];
  for (let at = 0; at < all.length; at += size) parts.push(all.slice(at, at + size));
  return parts;
}

/** Whether one of the joined statements may have caused a fault that the others would not have. */
const isOfOne = ({ code, row }: MiddlewareError): boolean => !FAULTS[row.fault].retry || code === 'statement_timeout';
