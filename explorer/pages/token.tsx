/** A token with its holders and transfers, or a collection with its tokens. */
import { useState } from 'preact/hooks';
import { read, urlOf } from '../api.js';
import type { Route } from '../address.js';
import { integer } from '../format.js';
import type { Integer } from '../json.js';
import { Allowances } from '../parts/allowances.js';
import { Card, Empty, Figure, Figures, Head, Note } from '../parts/card.js';
import { Height } from '../parts/head.js';
import { mentions, ofTransaction, useLiveRead } from '../parts/live-read.js';
import { Lost } from '../parts/lost.js';
import { Metadata } from '../parts/metadata.js';
import { CursorPages, PER_PAGE } from '../parts/pages.js';
import { Party } from '../parts/party.js';
import { Shown, isUnknown } from '../parts/read.js';
import { SaveCsv } from '../parts/save-csv.js';
import { Supply } from '../parts/supply.js';
import { Swaps } from '../parts/swaps.js';
import { BoneRows, Rows } from '../parts/table.js';
import { Tabs, tabOf } from '../parts/tabs.js';
import type { Tab } from '../parts/tabs.js';
import { Foreign, Symbol, TokenAmount, TokenName, TokenNum, decimalsInWords } from '../parts/token.js';
import { Age, Fact, Facts, Id } from '../parts/values.js';

type Token = Awaited<ReturnType<typeof load>>;

const load = async (contract: string, signal: AbortSignal) =>
  (await read('/middleware/tokens/{contract}', { contract }, signal)).body;

export function TokenPage({ route }: { route: Route }) {
  const { subject: contract } = route;
  const loaded = useLiveRead((signal) => load(contract, signal), [contract], ofTransaction(mentions(contract)));
  if (isUnknown(loaded))
    return (
      <Lost
        title="This contract is no token"
        id={contract}
        ways={[{ text: 'Go to the contract', address: `#/contract/${contract}` }]}
      >
        It does not have all functions of a token or a collection, or its code is not known yet.
      </Lost>
    );
  const token = loaded.state === 'loaded' ? loaded.value : undefined;
  return (
    <>
      <Head
        eyebrow={
          <>
            {token?.standard === 'aex141' ? 'Collection' : 'Token'}
            {token !== undefined && <span class="plain">{token.standard === 'aex141' ? 'AEX-141' : 'AEX-9'}</span>}
            {token?.extensions.slice(0, MAX_EXTENSIONS).map((one) => (
              <span key={one} class="plain">
                <Foreign text={one} most={24} />
              </span>
            ))}
          </>
        }
        title={token === undefined ? 'Token' : <TokenName of={token} />}
        id={contract}
      />
      <Shown of={loaded}>
        {(shown) => (
          <>
            <SaysNothing of={shown} />
            {shown.invalid_reason !== null && (
              <Note tone="bad">{shown.invalid_description ?? shown.invalid_reason}</Note>
            )}
            {shown.standard === 'aex141' ? <CollectionFigures of={shown} /> : <TokenFigures of={shown} />}
            <Facts>
              <Fact name="Contract">
                <a href={`#/contract/${contract}`}>Calls and code</a>
              </Fact>
              {shown.base_url !== null && (
                <Fact name="Metadata begin with">
                  <code>
                    <Foreign text={shown.base_url} />
                  </code>
                </Fact>
              )}
            </Facts>
            {shown.standard === 'aex9' && <Supply contract={contract} made={shown.time} />}
            <Parts route={route} token={shown} />
          </>
        )}
      </Shown>
    </>
  );
}

const MAX_EXTENSIONS = 8;

const WHY: Partial<Record<string, string>> = {
  due: 'A node is asked for the name of this token. It is shown here when it has answered.',
  failed:
    'This token does not tell its name: its functions end with an error. Its balances may be other ones than its events say.',
  malformed: 'This token does not tell its name: its functions return something else.',
};

function SaysNothing({ of: { meta_state: state } }: { of: Token }) {
  const why = WHY[state];
  return why === undefined ? null : <Note tone="wait">{why}</Note>;
}

const Made = ({ of }: { of: Token }) => (
  <Figure name="Made in generation">
    <Height height={of.height} />
  </Figure>
);

