/** Pages of what cannot be shown. Each says which of three it is: wrong checksum, right but unknown, not there yet. */
import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { correctedId, pageOf } from '../address.js';
import type { Route } from '../address.js';
import { Badge } from './marks.js';
import { Id } from './values.js';

interface Way {
  text: ComponentChildren;
  address: string;
}

const HOME: Way = { text: 'Go to the head of the chain', address: '#/' };

/** `ways` lead on; the last one is always to the head of the chain. */
export function Lost(props: {
  title: string;
  state?: string;
  id?: string;
  ways?: readonly Way[];
  children: ComponentChildren;
}) {
  const { title, state = 'Not found', id, ways = [], children } = props;
  return (
    <div class="lost">
      <Badge icon="info">{state}</Badge>
      <h1>{title}</h1>
      {id !== undefined && (
        <p class="wrap">
          <code>{id}</code>
        </p>
      )}
      <p class="why">{children}</p>
      <ul class="try">
        {[...ways, HOME].map(({ text, address }) => (
          <li key={address}>
            <span>{text}</span>
            <a class="go" href={address} aria-label={address === '#/' ? 'Open the head of the chain' : undefined}>
              Open
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** What no thing has, by the page that would show it. */
const TITLES: Record<string, string> = {
  account: 'No account has this identifier',
  block: 'No block has this hash',
  transaction: 'No transaction has this hash',
  contract: 'No contract has this identifier',
  oracle: 'No oracle has this identifier',
  channel: 'No channel has this identifier',
  name: 'No name has this hash',
};

export const titleOfMissing = (page: string): string => TITLES[page] ?? 'There is no such page';

/** The identifier in the address cannot exist. */
export function WrongChecksum({ route: { page }, id }: { route: Route; id: string }) {
  const [right, setRight] = useState<{ of: string; id: string | undefined }>();
  // It takes a tenth of a second: the page is there before.
  useEffect(() => {
    const timer = setTimeout(() => setRight({ of: id, id: correctedId(id) }));
    return () => clearTimeout(timer);
  }, [id]);
  const meant = right?.of === id ? right.id : undefined;
  return (
    <Lost title={titleOfMissing(page)} id={id} ways={meant === undefined ? [] : [didYouMean(meant)]}>
      The checksum at its end is wrong: a letter was lost or changed when it was copied. Nothing on the chain can have
      this {/hash$/.test(titleOfMissing(page)) ? 'hash' : 'identifier'}.
    </Lost>
  );
}

const didYouMean = (id: string): Way => ({
  text: (
    <>
      Did you mean <Id id={id} short />? <span class="quiet">one letter differs</span>
    </>
  ),
  address: pageOf(id)!,
});
