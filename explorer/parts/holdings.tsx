/** What an account holds: tokens, and single tokens of collections. */
import { read, urlOf } from '../api.js';
import type { Route } from '../address.js';
import { Card, Empty } from './card.js';
import { Height } from './head.js';
import { mentionsAccount, ofTransaction, useLiveRead } from './live-read.js';
import { CursorPages, PER_PAGE } from './pages.js';
import { Shown } from './read.js';
import { SaveCsv } from './save-csv.js';
import { BoneRows, Rows } from './table.js';
import { Symbol, TokenLink, TokenNum, tokenAddress } from './token.js';
import { Id } from './values.js';

const TOKENS = '/middleware/accounts/{account}/tokens';
const OWNED = '/middleware/accounts/{account}/owned-tokens';

/** Whether it holds some. */
export async function holdsTokens(account: string, signal: AbortSignal): Promise<boolean> {
  const [tokens, owned] = await Promise.all([
    read(TOKENS, { account, limit: 1 }, signal),
    read(OWNED, { account, limit: 1 }, signal),
  ]);
  return tokens.body.rows.length + owned.body.rows.length > 0;
}

const TOKEN_COLUMNS = [
  { title: 'Token', fill: true },
  { title: 'Symbol' },
  { title: 'Amount', number: true },
  { title: 'Changed in', number: true },
];
const OWNED_COLUMNS = [
  { title: 'Token' },
  { title: 'Collection', fill: true },
  { title: 'Since', number: true },
  { title: 'Transaction' },
];

export const Holdings = ({ route }: { route: Route }) => (
  <>
    <Tokens route={route} />
    <div class="gap" />
    <Owned route={route} />
  </>
);

const Save = ({ account, path }: { account: string; path: typeof TOKENS | typeof OWNED }) => (
  <div class="bar">
    <span class="right">
      <SaveCsv
        name={`${account}_${path === TOKENS ? 'tokens' : 'owned'}`}
        byDays={false}
        urlFor={() => Promise.resolve(urlOf(path, { account }))}
      />
    </span>
  </div>
);

function Tokens({ route }: { route: Route }) {
  const { subject: account, query } = route;
  const cursor = query.get('cursor') ?? '';
  const touches = ofTransaction(mentionsAccount(account));
  const loaded = useLiveRead(
    async (signal) => (await read(TOKENS, { account, limit: PER_PAGE, ...(cursor !== '' && { cursor }) }, signal)).body,
    [account, cursor],
    (event) => cursor === '' && touches(event),
  );
  return (
    <>
      <Save account={account} path={TOKENS} />
      <Card title="Tokens">
        <Shown of={loaded} bones={<BoneRows columns={TOKEN_COLUMNS} />}>
          {({ rows, next }) => (
            <>
              <Rows label="Tokens" columns={TOKEN_COLUMNS} rows={rows} empty={<Empty title="It holds none." />}>
                {(row) => (
                  <tr key={row.contract_id}>
                    <td class="a fill">
                      <TokenLink contract={row.contract_id} of={row} />
                    </td>
                    <td class="c">
                      <Symbol of={row} />
                    </td>
                    <td class="n b">
                      <TokenNum amount={row.amount} of={row} />
                    </td>
                    <td class="n e">
                      <Height height={row.height} />
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

function Owned({ route }: { route: Route }) {
  const { subject: account, query } = route;
  const cursor = query.get('owned') ?? '';
  const touches = ofTransaction(mentionsAccount(account));
  const loaded = useLiveRead(
    async (signal) => (await read(OWNED, { account, limit: PER_PAGE, ...(cursor !== '' && { cursor }) }, signal)).body,
    [account, cursor],
    (event) => cursor === '' && touches(event),
  );
  return (
    <Card title="Tokens of collections">
      <Shown of={loaded} bones={<BoneRows columns={OWNED_COLUMNS} />}>
        {({ rows, next }) => (
          <>
            <Rows
              label="Tokens of collections"
              columns={OWNED_COLUMNS}
              rows={rows}
              empty={<Empty title="It owns none." />}
            >
              {({ contract_id: contract, token_id: id, height, transaction_hash: hash, invalid_reason: invalid }) => (
                <tr key={`${contract} ${id}`}>
                  <td class="a">#{String(id)}</td>
                  <td class="c fill">
                    <a class="id" title={contract} href={tokenAddress(contract)}>
                      {contract.slice(0, 7)}…{contract.slice(-4)}
                    </a>
                    {invalid !== null && (
                      <>
                        {' '}
                        <span
                          class="plain"
                          title="What the collection tells does not match its events. Shown are those of its events."
                        >
                          not as it tells
                        </span>
                      </>
                    )}
                  </td>
                  <td class="n e">
                    <Height height={height} />
                  </td>
                  <td class="quiet" data-opens>
                    <Id id={hash} short />
                  </td>
                </tr>
              )}
            </Rows>
            <CursorPages route={route} next={next} by="owned" />
          </>
        )}
      </Shown>
    </Card>
  );
}
