import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { placeOf, target } from './address.js';
import type { Place } from './address.js';
import { AccountPage } from './pages/account.js';
import { BlockPage } from './pages/block.js';
import { ChannelPage } from './pages/channel.js';
import { ContractPage } from './pages/contract.js';
import { GenerationPage } from './pages/generation.js';
import { Home } from './pages/home.js';
import { NamePage } from './pages/name.js';
import { NamesPage } from './pages/names.js';

import { OraclePage } from './pages/oracle.js';
import { StatusPage } from './pages/status.js';
import { TransactionPage } from './pages/transaction.js';
import { Shown, useRead } from './parts/read.js';
import { WatchReorgs } from './parts/reorg.js';
import 'uplot/dist/uPlot.min.css';
import './style.css';

const PAGES: Record<string, (props: { place: Place }) => preact.JSX.Element> = {
  '': Home,
  generation: GenerationPage,
  block: BlockPage,
  transaction: TransactionPage,
  account: AccountPage,
  contract: ContractPage,
  oracle: OraclePage,
  channel: ChannelPage,
  name: NamePage,
  names: NamesPage,
  charts: LazyCharts,
  status: StatusPage,
};

/** What draws charts is nearly half of all code: it is loaded with the first page that has any. */
function LazyCharts() {
  const loaded = useRead(() => import('./pages/charts.js'), []);
  return <Shown of={loaded}>{({ ChartsPage }) => <ChartsPage />}</Shown>;
}

/** Pages that read again by themselves, and the charts, which ask for much and are about sizes. */
const UNWATCHED = ['', 'status', 'charts'];

const LINKS: readonly [address: string, name: string][] = [
  ['#/', 'Head'],
  ['#/names', 'Names'],
  ['#/charts', 'Charts'],
  ['#/status', 'Status'],
  ['docs', 'API'],
  ['guide', 'Guide'],
];

function App() {
  const [hash, setHash] = useState(location.hash);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    let shown = placeOf(location.hash);
    const onChange = (): void => {
      setHash(location.hash);
      const next = placeOf(location.hash);
      const isSame = next.page === shown.page && next.of === shown.of;
      shown = next;
      // Who goes through the pages of a list stays where the list is.
      if (isSame) return;
      scrollTo(0, 0);
      main.current?.focus();
    };
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  const place = placeOf(hash);
  const Page = PAGES[place.page] ?? Unknown;
  useEffect(() => {
    document.title = place.page === '' ? 'Chain explorer' : `${place.of || place.page} · Chain explorer`;
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
      <header>
        <a class="brand" href="#/">
          Chain explorer
        </a>
        <Search />
        <nav aria-label="Pages">
          {LINKS.map(([address, name]) => (
            <a key={address} href={address} aria-current={address === `#/${place.page}` ? 'page' : undefined}>
              {name}
            </a>
          ))}
        </nav>
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        {UNWATCHED.includes(place.page) ? (
          <Page key={place.page} place={place} />
        ) : (
          <WatchReorgs of={`${place.page}/${place.of}`}>
            <Page key={`${place.page}/${place.of}`} place={place} />
          </WatchReorgs>
        )}
      </main>
    </>
  );
}

function Search() {
  const [text, setText] = useState('');
  const go = (event: Event): void => {
    event.preventDefault();
    const address = target(text);
    if (address === undefined) return;
    location.hash = address;
    setText('');
  };
  return (
    <form role="search" onSubmit={go}>
      <input
        type="search"
        aria-label="Search for an identifier, a height or a name"
        placeholder="Identifier, height or name"
        value={text}
        spellcheck={false}
        autocomplete="off"
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <button>Search</button>
    </form>
  );
}

function Unknown({ place }: { place: Place }) {
  return (
    <>
      <h1>No such page</h1>
      <p>
        There is no page <code>{place.page}</code>. <a href="#/">To the head of the chain</a>
      </p>
    </>
  );
}

render(<App />, document.getElementById('explorer')!);
