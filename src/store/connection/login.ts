import pg from 'pg';
import { asFault } from './faults.js';

interface Login {
  /** The URL that connections are opened with. */
  url(): string;
  /** Opens a connection; when the server refuses the password, once more with the one that is given by now. Throws faults. */
  open<T>(connect: () => Promise<T>): Promise<T>;
}

/**
 * The password of a role may be changed while the process runs: `current` returns the URL as it is given now. Only user and
 * password are taken from it; one that leads elsewhere is left alone, for a process stays with its database.
 */
export function createLogin(url: string, current?: () => string): Login {
  let known = url;

  /** Whether there is another URL to try than the one that was refused. */
  const renew = (refused: string): boolean => {
    if (known !== refused) return true;
    const given = read(current);
    if (given === undefined || given === known || placeOf(given) !== placeOf(url)) return false;
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

/** A file that is just being replaced says nothing. */
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

/** Everything but user and password. */
const placeOf = (url: string): string => url.replace(/^(\w+:\/\/)[^/?]*@/, '$1');
