import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { parseRoute, wrongIn } from './address.js';
import type { Route } from './address.js';
import { orNothing, read, Refusal, UNREACHABLE } from './api.js';
import { setBlockTime } from './block-time.js';
import { coin, setCoin } from './coin.js';
import { Home } from './pages/home.js';
import type * as Later from './later.js';
import { copyExactAmounts } from './parts/amount.js';
import { FollowHead, Light, useHead } from './parts/head.js';
import { Keys } from './parts/keys.js';
import { Lost, WrongChecksum } from './parts/lost.js';
import { Shown, useRead } from './parts/read.js';
import { WatchReorgs } from './parts/reorg.js';
import { Search, remember } from './parts/search.js';
import { WithTrouble } from './parts/trouble.js';
import { goToPlace, keepPlaces } from './place.js';
import { PAGES } from './routes.js';
import './style.css';

type Page = (props: { route: Route }) => preact.JSX.Element;

/** The browser asks for it once: the first time that a page needs it, or when the first page is shown. */
const loadLater = (): Promise<typeof Later> =>
  import('./later.js').catch(() => {
    throw new Refusal(0, UNREACHABLE);
  });

function later(name: keyof typeof Later) {
  return function Later({ route }: { route: Route }) {
    const loaded = useRead(loadLater, []);
    return (
      <Shown of={loaded}>
        {(pages) => {
          const Page = pages[name];
          return <Page route={route} />;
        }}
      </Shown>
    );
  };
}

const SHOWN = new Map<string, Page>([
  ['', Home],
  ...Object.entries(PAGES).map(([page, name]): [string, Page] => [page, later(name)]),
]);

/** Pages that are not read again after a reorg: two update themselves, and the charts would read too much. */
const WITHOUT_REORGS = ['', 'status', 'charts'];

/** Links in the header, each with the pages that belong to it. Without an address it leads to the newest generation. */
const LINKS: readonly { address?: string; name: string; pages: readonly string[] }[] = [
  { address: '#/transactions', name: 'Transactions', pages: ['transaction', 'transactions'] },
  { name: 'Generations', pages: ['generation', 'block'] },
  { address: '#/contracts', name: 'Contracts', pages: ['contract', 'contracts'] },
  { address: '#/tokens', name: 'Tokens', pages: ['token', 'tokens'] },
  { address: '#/names', name: 'Names', pages: ['name', 'names', 'auctions'] },
  { address: '#/oracles', name: 'Oracles', pages: ['oracle', 'oracles'] },
  { address: '#/channels', name: 'Channels', pages: ['channel', 'channels'] },
  { address: '#/charts', name: 'Charts', pages: ['charts'] },
];

function App() {
  const [hash, setHash] = useState(location.hash);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    let shown = parseRoute(location.hash);
    const onChange = (): void => {
      setHash(location.hash);
      const next = parseRoute(location.hash);
      const isSame = next.page === shown.page && next.subject === shown.subject;
      shown = next;
      // No scrolling when only the page of a list changes.
      if (isSame && history.state === null) return;
      goToPlace();
      if (!isSame) main.current?.focus({ preventScroll: true });
    };
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  const route = parseRoute(hash);
  const wrong = wrongIn(route);
  const Page = SHOWN.get(route.page) ?? Unknown;
  const head = useHead()?.height;
  useEffect(() => {
    if (wrong === undefined) remember(route);
    document.title = route.page === '' ? 'Chain explorer' : `${route.subject || route.page} · Chain explorer`;
  }, [hash]);
  return (
    <>
      <a
        class="skip"
        href="#content"
        onClick={(event) => {
          event.preventDefault();
          main.current?.focus();
        }}
      >
        Skip to the content
      </a>
      <header class="top">
        <div>
          <a class="brand" href="#/">
            <svg viewBox="0 0 20 20" aria-hidden="true">
              <path d="M2 7h7v7H2zM11 3h7v5h-7zM11 10h7v7h-7z" />
            </svg>
            Chain explorer
          </a>
          <nav class="nav" aria-label="Main">
            {LINKS.map(({ address, name, pages }) => (
              <a
                key={name}
                href={address ?? `#/generation/${head ?? ''}`}
                aria-current={pages.includes(route.page) ? 'page' : undefined}
              >
                {name}
              </a>
            ))}
          </nav>
          <Search />
          <Light />
        </div>
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        <WithTrouble>
          {wrong !== undefined ? (
            <WrongChecksum route={route} id={wrong} />
          ) : WITHOUT_REORGS.includes(route.page) ? (
            <Page key={route.page} route={route} />
          ) : (
            <WatchReorgs of={`${route.page}/${route.subject}`}>
              <Page key={`${route.page}/${route.subject}`} route={route} />
            </WatchReorgs>
          )}
        </WithTrouble>
      </main>
      <footer class="foot">
        <div>
          <a href="#/status">Status</a>
          <a href="docs">API</a>
          <a href="guide">Guide</a>
          <Keys />
          <span class="right">All times are UTC. Point at an amount or copy it for all its digits.</span>
        </div>
      </footer>
    </>
  );
}

function Unknown({ route }: { route: Route }) {
  return (
    <Lost title="No such page">
      There is no page <code class="wrap">{route.page}</code>.
    </Lost>
  );
}

/** With another key all parts are drawn anew. */
const draw = (): void =>
  render(
    <FollowHead key={coin.symbol}>
      <App />
    </FollowHead>,
    document.getElementById('explorer')!,
  );

copyExactAmounts();
keepPlaces();
// Then the other pages open at once, and also without a connection.
addEventListener('load', () => void loadLater().catch(() => undefined));
draw();
void orNothing(read('/middleware/network')).then((answer) => {
  if (answer === undefined) return;
  const { currency, milliseconds_per_block: blockMs } = answer.body;
  setBlockTime(blockMs === null ? null : Number(blockMs));
  if (setCoin({ ...currency, digits: Number(currency.digits) })) draw();
});
