import { render } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { parseRoute } from './address.js';
import { orNothing, read } from './api.js';
import { coin, setCoin } from './coin.js';
import type { Route } from './address.js';
import { AccountPage } from './pages/account.js';
import { BlockPage } from './pages/block.js';
import { ContractPage } from './pages/contract.js';
import { GenerationPage } from './pages/generation.js';
import { Home } from './pages/home.js';
import { AuctionsPage, ChannelsPage, ContractsPage, OraclesPage, TransactionsPage } from './pages/lists.js';
import { NamePage } from './pages/name.js';
import { NamesPage } from './pages/names.js';
import { TransactionPage } from './pages/transaction.js';
import { Head } from './parts/card.js';
import { copyExactAmounts } from './parts/amount.js';
import { FollowHead, Light } from './parts/head.js';
import { Shown, useRead } from './parts/read.js';
import { WatchReorgs } from './parts/reorg.js';
import { Search, remember } from './parts/search.js';
import './style.css';

const PAGES: Record<string, (props: { route: Route }) => preact.JSX.Element> = {
  '': Home,
  generation: GenerationPage,
  block: BlockPage,
  transaction: TransactionPage,
  account: AccountPage,
  contract: ContractPage,
  oracle: later('OraclePage'),
  channel: later('ChannelPage'),
  name: NamePage,
  names: NamesPage,
  transactions: TransactionsPage,
  contracts: ContractsPage,
  oracles: OraclesPage,
  channels: ChannelsPage,
  auctions: AuctionsPage,
  charts: later('ChartsPage'),
  status: later('StatusPage'),
};

function later(name: 'ChannelPage' | 'ChartsPage' | 'OraclePage' | 'StatusPage') {
  return function Later({ route }: { route: Route }) {
    const loaded = useRead(() => import('./later.js'), []);
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

/** Pages that are not read again after a reorg: two update themselves, and the charts would read too much. */
const WITHOUT_REORGS = ['', 'status', 'charts'];

/** Links in the header, each with the pages that belong to it. */
const LINKS: readonly { address: string; name: string; pages: readonly string[] }[] = [
  { address: '#/transactions', name: 'Transactions', pages: ['transaction', 'transactions'] },
  { address: '#/contracts', name: 'Contracts', pages: ['contract', 'contracts'] },
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
      if (isSame) return;
      scrollTo(0, 0);
      main.current?.focus();
    };
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  const route = parseRoute(hash);
  const Page = PAGES[route.page] ?? Unknown;
  useEffect(() => {
    remember(route);
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
              <a key={address} href={address} aria-current={pages.includes(route.page) ? 'page' : undefined}>
                {name}
              </a>
            ))}
          </nav>
          <Search />
          <Light />
        </div>
      </header>
      <main id="content" ref={main} tabIndex={-1}>
        {WITHOUT_REORGS.includes(route.page) ? (
          <Page key={route.page} route={route} />
        ) : (
          <WatchReorgs of={`${route.page}/${route.subject}`}>
            <Page key={`${route.page}/${route.subject}`} route={route} />
          </WatchReorgs>
        )}
      </main>
      <footer class="foot">
        <div>
          <a href="#/status">Status</a>
          <a href="docs">API</a>
          <a href="guide">Guide</a>
          <span class="right">All times are UTC. Point at an amount or copy it for all its digits.</span>
        </div>
      </footer>
    </>
  );
}

function Unknown({ route }: { route: Route }) {
  return (
    <>
      <Head title="No such page" />
      <p>
        There is no page <code>{route.page}</code>. <a href="#/">To the head of the chain</a>
      </p>
    </>
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
draw();
void orNothing(read('/middleware/network')).then((answer) => {
  if (answer !== undefined && setCoin({ ...answer.body.currency, digits: Number(answer.body.currency.digits) })) draw();
});
