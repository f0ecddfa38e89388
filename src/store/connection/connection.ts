import pg from 'pg';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';

/** A session of the server. Its process id is given to another session some time after it has ended. */
export interface Session {
  pid: number;
  /** When it began: what `STARTED` gave. */
  started: string;
}

/** SQL: when the session of a row `a` of pg_stat_activity began, exact to the microsecond whatever the settings of who asks. */
export const STARTED = `pg_catalog.to_char(a.backend_start AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US')`;

/** Max time that the server has to close a connection that is ended, ms. */
const END_MS = 1_000;

/** A connection that shows whether anything moves on it, and that ends although the server does not answer. */
export class Connection extends pg.Client {
  /** The session of the server, as soon as the connection is prepared. */
  session: Session | undefined;
  private readonly socket: Socket;

  constructor(config: pg.ClientConfig) {
    const socket = new Socket();
    super({ ...config, stream: () => socket });
    this.socket = socket;
    // A session may end at any moment, also before its first use. Without a listener the error would end the process.
    this.on('error', () => undefined);
  }

  /** Whether a statement was sent that is not answered completely. */
  get isWaiting(): boolean {
    return (this as unknown as { readyForQuery?: boolean }).readyForQuery === false;
  }

  /** A number that changes with each byte that arrives or is given to the system to be sent. */
  get traffic(): number {
    // With TLS this is another stream than the socket.
    const { stream } = this.connection as unknown as { stream: Duplex & { bytesRead?: number; bytesWritten?: number } };
    return (stream.bytesRead ?? 0) + (stream.bytesWritten ?? 0);
  }

  /** Ends it at once, without a word to the server. Its statements fail, with `reason` before anything else happens. */
  cut(reason?: Error): void {
    this.socket.destroy(reason);
  }

  override end(): Promise<void>;
  override end(callback: (error: Error) => void): void;
  override end(callback?: (error: Error) => void): Promise<void> | undefined {
    setTimeout(() => this.socket.destroy(), END_MS).unref();
    if (callback === undefined) return super.end();
    super.end(callback);
    return undefined;
  }
}
