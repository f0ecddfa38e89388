import { read, readNode, urlOf } from '../api.js';
import { addressOf } from '../address.js';
import type { Place } from '../address.js';
import { integer, typeInWords } from '../format.js';
import type { Integer } from '../json.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Shown, useRead } from '../parts/read.js';
import { Transactions } from '../parts/transactions.js';
import { Amount, Copy, Fact, Facts } from '../parts/values.js';
import { NameTable } from './names.js';

const TYPES = [
  ...[
    'SpendTx',
    'ContractCallTx',
    'ContractCreateTx',
    'NamePreclaimTx',
    'NameClaimTx',
    'NameUpdateTx',
    'NameTransferTx',
  ],
  ...['NameRevokeTx', 'OracleRegisterTx', 'OracleExtendTx', 'OracleQueryTx', 'OracleRespondTx', 'ChannelCreateTx'],
  ...['ChannelCloseMutualTx', 'ChannelSettleTx', 'GAAttachTx', 'GAMetaTx', 'PayingForTx'],
];

export function AccountPage({ place }: { place: Place }) {
  const { of } = place;
  return (
    <>
      <h1>Account</h1>
      <p class="wrap">
        <code>{of}</code> <Copy text={of} what="identifier" />
      </p>
      <Balance account={of} />
      <TransactionList place={place} />
      <Names account={of} />
    </>
  );
}

function Balance({ account }: { account: string }) {
  const loaded = useRead((signal) => readNode(`/v2/accounts/${encodeURIComponent(account)}`, signal), [account]);
  return (
    <Shown of={loaded} missing="The node knows no balance of it: nothing was ever paid to it.">
      {(body) => (
        <Facts>
          <Fact name="Balance">
            <Amount aettos={body['balance'] as Integer} copy />
          </Fact>
          <Fact name="Nonce">{integer(body['nonce'] as Integer)}</Fact>
          <Fact name="Kind">{(body['kind'] as string | undefined) ?? 'basic'}</Fact>
        </Facts>
      )}
    </Shown>
  );
}

function TransactionList({ place }: { place: Place }) {
  const { of: account, query } = place;
  const type = query.get('type') ?? '';
  const page = pageNumber(place);
  const filter: Record<string, string> = type === '' ? {} : { txtype: type };
  const loaded = useRead(
    (signal) =>
      Promise.all([
        read('/middleware/transactions/account/{account}', { account, limit: PER_PAGE, page, ...filter }, signal),
        read('/middleware/transactions/account/{account}/count', { account, ...filter }, signal),
      ]),
    [account, page, type],
  );
  const csv = urlOf('/middleware/transactions/account/{account}', { account, ...filter });
  return (
    <section>
      <h2>Transactions</h2>
      <div class="bar">
        <label>
          Type{' '}
          <select
            value={type}
            onChange={(event) => {
              location.hash = addressOf(place, { type: event.currentTarget.value });
            }}
          >
            <option value="">all</option>
            {TYPES.map((one) => (
              <option key={one} value={one}>
                {typeInWords(one)}
              </option>
            ))}
          </select>
        </label>
        <SaveCsv url={csv} name={`${account}.csv`} />
      </div>
      <Shown of={loaded}>
        {([
          { body },
          {
            body: { count },
          },
        ]) => (
          <>
            <p class="quiet">{integer(count)} in all</p>
            <Transactions rows={body} empty="There are none." />
            <Pages place={place} total={Number(count)} rows={body.length} keep={{ type }} />
          </>
        )}
      </Shown>
    </section>
  );
}

/** A link cannot ask for CSV: what is wanted stands in a header. */
function SaveCsv({ url, name }: { url: string; name: string }) {
  const save = async (): Promise<void> => {
    const response = await fetch(url, { headers: { accept: 'text/csv' } });
    if (!response.ok) return;
    const link = document.createElement('a');
    link.href = URL.createObjectURL(await response.blob());
    link.download = name;
    link.click();
    URL.revokeObjectURL(link.href);
  };
  return <button onClick={() => void save()}>Save all as CSV</button>;
}

function Names({ account }: { account: string }) {
  const path = '/middleware/names/reverse/{account}';
  const loaded = useRead((signal) => read(path, { account, limit: PER_PAGE, page: 1 }, signal), [account]);
  return (
    <section>
      <h2>Names that point to it</h2>
      <Shown of={loaded}>{({ body }) => <NameTable rows={body} empty="There are none." />}</Shown>
    </section>
  );
}
