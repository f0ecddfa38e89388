import pg from 'pg';
import { asFault } from './faults.js';

interface Login {
  /** The URL with which connections are opened. */
  url(): string;
  /** Opens a connection. If the server refuses the password, it tries once more with the present one. Throws `MiddlewareError`. */
  open<T>(connect: () => Promise<T>): Promise<T>;
}

/**
 * The password of a role may be changed while the process runs. `current` returns the present URL. A URL that differs in more than user
 * and password is ignored, because a process does not change its database.
 */
export function createLogin(url: string, current?: () => string): Login {
  let known = url;

  /** Whether there is another URL than the refused one. */
  const renew = (refused: string): boolean => {
    if (known !== refused) return true;
    const given = read(current);
    if (given === undefined || given === known || withoutLogin(given) !== withoutLogin(url)) return false;
    known = given;
    return true;
  };

  return {
    url: () => known,
    async open(connect) {
      const tried = known;
      try {
        return await connect();
      } catch (error) {
        if (!isRefusal(error) || !renew(tried)) throw asFault(error);
      }
      return connect().catch((error: unknown) => Promise.reject(asFault(error)));
    },
  };
}

/** Undefined while the file of the URL cannot be read, as when it is being replaced. */
function read(current: (() => string) | undefined): string | undefined {
  try {
    return current?.();
  } catch {
    return undefined;
  }
}

/** SQLSTATE class 28: invalid authorization. */
const isRefusal = (error: unknown): boolean =>
  error instanceof pg.DatabaseError && error.code?.startsWith('28') === true;

/** The URL without user and password. */
const withoutLogin = (url: string): string => url.replace(/^(\w+:\/\/)[^/?]*@/, '$1');
