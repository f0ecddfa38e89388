import { EVENT_KINDS, TOPICS } from '../src/chain/event-kinds.js';

/** The table of `docs/events.md` of what one can subscribe to. */
export const topicsTable = (): string =>
  table(
    ['`payload`', 'or', 'Events'],
    Object.entries(TOPICS).map(([topic, { alias, reports }]) => [`\`${topic}\``, `\`${alias}\``, reports]),
  );

/** The table of `docs/events.md` of the kinds in the event log. */
export const kindsTable = (): string =>
  table(
    ['Kind', 'Subscribers', 'Announced', 'Meaning'],
    Object.entries(EVENT_KINDS).map(([kind, { topic, toObjects, announced, description }]) => [
      `\`${kind}\``,
      `\`${topic}\`${toObjects ? ', `object`' : ''}`,
      announced ? 'yes' : 'no',
      description,
    ]),
  );

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
