import { setTimeout as pause } from 'node:timers/promises';
import { ask } from '../../support/steady-client.js';
import type { Said } from '../../support/steady-client.js';
import { nextOf, rowsOf } from '../../support/walks.js';

/** Answers of one copy: by path, and the whole list that is read page by page. */
export interface CopyAnswers {
  answers: Map<string, string>;
  list: string[];
}

export interface Witness {
  /** Answers that no single copy would give, and requests without an answer. */
  faults: string[];
  /** The copies that answered, in order: a new entry for each change. */
  turns: string[];
  /** Heads that answers named, as `<height> <hash>`. */
  heads: Set<string>;
  /** Number of answers, and of lists whose pages came from more than one copy. */
  counts: { answers: number; lists: number; crossing: number };
  stop(): Promise<void>;
}

const CURRENT = '/v2/generations/current';

/** Records the answers of the copy that serves. The rows of its list must differ from those of other copies. */
export async function recordAnswers(http: string, paths: readonly string[], list: string): Promise<CopyAnswers> {
  const answers = new Map<string, string>();
  for (const path of paths) answers.set(path, (await answerOf(http + path)).text);
  return {
    answers,
    list: rowsOf((await answerOf(`${http}${list}?limit=1000`)).text).map((row) => JSON.stringify(row)),
  };
}

/**
 * Sends requests repeatedly, each as a new client, and compares every answer with the known answers of each copy. Copies
 * differ in every block and transaction, so an answer mixed from two copies would match none.
 */
export function watchCopies(http: string, list: string, copies: Record<string, CopyAnswers>, pauseMs: number): Witness {
  const faults: string[] = [];
  const turns: string[] = [];
  const heads = new Set<string>();
  const counts = { answers: 0, lists: 0, crossing: 0 };
  let turnedAt = -Infinity;
  let stopped = false;

  /** A request sent after another copy had answered must be answered by that copy, too. */
  const recordCopy = (copy: string, begunAt: number): void => {
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
      const answer = await answerOf(http + path);
      counts.answers += 1;
      const { 'x-chain-height': height, 'x-chain-hash': hash } = answer.headers;
      if (typeof height === 'string' && typeof hash === 'string') heads.add(`${height} ${hash}`);
      else fault(path, 'names no head');
      return { ...answer, begunAt };
    } catch (error) {
      fault(path, (error as Error).message);
      return undefined;
    }
  };
  const checkPath = async (path: string): Promise<void> => {
    const answer = await get(path);
    if (answer === undefined) return;
    const copy = Object.keys(copies).find((name) => copies[name]!.answers.get(path) === answer.text);
    if (copy === undefined) fault(path, `no copy answers ${answer.text.slice(0, 300)}`);
    else recordCopy(copy, answer.begunAt);
  };
  const checkCurrent = async (): Promise<void> => {
    const answer = await get(CURRENT);
    if (answer === undefined) return;
    const { key_block: head } = JSON.parse(answer.text) as { key_block: { height: number; hash: string } };
    const { 'x-chain-height': height, 'x-chain-hash': hash } = answer.headers;
    if (String(head.height) !== height || head.hash !== hash)
      fault(CURRENT, `${head.height} ${head.hash} in the body, ${String(height)} ${String(hash)} in the headers`);
  };
  const readList = async (limit: number): Promise<void> => {
    const seen: string[][] = [];
    for (let at: string | undefined = `${list}?limit=${limit}`; at !== undefined && !stopped;) {
      const answer = await get(at);
      if (answer === undefined) return;
      seen.push(rowsOf(answer.text).map((row) => JSON.stringify(row)));
      at = nextOf(at, answer.headers.link);
      await pause(pauseMs / 2);
    }
    if (stopped) return;
    counts.lists += 1;
    let from = 0;
    const sources = seen.map((rows) => {
      const upTo = from + rows.length;
      const copy = Object.keys(copies).find((name) => isSame(copies[name]!.list.slice(from, upTo), rows));
      if (copy === undefined) fault(list, `no copy answers ${JSON.stringify(rows).slice(0, 300)} from row ${from}`);
      from = upTo;
      return copy;
    });
    const whole = Object.values(copies)[0]!.list.length;
    if (from !== whole) fault(list, `${from} rows page by page, ${whole} in all`);
    if (new Set(sources).size > 1) counts.crossing += 1;
  };
  const repeat = async (work: () => Promise<void>): Promise<void> => {
    while (!stopped) {
      await work();
      await pause(pauseMs);
    }
  };
  const paths = [...Object.values(copies)[0]!.answers.keys()];
  const working = [
    ...paths.map((path) => repeat(() => checkPath(path))),
    repeat(checkCurrent),
    repeat(() => readList(7)),
    repeat(() => readList(11)),
  ];
  return {
    faults,
    turns,
    heads,
    counts,
    async stop() {
      stopped = true;
      await Promise.all(working);
    },
  };
}

async function answerOf(url: string): Promise<Said> {
  const answer = await ask(url);
  if (answer.status !== 200) throw new Error(`status ${answer.status} ${answer.text.slice(0, 200)}`);
  return answer;
}

const isSame = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((row, at) => row === b[at]);