const TokenFigures = ({ of }: { of: Token }) => (
  <Figures>
    <Figure name="Supply" sub={decimalsInWords(of)}>
      <TokenAmount amount={of.supply} of={of} />
    </Figure>
    <Figure name="Holders">{integer(of.holders)}</Figure>
    <Figure name="Events">{integer(of.events)}</Figure>
    <Made of={of} />
  </Figures>
);

const CollectionFigures = ({ of }: { of: Token }) => (
  <Figures>
    <Figure name="Tokens" {...(of.token_limit !== null && { sub: `at most ${integer(of.token_limit)}` })}>
      {integer(of.supply)}{' '}
      <small>
        <Symbol of={of} />
      </small>
    </Figure>
    {of.made !== null && <Figure name="Made, also burnt ones">{integer(of.made)}</Figure>}
    <Figure name="Owners">{integer(of.holders)}</Figure>
    <Figure name="Metadata">{of.metadata_type ?? 'unknown'}</Figure>
    <Made of={of} />
  </Figures>
);

function Parts({ route, token }: { route: Route; token: Token }) {
  const isCollection = token.standard === 'aex141';
  const tabs: Tab[] = [
    ...(isCollection ? [{ name: 'tokens', title: 'Tokens', count: token.supply }] : []),
    { name: 'holders', title: isCollection ? 'Owners' : 'Holders', count: token.holders },
    { name: 'transfers', title: 'Transfers' },
    ...(isCollection
      ? []
      : [
          { name: 'swaps', title: 'Swaps' },
          { name: 'allowances', title: 'Allowances' },
        ]),
  ];
  const tab = tabOf(route, tabs);
  return (
    <>
      <Tabs route={route} label="Of this token" tabs={tabs} />
      {tab === 'tokens' && <Singles route={route} />}
      {tab === 'holders' && <Holders route={route} token={token} />}
      {tab === 'transfers' && <Transfers route={route} token={token} />}
      {tab === 'swaps' && <Swaps route={route} whose="token" />}
      {tab === 'allowances' && <Allowances route={route} common="token" />}
    </>
  );
}

/** Reads a page of a list of the token by the cursor of the address. */
function useList<Row>(
  route: Route,
  load: (values: { contract: string; limit: number; cursor?: string }, signal: AbortSignal) => Promise<{ body: Row }>,
) {
  const { subject: contract, query } = route;
  const cursor = query.get('cursor') ?? '';
  const touches = ofTransaction(mentions(contract));
  return useLiveRead(
    async (signal) => (await load({ contract, limit: PER_PAGE, ...(cursor !== '' && { cursor }) }, signal)).body,
    [contract, query.get('tab') ?? '', cursor],
    (event) => cursor === '' && touches(event),
  );
}

const Save = ({ route, path }: { route: Route; path: 'holders' | 'transfers' | 'owners' }) => (
  <div class="bar">
    <span class="right">
      <SaveCsv
        name={`${route.subject}_${path}`}
        byDays={false}
        urlFor={() => Promise.resolve(urlOf(`/middleware/tokens/{contract}/${path}`, { contract: route.subject }))}
      />
    </span>
  </div>
);

const HOLDER_COLUMNS = [
  { title: 'Account', fill: true },
  { title: 'Amount', number: true },
  { title: 'Part', number: true },
  { title: 'Changed in', number: true },
];

