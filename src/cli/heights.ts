import type { WorkSettings } from '../chain/networks.js';
import { PROVABLE } from '../chain/protocol/generations.js';
import type { HeightRange } from '../config.js';
import { formatHeights } from '../config.js';
import type { Logger } from '../observe/logger.js';
import { createProgress } from '../observe/progress.js';
import { linePrinter } from '../observe/screen.js';
import type { Screen } from '../observe/screen.js';
import { version } from '../observe/version.js';
import type { NodePool } from '../node/pool.js';
import { compareCopies } from '../populate/compare-copies.js';
import { replaceHeights } from '../populate/heights.js';
import type { FailedHeight } from '../populate/heights.js';
import { rulesOf, storedRules } from '../populate/rules.js';
import { verify } from '../populate/verify.js';
import { openJournal } from '../populate/verify-journal.js';
import type { VerifyJournal } from '../populate/verify-journal.js';
import { verifyProjections } from '../populate/verify-projections.js';
import type { ReportedDifference } from '../populate/verify-projections.js';
import { readHead } from '../store/chain-state.js';
import { recordedNetwork } from '../store/queries/network.js';
import type { Database } from '../store/connection/database.js';
import type { Committed } from '../store/write/commit.js';
import type { TerminationMessage } from './termination-message.js';

interface Options {
  database: Database;
  node: NodePool;
  logger: Logger;
  screen: Screen;
  signal: AbortSignal;
  /** Called after each height. */
  onProgress?: ((done: number, total: number) => void) | undefined;
}

/** Max characters of heights in a termination message. */
const MAX_HEIGHTS_LENGTH = 1_000;

/** `-H`: reloads heights and prints each one that failed. The returned message is `ok` if none did. */
export async function loadHeights(
  options: Options & { heights: HeightRange[]; work: WorkSettings },
): Promise<TerminationMessage> {
  const { heights, logger, screen, signal, onProgress } = options;
  const print = linePrinter(screen, 'stderr');
  const total = heights.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const progress = createProgress({ what: 'Loading', logger, screen });
  let done = 0;
  let transactions = 0;
  onProgress?.(0, total);
  const onHeight = (height: number, written: Committed) => {
    transactions += written.transactions;
    if (written.unproven.length > 0)
      logger.warn({ height, unproven: written.unproven }, 'Stored objects that could not be proven');
    progress.update({ done: ++done, total, height, transactions });
    onProgress?.(done, total);
  };
  try {
    const rules = (await storedRules(options)) ?? rulesOf(await options.node.status(), options.work);
    const { failed } = await replaceHeights({ ...options, ...rules, onHeight });
    progress.end();
    for (const { height, reason } of failed) print(`Height ${height} failed: ${firstLine(reason)}`);
    const message = `Replaced ${done} of ${total} heights (${formatHeights(heights)})`;
    print(message);
    return failed.length === 0 ? { ok: true, message, done, total } : failure(failed, done, total);
  } catch (error) {
    progress.end();
    if (!signal.aborted) throw error;
    const message = `Interrupted: replaced ${done} of ${total} heights`;
    print(message);
    return { ok: false, code: 'interrupted', message, done, total };
  }
}

function failure(failed: readonly FailedHeight[], done: number, total: number): TerminationMessage {
  const [{ height, reason }] = failed as [FailedHeight];
  const { text, cut } = heightList(failed.map((one) => one.height));
  return {
    ok: false,
    code: 'heights_failed',
    message: `${failed.length} of ${total} heights failed; height ${height}: ${firstLine(reason)}`,
    done,
    total,
    // Only a complete list: a process that loads these heights again must not miss any.
    ...(!cut && { failing: text }),
    branch: failed.every(({ code }) => code === 'other_branch'),
  };
}

interface VerifyHeightsOptions extends Omit<Options, 'node'> {
  /** Null: no node is used, and the copy is proven by its own hashes. */
  node: NodePool | null;
  heights: HeightRange[] | undefined;
  /** Whether blocks whose protocol version is not known are no difference. */
  acceptUnknownProtocol: boolean;
  /** Number of connections to the database that work at a time. */
  jobs: number;
  json: boolean;
  /** Whether only differences are printed. */
  quiet: boolean;
  /** Another copy of the same chain that is also compared. */
  other: Database | undefined;
  /** File of the journal, with which a later run can continue this one. */
  resume: string | undefined;
}

