import { EVENT_KINDS, TOPICS } from '../src/chain/event-kinds.js';

/** The table of topics in `docs/events.md`. */
export const topicsTable = (): string =>
  table(
    ['`payload`', 'or', 'Events'],
    Object.entries(TOPICS).map(([topic, { alias, reports }]) => [`\`${topic}\``, `\`${alias}\``, reports]),
  );

/** The table of event kinds in `docs/events.md`. */
export const kindsTable = (): string =>
  table(
    ['Kind', 'Subscribers', 'Announced', 'Meaning'],
    Object.entries(EVENT_KINDS).map(([kind, { topic, toObjects, also, announced, description }]) => [
      `\`${kind}\``,
      [topic, ...(toObjects ? ['object'] : []), ...(also ? [also.topic] : [])].map((name) => `\`${name}\``).join(', '),
      announced ? 'yes' : 'no',
      description,
    ]),
  );

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