function Holders({ route, token }: { route: Route; token: Token }) {
  const loaded = useList(route, (values, signal) => read('/middleware/tokens/{contract}/holders', values, signal));
  return (
    <>
      <Save route={route} path="holders" />
      <Card title={token.standard === 'aex141' ? 'Owners' : 'Holders'}>
        <Shown of={loaded} bones={<BoneRows columns={HOLDER_COLUMNS} />}>
          {({ rows, next }) => (
            <>
              <Rows label="Holders" columns={HOLDER_COLUMNS} rows={rows} empty={<Empty title="Nobody holds it." />}>
                {({ account_id: account, amount, height }) => (
                  <tr key={account}>
                    <td class="a fill">
                      <Party of={account} />
                    </td>
                    <td class="n b">
                      <TokenNum amount={amount} of={token} />
                    </td>
                    <td class="n">
                      <Part of={amount} all={token.supply} />
                    </td>
                    <td class="n e">
                      <Height height={height} />
                    </td>
                  </tr>
                )}
              </Rows>
              <CursorPages route={route} next={next} />
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

/** The part of the supply, in hundredths of a percent. */
function Part({ of, all }: { of: Integer; all: Integer }) {
  const [part, whole] = [BigInt(of), BigInt(all)];
  if (part <= 0n || whole <= 0n || part > whole) return <span class="quiet">–</span>;
  const hundredths = (part * 10_000n + whole / 2n) / whole;
  const text = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')} %`;
  return (
    <>
      <span class="share call notphone" aria-hidden="true">
        <svg viewBox="0 0 100 6" preserveAspectRatio="none">
          <rect width={Math.max(1, Number(hundredths) / 100)} height="6" />
        </svg>
      </span>
      <b>{hundredths === 0n ? '<0.01 %' : text}</b>
    </>
  );
}

const TRANSFER_COLUMNS = [
  { title: 'From' },
  { title: 'To', fill: true },
  { title: 'Amount', number: true },
  { title: 'Age', number: true },
  { title: 'Transaction' },
];

function Transfers({ route, token }: { route: Route; token: Token }) {
  const loaded = useList(route, (values, signal) => read('/middleware/tokens/{contract}/transfers', values, signal));
  return (
    <>
      <Save route={route} path="transfers" />
      <Card title="Transfers">
        <Shown of={loaded} bones={<BoneRows columns={TRANSFER_COLUMNS} />}>
          {({ rows, next }) => (
            <>
              <Rows
                label="Transfers"
                columns={TRANSFER_COLUMNS}
                rows={rows}
                empty={
                  <Empty title="Nobody has transferred it yet.">What is minted and burnt is not in this list.</Empty>
                }
              >
                {({ transaction_hash: hash, log_index: index, sender, recipient, amount, token_id: id, time }) => (
                  <tr key={`${hash} ${index}`}>
                    <td class="c">
                      <Party of={sender} />
                    </td>
                    <td class="a fill">
                      <span class="onlyphone">→ </span>
                      <Party of={recipient} />
                    </td>
                    <td class="n b">{amount === null ? `#${String(id)}` : <TokenNum amount={amount} of={token} />}</td>
                    <td class="n e quiet">
                      <Age time={time} />
                    </td>
                    <td class="quiet" data-opens>
                      <Id id={hash} short />
                    </td>
                  </tr>
                )}
              </Rows>
              <CursorPages route={route} next={next} first="Newest" />
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}

const SINGLE_COLUMNS = [
  { title: 'Token' },
  { title: 'Owner', fill: true },
  { title: 'Since', number: true },
  { title: 'Metadata' },
];

function Singles({ route }: { route: Route }) {
  const loaded = useList(route, (values, signal) => read('/middleware/tokens/{contract}/owners', values, signal));
  const [open, setOpen] = useState<string>();
  return (
    <>
      <Save route={route} path="owners" />
      <Card title="Tokens of the collection">
        <Shown of={loaded} bones={<BoneRows columns={SINGLE_COLUMNS} />}>
          {({ rows, next }) => (
            <>
              <Rows
                label="Tokens of the collection"
                columns={SINGLE_COLUMNS}
                rows={rows}
                empty={<Empty title="It has no tokens." />}
              >
                {({ token_id: id, owner, height }) => (
                  <tr key={String(id)}>
                    <td class="a">#{String(id)}</td>
                    <td class="c fill">
                      <Party of={owner} />
                    </td>
                    <td class="n e">
                      <Height height={height} />
                    </td>
                    <td class="b">
                      {open === String(id) ? (
                        <Metadata contract={route.subject} id={String(id)} />
                      ) : (
                        <button type="button" class="btn" onClick={() => setOpen(String(id))}>
                          Metadata <span class="skip">of token {String(id)}</span>
                        </button>
                      )}
                    </td>
                  </tr>
                )}
              </Rows>
              <CursorPages route={route} next={next} />
            </>
          )}
        </Shown>
      </Card>
    </>
  );
}
