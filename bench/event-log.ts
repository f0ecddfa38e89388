import pg from 'pg';
import { encodeId, hash } from '../src/chain/encoding/encoding.js';
import { keyPosition, microPosition } from '../src/chain/position.js';

export interface Announced {
  kind: 'key_block' | 'transaction';
  position: bigint;
  hash: string;
  body: string;
}

const id = (prefix: 'kh' | 'mh' | 'th' | 'ak', seed: string): string => encodeId(prefix, hash(Buffer.from(seed)));

const now = (): string => (performance.timeOrigin + performance.now()).toFixed(3);

/** A key block whose body says when it was made, of a usual size. */
export function keyBlockEvent(height: number): Announced {
  const kh = id('kh', String(height));
  const pow = Array.from({ length: 42 }, (_, i) => 9_195_324 + i * 12_000_000);
  const body = JSON.stringify({ hash: kh, height, prev_hash: id('kh', String(height - 1)), pow, version: 5 });
  return { kind: 'key_block', position: keyPosition(height), hash: kh, body: `${body.slice(0, -1)},"sent":${now()}}` };
}

/** A transaction whose frame takes one kilobyte. */
export function transactionEvent(height: number, n: number): Announced {
  const th = id('th', `${height}/${n}`);
  const tx = {
    amount: 1,
    fee: 1,
    nonce: n,
    payload: '',
    recipient_id: id('ak', `r ${n}`),
    sender_id: id('ak', `s ${n}`),
    type: 'SpendTx',
    version: 1,
  };
  const whole = { block_hash: id('mh', String(height)), block_height: height, hash: th, signatures: [], tx };
  tx.payload = 'x'.repeat(1024 - JSON.stringify({ subscription: 'transactions', payload: whole }).length);
  return { kind: 'transaction', position: microPosition(height, 1) | BigInt(n), hash: th, body: JSON.stringify(whole) };
}

export interface LogWriter {
  /** Commits the events and wakes the servers; gives the time when the commit was over, ms since 1970. */
  announce(events: readonly Announced[]): Promise<number>;
  close(): Promise<void>;
}

export async function openLog(url: string): Promise<LogWriter> {
  const client = new pg.Client({ connectionString: url, options: '-c search_path=mdw' });
  await client.connect();
  return {
    async announce(events) {
      const of = (field: keyof Announced): string[] => events.map((event) => String(event[field]));
      await client.query('BEGIN');
      await client.query(
        `WITH next AS (UPDATE chain SET event_seq = event_seq + $5 RETURNING event_seq - $5 AS before)
         INSERT INTO events (seq, kind, position, hash, body)
         SELECT next.before + e.n, e.kind, e.position, e.hash, e.body
         FROM next, unnest($1::text[], $2::bigint[], $3::text[], $4::text[]) WITH ORDINALITY AS e (kind, position, hash, body, n)`,
        [of('kind'), of('position'), of('hash'), of('body'), events.length],
      );
      await client.query(`SELECT pg_notify('mdw_mdw', '')`);
      await client.query('COMMIT');
      return performance.timeOrigin + performance.now();
    },
    close: () => client.end(),
  };
}
