/** State and type of a transaction, in words, with a sign and a colour beside them. */
import type { ComponentChildren } from 'preact';
import { pageOf } from '../address.js';
import { typeInWords } from '../format.js';
import { Icon } from './icon.js';
import type { IconName } from './icon.js';

/** How a transaction ended, as the lists of the API say. */
export type Outcome = 'ok' | 'revert' | 'error' | 'pending' | 'unknown';

type Tone = 'good' | 'bad' | 'wait' | '';

const OUTCOMES: Record<Outcome, { tone: Tone; icon: IconName; word: string }> = {
  ok: { tone: 'good', icon: 'done', word: 'Done' },
  revert: { tone: 'bad', icon: 'failed', word: 'Failed' },
  error: { tone: 'bad', icon: 'failed', word: 'Failed' },
  pending: { tone: 'wait', icon: 'waiting', word: 'Waiting' },
  unknown: { tone: '', icon: 'unknown', word: 'Result unknown' },
};

/** A state. `small`: in rows, and then without an icon. */
export function Badge(props: { tone?: Tone; icon?: IconName; small?: boolean; children: ComponentChildren }) {
  const { tone = '', icon, small = false, children } = props;
  return (
    <span class={`badge ${tone}${small ? ' s' : ''}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}

/** The state of a transaction beside the title of its page. `children` come after the word: `for 4 s`. */
export function OutcomeBadge({ of, children }: { of: Outcome; children?: ComponentChildren }) {
  const { tone, icon, word } = OUTCOMES[of];
  return (
    <Badge tone={tone} icon={icon}>
      <span>
        {word} {children}
      </span>
    </Badge>
  );
}

/** In a row only failed and waiting are shown in words, with the reason if it is known. */
export function RowBadge({ of, reason }: { of: Outcome; reason?: string | undefined }) {
  const { tone, word } = OUTCOMES[of];
  if (tone !== 'bad' && tone !== 'wait') return null;
  return (
    <Badge tone={tone} small>
      {reason ?? word.toLowerCase()}
    </Badge>
  );
}

/** State and type of a transaction in a row. On a phone, where its hash is not shown, the type leads to the transaction. */
export function Mark({ of, type, opens }: { of: Outcome; type: string; opens: string }) {
  const { tone, icon, word } = OUTCOMES[of];
  return (
    <span class={`st ${tone === 'good' ? '' : tone}`} title={word}>
      <Icon name={icon} />
      <span class="skip">{word}</span>
      <span class="notphone">
        <Type of={type} />
      </span>
      <a class="onlyphone" href={pageOf(opens)}>
        <Type of={type} />
      </a>
    </span>
  );
}

export const KINDS = ['pay', 'call', 'name', 'oracle', 'channel'] as const;

/** What a transaction is about. Each kind has one colour in lists and charts. */
export type Kind = (typeof KINDS)[number];

export const KIND_NAMES: Record<Kind, string> = {
  pay: 'Payments',
  call: 'Contracts',
  name: 'Names',
  oracle: 'Oracles',
  channel: 'Channels',
};

const KIND_BY_TYPE: readonly [RegExp, Kind][] = [
  [/^Spend/, 'pay'],
  [/^(Contract|GA|PayingFor)/, 'call'],
  [/^Name/, 'name'],
  [/^Oracle/, 'oracle'],
];

export const kindOf = (type: string): Kind => KIND_BY_TYPE.find(([types]) => types.test(type))?.[1] ?? 'channel';

/** `SpendTx` as a blue square and `Spend`. */
export const Type = ({ of }: { of: string }) => <span class={`type ${kindOf(of)}`}>{typeInWords(of)}</span>;