/** Max differing rows of one table that are printed. The others are only counted. */
const MAX_REPORTED = 100;

/** The whole copy is verified if the given heights contain all except at most this many at the head. */
const MAX_MISSING_AT_HEAD = 1_000;

/**
 * `-v`: compares heights with the node and the copy with its own facts. Prints to standard output one line for each height
 * and each row that does not follow from the facts, and to standard error a summary. The returned message is `ok` if nothing
 * differs.
 */
export async function verifyHeights(options: VerifyHeightsOptions): Promise<TerminationMessage> {
  const { database, node, heights, signal, other, logger, screen, onProgress } = options;
  const print = linePrinter(screen, 'stderr');
  const total = heights?.reduce((sum, { from, to }) => sum + to - from + 1, 0);
  const findings = createFindings(options);
  const head = (await readHead(database))?.height ?? -1;
  const journal = await resumeJournal(options, findings);
  // Without bars, the lines of the heights already show the progress.
  const progress = screen.hasBars ? createProgress({ what: 'Comparing with the node', logger, screen }) : undefined;
  let checked = 0;
  const isVerified = (height: number): boolean => {
    if (journal?.isCompared(height) !== true) return false;
    checked++;
    return true;
  };
  try {
    if (node !== null) {
      const verdicts = verify({ database, node, signal, isVerified, ...(heights && { heights }) });
      for await (const { height, ok, reason } of verdicts) {
        checked++;
        journal?.compared(height, ok ? undefined : reason);
        findings.height(height, ok, reason);
        progress?.update({ done: checked, total: total ?? checked + height, height });
        onProgress?.(checked, total ?? checked + height);
      }
    }
    progress?.end();
    await verifyCopy(options, head, findings, journal);
    if (node === null) checked = total ?? head + 1;
    if (other !== undefined) {
      const { differs } = await compareCopies(database, other);
      if (differs !== undefined) findings.height(differs.height, false, `${differs.reason} (schema ${other.schema})`);
    }
    journal?.end();
  } catch (error) {
    if (!signal.aborted) throw error;
  } finally {
    progress?.end();
  }
  const { heights: differing, rows, reasons } = findings;
  const counts = [
    ...(differing.size > 0 ? [`${differing.size} not OK`] : []),
    ...(rows > 0 ? [`${rows} rows not OK that reloading heights does not repair`] : []),
  ];
  await printProvable(database, print);
  const count = `${checked} heights verified, ${counts.length === 0 ? 'all OK' : counts.join(', ')}`;
  print(`${signal.aborted ? 'Interrupted: ' : ''}${count}`);
  if (signal.aborted) return { ok: false, code: 'interrupted', message: `Interrupted: ${count}`, checked };
  if (counts.length === 0) return { ok: true, message: count, checked };
  const { text, cut } = heightList([...differing]);
  const message = `${count}; ${reasons.slice(0, 3).join('; ')}`;
  // Rows that belong to no height are not repaired by reloading heights.
  const isPart = cut || rows > 0;
  return { ok: false, code: 'differs', message, checked, differing: text, ...(isPart && { cut: true }) };
}

/** Says what cannot be proven of a chain without a proof of work. */
async function printProvable(database: Database, print: (line: string) => void): Promise<void> {
  const consensus = (await recordedNetwork(database)).row?.consensus;
  if (consensus !== undefined && consensus !== 'pow') print(`The chain is ${PROVABLE[consensus]}`);
}

/** Opens the journal if there is one, and reports again what the earlier run found. */
async function resumeJournal(
  { database, node, heights, other, resume, screen }: VerifyHeightsOptions,
  findings: Findings,
): Promise<VerifyJournal | undefined> {
  if (resume === undefined) return undefined;
  const asked = { version, heights: heights ?? null, offline: node === null, against: other?.schema ?? null };
  const journal = await openJournal(resume, database, asked);
  if (journal.since !== undefined)
    linePrinter(screen, 'stderr')(`Continues the verification begun at ${journal.since} (${resume})`);
  for (const { height, reason } of journal.found.heights) findings.height(height, false, reason);
  for (const difference of journal.found.rows) findings.row(difference);
  return journal;
}

