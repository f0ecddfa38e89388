/**
 * How far a verification has come, in a file: one line of JSON for each step, added when the step is over. A run that was killed is
 * continued by the next one that asks for the same. Nothing is written to the copy, so that who may only read it can verify it.
 *
 * What an earlier run saw holds as long as nothing was written there: a change at or below a height voids what was seen from there on.
 * Parts that a new block may change (names, lists, rankings) are not in the journal, they are verified at the end of each run.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { MiddlewareError } from '../observe/errors.js';
import { readHead, readIdentity } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { lastRewrite, lowestRewriteSince } from '../store/rewrites.js';
import type { Difference } from '../store/verify/difference.js';

interface Range {
  from: number;
  to: number;
}

interface Header {
  /** All that the run was asked for, the chain, and the release: a later one may find more. */
  asked: string;
  begun: string;
  /** The last change below the head before it began. */
  rewrite: number;
}

type Step =
  /** A height that is not the node's. */
  | { height: number; reason: string }
  /** Heights that are compared with the node. */
  | { compared: Range }
  /** A window that is compared with what follows from it. */
  | { window: Range; differences: Difference[] };

export interface VerifyJournal {
  /** When the run began that this one continues; undefined if this one begins. */
  readonly since: string | undefined;
  /** What that run found and what still holds. */
  readonly found: { heights: { height: number; reason: string }[]; rows: Difference[] };
  isCompared(height: number): boolean;
  /** To be called for each height, from the head down. */
  compared(height: number, reason: string | undefined): void;
  isVerified(window: Range): boolean;
  verified(window: Range, differences: readonly Difference[]): void;
  /** The run came to its end: the next one begins. */
  end(): void;
}

/** Heights of a step. */
const HEIGHTS = 50;

/** Opens the journal in a file, which is made if there is none. What is in it is left out if it is of another run, or void. */
export async function openJournal(file: string, database: Database, asked: object): Promise<VerifyJournal> {
  const chain = await readIdentity(database);
  const begun = new Date().toISOString();
  // Before anything is read that it is about.
  const rewrite = await lastRewrite(database);
  const head = (await readHead(database))?.height ?? -1;
  const wanted = JSON.stringify({ ...asked, schema: database.schema, chain });
  const earlier = read(file);
  const isSame = earlier?.header.asked === wanted;
  const beyond = isSame ? ((await lowestRewriteSince(database, earlier.header.rewrite)) ?? Infinity) : 0;
  const steps = isSame ? earlier.steps.flatMap((step) => below(step, beyond)) : [];
  const isContinued = steps.length > 0;
  const header: Header = { asked: wanted, begun: isContinued ? earlier!.header.begun : begun, rewrite };
  writing(file, () => {
    writeFileSync(`${file}.new`, [header, ...steps].map(lineOf).join(''));
    renameSync(`${file}.new`, file);
  });

  const add = (step: Step): void => writing(file, () => appendFileSync(file, lineOf(step)));
  const windows = new Set(steps.flatMap((step) => ('window' in step ? [labelOf(step.window)] : [])));
  const ranges = steps.flatMap((step) => ('compared' in step ? [step.compared] : []));
  let open: Range | undefined;
  return {
    since: isContinued ? header.begun : undefined,
    found: {
      heights: steps.flatMap((step) => ('height' in step ? [step] : [])),
      rows: steps.flatMap((step) => ('window' in step ? step.differences : [])),
    },
    isCompared: (height) => ranges.some(({ from, to }) => from <= height && height <= to),
    compared(height, reason) {
      // The generation at the head still grows.
      if (height >= head) return;
      if (reason !== undefined) add({ height, reason });
      if (open !== undefined && open.from - 1 !== height) {
        add({ compared: open });
        open = undefined;
      }
      open = { from: height, to: open?.to ?? height };
      if (open.to - open.from + 1 < HEIGHTS) return;
      add({ compared: open });
      open = undefined;
    },
    isVerified: (window) => windows.has(labelOf(window)),
    verified(window, differences) {
      if (window.to < head) add({ window, differences: [...differences] });
    },
    end: () => rmSync(file, { force: true }),
  };
}

const lineOf = (line: Header | Step): string => `${JSON.stringify(line)}\n`;

const labelOf = ({ from, to }: Range): string => `${from} ${to}`;

/** What of a step is about heights below one. */
function below(step: Step, beyond: number): Step[] {
  if ('height' in step) return step.height < beyond ? [step] : [];
  if ('window' in step) return step.window.to < beyond ? [step] : [];
  const { from, to } = step.compared;
  return from < beyond ? [{ compared: { from, to: Math.min(to, beyond - 1) } }] : [];
}

function read(file: string): { header: Header; steps: Step[] } | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text === '') return undefined;
  // A process that was killed may have left half a line.
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  const [header, ...steps] = lines.slice(0, -1).map(parsed);
  if (header === undefined || !('asked' in header))
    throw new MiddlewareError('usage', `${file} is no journal of a verification; it was left as it is`);
  return { header, steps: steps.filter((step): step is Step => step !== undefined && !('asked' in step)) };
}

function parsed(line: string): Header | Step | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null ? (value as Header | Step) : undefined;
  } catch {
    return undefined;
  }
}

function writing(file: string, write: () => void): void {
  try {
    write();
  } catch (error) {
    throw new MiddlewareError('usage', `The journal ${file} cannot be written: ${(error as Error).message}`);
  }
}
