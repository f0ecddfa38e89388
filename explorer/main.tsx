import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { placeOf, target } from './address.js';
import type { Place } from './address.js';
import { AccountPage } from './pages/account.js';
import { BlockPage } from './pages/block.js';
import { ChartsPage } from './pages/charts.js';
import { GenerationPage } from './pages/generation.js';
import { Home } from './pages/home.js';
import { NamePage } from './pages/name.js';
import { NamesPage } from './pages/names.js';
import { ChannelPage, ContractPage, OraclePage } from './pages/objects.js';
import { StatusPage } from './pages/status.js';
import { TransactionPage } from './pages/transaction.js';
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
  charts: ChartsPage,
  status: StatusPage,
};

const LINKS: readonly [address: string, name: string][] = [
  ['#/', 'Head'],
  ['#/names', 'Names'],
  ['#/charts', 'Charts'],
  ['#/status', 'Status'],
  ['docs', 'API'],
];

function App() {
  const [hash, setHash] = useState(location.hash);
  const main = useRef<HTMLElement>(null);
  useEffect(() => {
    const onChange = (): void => {
      setHash(location.hash);
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
        <Page key={`${place.page}/${place.of}`} place={place} />
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
