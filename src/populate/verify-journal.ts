/**
 * The progress of a verification in a file: a header, then one line of JSON per finished step. If a run is killed, the next run with the same
 * options continues it. Nothing is written to the copy, so that a user with read rights can verify it.
 *
 * A step is valid until its heights change: a change at a height voids all steps from that height on. Parts that a new block can change
 * (names, lists, rankings) are not in the journal; each run verifies them at its end.
 */
import { appendFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { MiddlewareError } from '../observe/errors.js';
import { readHead, readIdentity } from '../store/chain-state.js';
import type { Database } from '../store/connection/database.js';
import { lastRewrite, lowestRewriteSince } from '../store/rewrites.js';
import type { ReportedDifference } from '../store/facts/difference.js';

interface Range {
  from: number;
  to: number;
}

interface Header {
  /** JSON of the options, the schema, the chain and the release: another release may find more. */
  asked: string;
  /** When the run began, ISO 8601. */
  begun: string;
  /** Number of the last change below the head before the run began. */
  rewrite: number;
}

type Step =
  /** A height that differs from the node's. */
  | { height: number; reason: string }
  /** Heights that were compared with the node. */
  | { compared: Range }
  /** A window of heights whose rows were compared with what follows from its facts. */
  | { window: Range; differences: ReportedDifference[] };

export interface VerifyJournal {
  /** When the run began that this one continues, ISO 8601; undefined if this one continues none. */
  readonly since: string | undefined;
  /** What that run found, as far as it is still valid. */
  readonly found: { heights: { height: number; reason: string }[]; rows: ReportedDifference[] };
  isCompared(height: number): boolean;
  /** Call it for each height, from the head down. `reason` says how the height differs. */
  compared(height: number, reason: string | undefined): void;
  isVerified(window: Range): boolean;
  verified(window: Range, differences: readonly ReportedDifference[]): void;
  /** Call it when the run is complete. Removes the file, so that the next run starts from the beginning. */
  end(): void;
}

/** Heights of a `compared` step. */
const STEP_HEIGHTS = 50;

/** Opens the journal, and makes the file if there is none. Steps of a run with other options, and void steps, are dropped. */
export async function openJournal(file: string, database: Database, asked: object): Promise<VerifyJournal> {
  const chain = await readIdentity(database);
  const begun = new Date().toISOString();
  // Read first: changes after this moment then void the steps of this run.
  const rewrite = await lastRewrite(database);
  const head = (await readHead(database))?.height ?? -1;
  const options = JSON.stringify({ ...asked, schema: database.schema, chain });
  const earlier = read(file);
  const isSame = earlier?.header.asked === options;
  const voidFrom = isSame ? ((await lowestRewriteSince(database, earlier.header.rewrite)) ?? Infinity) : 0;
  const steps = isSame ? earlier.steps.flatMap((step) => below(step, voidFrom)) : [];
  const isContinued = steps.length > 0;
  const header: Header = { asked: options, begun: isContinued ? earlier!.header.begun : begun, rewrite };
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
      // Not in the journal: the generation at the head still grows.
      if (height >= head) return;
      if (reason !== undefined) add({ height, reason });
      if (open !== undefined && open.from - 1 !== height) {
        add({ compared: open });
        open = undefined;
      }
      open = { from: height, to: open?.to ?? height };
      if (open.to - open.from + 1 < STEP_HEIGHTS) return;
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

/** The part of a step that is about heights below `end`. */
function below(step: Step, end: number): Step[] {
  if ('height' in step) return step.height < end ? [step] : [];
  if ('window' in step) return step.window.to < end ? [step] : [];
  const { from, to } = step.compared;
  return from < end ? [{ compared: { from, to: Math.min(to, end - 1) } }] : [];
}

function read(file: string): { header: Header; steps: Step[] } | undefined {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (text === '') return undefined;
  // The last line may be incomplete if the process was killed.
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
