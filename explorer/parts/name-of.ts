import { useEffect, useState } from 'preact/hooks';
import { read } from '../api.js';

type Answer = Promise<string | undefined>;

/** Names by their hashes, as far as they were asked for: a hash always has the same name. */
const byHash = new Map<string, Answer>();
/** Names of accounts, with the time of the answer, ms: an account may get another one. */
const byAccount = new Map<string, { at: number; answer: Answer }>();

/** Time for which the name of an account is not asked for again, ms. */
const FRESH_MS = 60_000;
/** Max accounts of one request: its URL has at most 3 kB. */
const BATCH = 50;

/** The name with this hash, or that points to this account; undefined if there is none, and for other identifiers. */
export function nameOf(id: string): Answer {
  if (id.startsWith('ak_')) return nameOfAccount(id);
  if (!id.startsWith('nm_')) return Promise.resolve(undefined);
  const asked = byHash.get(id);
  if (asked !== undefined) return asked;
  const found = read('/middleware/names/hash/{hash}', { hash: id }).then(
    ({ body }) => body.name.name,
    () => {
      byHash.delete(id);
      return undefined;
    },
  );
  byHash.set(id, found);
  return found;
}

function nameOfAccount(account: string): Answer {
  const asked = byAccount.get(account);
  if (asked !== undefined && Date.now() - asked.at < FRESH_MS) return asked.answer;
  const answer = inBatch(account);
  byAccount.set(account, { at: Date.now(), answer });
  return answer;
}

interface Batch {
  accounts: string[];
  names: Promise<ReadonlyMap<string, string>>;
}

/** The accounts that the next request asks for: all that are shown at the same moment. */
let next: Batch | undefined;

async function inBatch(account: string): Answer {
  if (next === undefined || next.accounts.length === BATCH) {
    const accounts: string[] = [];
    next = { accounts, names: new Promise<void>((resolve) => setTimeout(resolve)).then(() => send(accounts)) };
  }
  next.accounts.push(account);
  return (await next.names).get(account);
}

async function send(accounts: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (next?.accounts === accounts) next = undefined;
  try {
    const { body } = await read('/middleware/names/of/{accounts}', { accounts: accounts.join(',') });
    return new Map(body.map(({ account, name }) => [account, name]));
  } catch {
    for (const account of accounts) byAccount.delete(account);
    return new Map();
  }
}

/** As `nameOf`; undefined until it was read. */
export function useName(id: string): string | undefined {
  const [found, setFound] = useState<{ id: string; name: string | undefined }>();
  useEffect(() => {
    let ended = false;
    void nameOf(id).then((name) => !ended && setFound({ id, name }));
    return () => {
      ended = true;
    };
  }, [id]);
  return found?.id === id ? found.name : undefined;
}
