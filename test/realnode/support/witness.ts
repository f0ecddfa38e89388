import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../../support/steady-client.js';
import type { Said } from '../../support/steady-client.js';
import { nextOf, rowsOf } from '../../support/walks.js';

/** What one copy says: the answers by path, and the whole list that is walked page by page. */
export interface Testimony {
  answers: Map<string, string>;
  list: string[];
}

export interface Witness {
  /** What no single copy would have said, and requests without an answer. */
  faults: string[];
  /** The copies that answered, in their order: another one whenever it changed. */
  turns: string[];
  /** Tops that answers named, as `<height> <hash>`. */
  tops: Set<string>;
  /** Answers in all, and walks whose pages came from more than one copy. */
  counts: { answers: number; walks: number; crossing: number };
  stop(): Promise<void>;
}

const CURRENT = '/v2/generations/current';

/** Takes down what the copy that serves says; its list may be told from others' by the text of its rows. */
export async function testify(http: string, paths: readonly string[], list: string): Promise<Testimony> {
  const answers = new Map<string, string>();
  for (const path of paths) answers.set(path, (await told(http + path)).text);
  return { answers, list: rowsOf((await told(`${http}${list}?limit=1000`)).text).map((row) => JSON.stringify(row)) };
}

/**
 * Asks again and again, each time as a new client, and holds every answer against what each copy is known to say. They
 * differ in every block and transaction, so an answer that mixed two of them would be none of theirs.
 */
export function watchCopies(http: string, list: string, copies: Record<string, Testimony>, pauseMs: number): Witness {
  const faults: string[] = [];
  const turns: string[] = [];
  const tops = new Set<string>();
  const counts = { answers: 0, walks: 0, crossing: 0 };
  let turnedAt = -Infinity;
  let stopped = false;

  /** An answer that was asked for after another copy had answered comes from that one too. */
  const take = (copy: string, begunAt: number): void => {
    if (copy === turns.at(-1) || (copy === turns.at(-2) && begunAt < turnedAt)) return;
    turns.push(copy);
    turnedAt = performance.now();
  };
  const fault = (path: string, what: string): void => {
    faults.push(`${new Date().toISOString()} ${path}: ${what}`);
  };
  const get = async (path: string): Promise<(Said & { begunAt: number }) | undefined> => {
    const begunAt = performance.now();
    try {
      const said = await told(http + path);
      counts.answers += 1;
      const { 'x-chain-height': height, 'x-chain-hash': hash } = said.headers;
      if (typeof height === 'string' && typeof hash === 'string') tops.add(`${height} ${hash}`);
      else fault(path, 'names no top');
      return { ...said, begunAt };
    } catch (error) {
      fault(path, (error as Error).message);
      return undefined;
    }
  };
  const askPath = async (path: string): Promise<void> => {
    const said = await get(path);
    if (said === undefined) return;
    const copy = Object.keys(copies).find((name) => copies[name]!.answers.get(path) === said.text);
    if (copy === undefined) fault(path, `no copy says ${said.text.slice(0, 300)}`);
    else take(copy, said.begunAt);
  };
  const askCurrent = async (): Promise<void> => {
    const said = await get(CURRENT);
    if (said === undefined) return;
    const { key_block: top } = JSON.parse(said.text) as { key_block: { height: number; hash: string } };
    const { 'x-chain-height': height, 'x-chain-hash': hash } = said.headers;
    if (String(top.height) !== height || top.hash !== hash)
      fault(CURRENT, `${top.height} ${top.hash} in the body, ${String(height)} ${String(hash)} in the headers`);
  };
  const walk = async (limit: number): Promise<void> => {
    const seen: string[][] = [];
    for (let at: string | undefined = `${list}?limit=${limit}`; at !== undefined && !stopped;) {
      const said = await get(at);
      if (said === undefined) return;
      seen.push(rowsOf(said.text).map((row) => JSON.stringify(row)));
      at = nextOf(at, said.headers.link);
      await pause(pauseMs / 2);
    }
    if (stopped) return;
    counts.walks += 1;
    let from = 0;
    const tellers = seen.map((rows) => {
      const upTo = from + rows.length;
      const copy = Object.keys(copies).find((name) => isSame(copies[name]!.list.slice(from, upTo), rows));
      if (copy === undefined) fault(list, `no copy says ${JSON.stringify(rows).slice(0, 300)} from row ${from}`);
      from = upTo;
      return copy;
    });
    const whole = Object.values(copies)[0]!.list.length;
    if (from !== whole) fault(list, `${from} rows page by page, ${whole} in all`);
    if (new Set(tellers).size > 1) counts.crossing += 1;
  };
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!stopped) {
      await work();
      await pause(pauseMs);
    }
  };
  const paths = [...Object.values(copies)[0]!.answers.keys()];
  const working = [
    ...paths.map((path) => repeat(() => askPath(path))),
    repeat(askCurrent),
    repeat(() => walk(7)),
    repeat(() => walk(11)),
  ];
  return {
    faults,
    turns,
    tops,
    counts,
    async stop() {
      stopped = true;
      await Promise.all(working);
    },
  };
}

async function told(url: string): Promise<Said> {
  const said = await ask(url);
  if (said.status !== 200) throw new Error(`status ${said.status} ${said.text.slice(0, 200)}`);
  return said;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((row, at) => row === b[at]);