/** Compares the copy with its own facts: all rows, or those of some heights. */
async function verifyCopy(
  options: VerifyHeightsOptions,
  head: number,
  findings: Findings,
  windows: VerifyJournal | undefined,
): Promise<void> {
  const { database, node, heights, jobs, logger, screen, signal, acceptUnknownProtocol } = options;
  const isWhole =
    heights === undefined || heights.some(({ from, to }) => from === 0 && to >= head - MAX_MISSING_AT_HEAD && to > 0);
  const progress = createProgress({ what: 'Comparing with the facts', logger, screen });
  const total = head + 1;
  try {
    await verifyProjections({
      database,
      heights: isWhole ? undefined : heights,
      prove: node === null,
      acceptUnknownProtocol,
      jobs,
      signal,
      windows,
      onDifference: (difference) => findings.row(difference),
      onProgress: (done, pieces, transactions) =>
        progress.update({ done: Math.floor((total * done) / pieces), total, height: head, transactions }),
    });
  } finally {
    progress.end();
  }
}

interface Findings {
  height(height: number, ok: boolean, reason: string | undefined): void;
  row(difference: ReportedDifference): void;
  /** Heights that differ. */
  readonly heights: ReadonlySet<number>;
  /** Number of differing rows that belong to no height. Reloading heights does not repair them. */
  readonly rows: number;
  /** The first differences, as sentences. */
  readonly reasons: readonly string[];
}

/** Prints each finding at once, and collects them in limited memory. */
function createFindings({ json, quiet, screen }: { json: boolean; quiet: boolean; screen: Screen }): Findings {
  const print = linePrinter(screen, 'stdout');
  const heights = new Set<number>();
  const notOfNode = new Set<number>();
  const reasons: string[] = [];
  const reportedOf = new Map<string, number>();
  let rows = 0;
  const addReason = (reason: string): void => {
    if (reasons.length < MAX_REPORTED) reasons.push(reason);
  };
  return {
    heights,
    reasons,
    get rows() {
      return rows;
    },
    height(height, ok, reason) {
      if (!ok) {
        heights.add(height);
        notOfNode.add(height);
        addReason(`height ${height}: ${firstLine(reason ?? '')}`);
      }
      if (ok && quiet) return;
      if (json) print(JSON.stringify({ height, ok, ...(reason !== undefined && { reason }) }));
      else print(`Height ${height} ${ok ? 'OK' : `not OK: ${firstLine(reason ?? '')}`}`);
    },
    row(difference) {
      const { table, height } = difference;
      // If a height differs from the node, its rows differ too, and are not reported again.
      if (height !== null && notOfNode.has(height)) return;
      if (height === null) rows++;
      else heights.add(height);
      const count = (reportedOf.get(table) ?? 0) + 1;
      reportedOf.set(table, count);
      if (count > MAX_REPORTED) return;
      const text = sentence(difference);
      addReason(`${height === null ? '' : `height ${height}: `}${text}`);
      if (json) print(JSON.stringify({ ...difference, ok: false }));
      else print(`${height === null ? 'Not' : `Height ${height} not`} OK: ${text}`);
    },
  };
}

function sentence({ table, key, column, expected, stored }: ReportedDifference): string {
  if (column === null) return `${table}: row ${key} ${stored === null ? 'is missing' : 'must not exist'}`;
  return firstLine(`${table}: ${column} of row ${key} is ${shown(stored)}, expected ${shown(expected)}`);
}

const shown = (value: string | null): string => (value === null ? 'empty' : value.slice(0, 300));

/** Heights in the form of `-H`. If there are too many, the text is cut at the end and `cut` is true. */
function heightList(heights: readonly number[]): { text: string; cut: boolean } {
  const ranges: HeightRange[] = [];
  for (const height of [...new Set(heights)].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last !== undefined && last.to === height - 1) last.to = height;
    else ranges.push({ from: height, to: height });
  }
  const text = formatHeights(ranges);
  if (text.length <= MAX_HEIGHTS_LENGTH) return { text, cut: false };
  return { text: text.slice(0, text.lastIndexOf(',', MAX_HEIGHTS_LENGTH)), cut: true };
}

const firstLine = (text: string): string => text.split('\n')[0] ?? '';
