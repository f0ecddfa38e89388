import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Refusal } from '../api.js';
import { clock, integer } from '../format.js';
import { askNow, followTrouble, isOffline } from '../trouble.js';
import type { Trouble } from '../trouble.js';
import { useHead } from './head.js';
import { Icon } from './icon.js';
import { useClock } from './now.js';

function useTrouble(): Trouble | undefined {
  const [trouble, setTrouble] = useState<Trouble>();
  useEffect(() => followTrouble(setTrouble), []);
  return trouble;
}

/** The page, and above it what keeps it from being true now. What was read before stays, grey but as readable as before. */
export function WithTrouble({ children }: { children: ComponentChildren }) {
  const trouble = useTrouble();
  const head = useHead();
  return (
    <>
      {trouble !== undefined && <TroubleNote of={trouble} />}
      {trouble === undefined && head?.lostAt !== undefined && (
        <div class="note wait" role="status">
          <Icon name="offline" />
          <p>
            <b>The stream of events is interrupted.</b> The page reconnects by itself; until then it may be out of date.
          </p>
        </div>
      )}
      <div class={isOffline(trouble) ? 'old' : undefined}>{children}</div>
    </>
  );
}

function TroubleNote({ of }: { of: Trouble }) {
  const offline = isOffline(of);
  const { error, since, tries } = of;
  return (
    <div class={`note ${offline ? 'wait' : 'bad'}`} role={offline ? 'status' : 'alert'}>
      <Icon name={offline ? 'offline' : 'trouble'} />
      <div>
        {offline ? (
          <p>
            <b>No connection since {clock(since)}.</b> {messageOf(error)} You see what was true then; ages and balances
            stand still.
          </p>
        ) : (
          <p>
            <b>The server cannot answer now</b> ({error instanceof Refusal && `${error.status}: `}
            {messageOf(error)}).
          </p>
        )}
        <p aria-live="off">
          This page asks again by itself, next in <Left until={of.next} />.{' '}
          {tries > 0 && `It has asked ${tries === 1 ? 'once' : `${integer(tries)} times`}.`}
        </p>
      </div>
      <span class="right">
        <button type="button" class="btn" onClick={askNow}>
          <Icon name="again" />
          Ask now
        </button>
      </span>
    </div>
  );
}

const Left = ({ until }: { until: number }) => <>{integer(Math.max(0, Math.ceil((until - useClock()) / 1000)))} s</>;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
