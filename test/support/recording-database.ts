import type { Database, Queryable, Statement } from '../../src/store/connection/database.js';

/** A database that records each statement and the number of rows that it returned. */
export function recordingDatabase(database: Database, ran: { name: string; rows: number }[]): Database {
  const noted = (db: Queryable): Queryable['query'] =>
    async function query<Row extends object>(statement: Statement) {
      const answer = await db.query<Row>(statement);
      ran.push({ name: statement.name, rows: answer.rows.length });
      return answer;
    };
  return {
    ...database,
    query: noted(database),
    transaction: (work) => database.transaction((tx) => work({ ...tx, query: noted(tx) })),
  };
}
