/** The head of the chain, for all parts of the page: its height, how old it is, and when heights to come are reached. */
import { createContext } from 'preact';
import type { ComponentChildren } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import { read } from '../api.js';
import { clock, integer, shortly } from '../format.js';
import type { Integer } from '../json.js';
import { followEvents } from '../stream.js';
import { answered, isOffline, settled, waitFor } from '../trouble.js';
import { useClock, useNow } from './now.js';

export interface ChainHead {
  height: number;
  /** Time of the newest block, ms. */
  time: number;
  /** Mean time between the last key blocks, ms. */
  interval: number;
  /** By how much the height of a micro block is above that of its generation: 1 on a hyperchain. */
  ahead: number;
  /** Since when the stream of events is interrupted, ms; undefined while it is open. */
  lostAt: number | undefined;
}

/** Key blocks from which the mean time between two is computed. */
const BLOCKS = 100;
/** Age from which the light says that no blocks come: of a micro block that should come each 3 s, ms, and in times between key blocks. */
const LATE_MS = 30_000;
const DEAD_BLOCKS = 5;

const HeadContext = createContext<ChainHead | undefined>(undefined);

/** Undefined until it was read. */
export const useHead = (): ChainHead | undefined => useContext(HeadContext);

export function FollowHead({ children }: { children: ComponentChildren }) {
  const [head, setHead] = useState<ChainHead>();
  useEffect(() => {
    let ended = false;
    let lostAt: number | undefined;
    const load = (): void => {
      readHead().then(
        (now) => {
          answered(load);
          if (!ended) setHead({ ...now, lostAt });
        },
        (error: unknown) => !ended && waitFor(load, error, load),
      );
    };
    const close = followEvents({
      onEvent({ kind, payload }) {
        if (kind === 'rollback') load();
        else if (kind === 'key_blocks' || kind === 'micro_blocks') {
          const [height, time] = [Number(payload.height), Number(payload.time)];
          const isKey = kind === 'key_blocks';
          setHead(
            (before) => before && { ...before, height: isKey ? Math.max(height, before.height) : before.height, time },
          );
        }
      },
      onConnected(connected) {
        lostAt = connected ? undefined : (lostAt ?? Date.now());
        setHead((before) => before && { ...before, lostAt });
        // Without events only a request shows whether the server is there.
        load();
      },
    });
    load();
    return () => {
      ended = true;
      settled(load);
      close();
    };
  }, []);
  return <HeadContext.Provider value={head}>{children}</HeadContext.Provider>;
}

async function readHead(): Promise<Omit<ChainHead, 'lostAt'>> {
  const { body: current } = await read('/v2/key-blocks/current/height');
  const height = Number(current.height);
  const first = Math.max(0, height - BLOCKS);
  const keyBlock = async (at: number) => (await read('/v2/key-blocks/height/{height}', { height: at })).body;
  const [newest, oldest] = await Promise.all([keyBlock(height), keyBlock(first)]);
  const [time, before] = [Number(newest.time), Number(oldest.time)];
  const interval = height > first ? (time - before) / (height - first) : 0;
  return { height, time, interval, ahead: isSigned(newest.pow) ? 1 : 0 };
}

/** On a hyperchain `pow` is a signature, 16 numbers, and zeros. */
const isSigned = (pow: readonly Integer[] | undefined): boolean =>
  pow !== undefined && pow.slice(16).every((part) => Number(part) === 0);

/** The generation of a block or transaction that says this height. */
export function useGenerationOf(): (blockHeight: Integer) => number {
  const ahead = useHead()?.ahead ?? 0;
  return (blockHeight) => Number(blockHeight) - ahead;
}

/** The generation of a transaction, with a link. */
export function InGeneration({ blockHeight }: { blockHeight: Integer }) {
  return <Height height={useGenerationOf()(blockHeight)} />;
}

/** The light in the header. It pulses while blocks come. */
export function Light() {
  const head = useHead();
  const now = useNow();
  const clockNow = useClock();
  if (head === undefined) return null;
  const age = now - head.time;
  const isDead =
    head.lostAt === undefined ? age > Math.max(DEAD_BLOCKS * head.interval, LATE_MS) : clockNow - head.lostAt > LATE_MS;
  const tone = isDead ? 'bad' : head.lostAt !== undefined || age > LATE_MS ? 'wait' : 'pulse';
  return (
    <a
      class="live"
      href={`#/generation/${head.height}`}
      title={head.lostAt === undefined ? 'The newest generation' : 'No events'}
    >
      <span class={`dot ${tone}`} />
      <b>{integer(head.height)}</b> <span>{isOffline() ? `at ${clock(head.time)}` : `${shortly(age)} ago`}</span>
    </a>
  );
}

/** A height with a link to its generation; one to come as a time, because nobody can open it yet. */
export function Height({ height }: { height: Integer }) {
  const time = useTimeOf(height);
  if (time !== undefined) {
    const [about, date] = time.split(/ (?=\()/);
    return (
      <span title={`generation ${integer(height)}`}>
        {about} <span class="date">{date}</span>
      </span>
    );
  }
  return <a href={`#/generation/${height}`}>{integer(height)}</a>;
}

/** When a height to come is reached, in words; undefined for the others. */
export function useTimeOf(height: Integer): string | undefined {
  const head = useHead();
  const now = useNow();
  if (head === undefined || Number(height) <= head.height) return undefined;
  return aboutIn((Number(height) - head.height) * head.interval, now);
}

/** `in about 23 h (25 Nov 14:10 UTC)`; up to two days in hours. The year is shown if it is another one. */
export function aboutIn(left: number, now: number): string {
  const at = new Date(now + left);
  const [day, month] = [at.getUTCDate(), MONTHS[at.getUTCMonth()]];
  const year = at.getUTCFullYear() === new Date(now).getUTCFullYear() ? '' : ` ${at.getUTCFullYear()}`;
  const length = left > HOUR_MS && left < 2 * DAY_MS ? `${Math.round(left / HOUR_MS)} h` : shortly(left);
  return `in about ${length} (${day} ${month}${year} ${at.toISOString().slice(11, 16)} UTC)`;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
