import { useState } from 'preact/hooks';
import { orNothing, read, readCsv, readNode, urlOf } from '../api.js';
import { addressOf } from '../address.js';
import type { Route } from '../address.js';
import { integer, typeInWords } from '../format.js';
import type { Integer } from '../json.js';
import { Head } from '../parts/card.js';
import { Amount } from '../parts/amount.js';
import { save as saveFile } from '../parts/csv.js';
import { PER_PAGE, Pages, pageNumber } from '../parts/pages.js';
import { Fault, Shown, isMalformed, useRead } from '../parts/read.js';
import type { Loaded } from '../parts/read.js';
import { Table } from '../parts/table.js';
import { Transactions } from '../parts/transactions.js';
import { Fact, Facts, Height, Id } from '../parts/values.js';
import { NameTable } from './names.js';

/** Rows of the lists besides that of the transactions. */
const ROWS = 10;

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

export function AccountPage({ route }: { route: Route }) {
  const { subject: of } = route;
  const state = useRead((signal) => readNode(`/v2/accounts/${encodeURIComponent(of)}`, signal), [of]);
  // For a malformed identifier, each list would show the same error as the account.
  const hasLists = !(state.state === 'failed' && isMalformed(state.error));
  return (
    <>
      <Head title="Account" id={of} />
      <State of={state} />
      {hasLists && <TransactionList route={route} />}
      {hasLists && <Owned route={route} />}
    </>
  );
}

function State({ of }: { of: Loaded<Record<string, unknown>> }) {
  return (
    <Shown of={of} missing="The node does not know this account: nothing was ever paid to it.">
      {(body) => (
        <Facts>
          <Fact name="Balance">
            <Amount aettos={body['balance'] as Integer} exact copy />
          </Fact>
          <Fact name="Nonce">{integer(body['nonce'] as Integer)}</Fact>
          <Fact name="Kind">{(body['kind'] as string | undefined) ?? 'basic'}</Fact>
          {typeof body['contract_id'] === 'string' && (
            <Fact name="Contract that authenticates">
              <Id id={body['contract_id']} />
            </Fact>
          )}
        </Facts>
      )}
    </Shown>
  );
}

/** The oracle of an account has the account's key. */
function Oracle({ account }: { account: string }) {
  const loaded = useRead((signal) => registrationOf(account, signal), [account]);
  return (
    <section>
      <h2>Oracle</h2>
      <Shown of={loaded}>
        {(registration) =>
          registration === undefined ? (
            <p class="note">It registered none.</p>
          ) : (
            <p>
              <Id id={account.replace(/^ak_/, 'ok_')} />
            </p>
          )
        }
      </Shown>
    </section>
  );
}

/** The latest transaction by which the account registered an oracle; undefined if it never did. */
async function registrationOf(account: string, signal: AbortSignal) {
  const path = '/middleware/transactions/account/{account}';
  return (await read(path, { account, limit: 1, page: 1, txtype: 'OracleRegisterTx' }, signal)).body[0];
}

function TransactionList({ route }: { route: Route }) {
  const { subject: account, query } = route;
  const type = query.get('type') ?? '';
  const page = pageNumber(route);
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
              location.hash = addressOf(route, {
                ...Object.fromEntries(query),
                type: event.currentTarget.value,
                page: undefined,
              });
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
            <Pages route={route} total={Number(count)} rows={body.length} />
          </>
        )}
      </Shown>
    </section>
  );
}

/** A button, because a link cannot request CSV: the format is in a header. */
function SaveCsv({ url, name }: { url: string; name: string }) {
  const [isSaving, setSaving] = useState(false);
  const [failed, setFailed] = useState<{ error: unknown }>();
  const save = async (): Promise<void> => {
    setSaving(true);
    setFailed(undefined);
    try {
      saveFile(await readCsv(url), name);
    } catch (error) {
      setFailed({ error });
    }
    setSaving(false);
  };
  return (
    <>
      <button disabled={isSaving} onClick={() => void save()}>
        {isSaving ? 'Saving…' : 'Save all as CSV'}
      </button>
      {failed && <Fault error={failed.error} again={() => void save()} />}
    </>
  );
}

/** Names, contracts and an oracle that belong to the account. */
function Owned({ route }: { route: Route }) {
  const { subject: account } = route;
  const names = pageNumber(route, 'names');
  const pointing = pageNumber(route, 'pointing');
  const owned = useRead(
    (signal) => read('/middleware/names/active', { owner: account, limit: ROWS, page: names }, signal),
    [account, names],
  );
  const reverse = useRead(
    (signal) => read('/middleware/names/reverse/{account}', { account, limit: ROWS, page: pointing }, signal),
    [account, pointing],
  );
  return (
    <>
      <section>
        <h2>Names that it owns</h2>
        <Shown of={owned}>
          {({ body, total }) => (
            <>
              <NameTable rows={body} empty="There are none." />
              <Pages route={route} total={total} rows={body.length} by="names" perPage={ROWS} />
            </>
          )}
        </Shown>
      </section>
      <section>
        <h2>Names that point to it</h2>
        <Shown of={reverse}>
          {({ body, total }) => (
            <>
              <NameTable rows={body} empty="There are none." />
              <Pages route={route} total={total} rows={body.length} by="pointing" perPage={ROWS} />
            </>
          )}
        </Shown>
      </section>
      <Contracts route={route} />
      <Oracle account={account} />
    </>
  );
}

const CONTRACT_COLUMNS = [{ title: 'Contract' }, { title: 'Created by' }, { title: 'Generation', number: true }];

function Contracts({ route }: { route: Route }) {
  const { subject: account } = route;
  const page = pageNumber(route, 'contracts');
  const loaded = useRead((signal) => contractsOf(account, page, signal), [account, page]);
  return (
    <section>
      <h2>Contracts that it created</h2>
      <Shown of={loaded}>
        {({ rows, total }) => (
          <>
            {rows.length === 0 && <p class="note">There are none.</p>}
            {rows.length > 0 && (
              <Table label="Contracts" columns={CONTRACT_COLUMNS}>
                {rows.map(({ hash, height, contract, failed }) => (
                  <tr key={hash}>
                    <td class="a">
                      {contract === undefined && <span class="quiet">unknown: the node does not answer</span>}
                      {failed && <span class="quiet">none: the creation failed</span>}
                      {contract !== undefined && !failed && <Id id={contract} short />}
                    </td>
                    <td class="c">
                      <Id id={hash} short />
                    </td>
                    <td class="n e">
                      <Height height={height} />
                    </td>
                  </tr>
                ))}
              </Table>
            )}
            <Pages route={route} total={total} rows={rows.length} by="contracts" perPage={ROWS} />
          </>
        )}
      </Shown>
    </section>
  );
}

interface CallInfo {
  contract_id: string;
  return_type: string;
}

/** Contracts that the account created. The identifiers come from the node: the transactions do not contain them. */
async function contractsOf(account: string, page: number, signal: AbortSignal) {
  const path = '/middleware/transactions/account/{account}';
  const list = await read(path, { account, limit: ROWS, page, txtype: 'ContractCreateTx' }, signal);
  const rows = await Promise.all(
    list.body.map(async ({ hash, block_height: height }) => {
      const info = (await orNothing(readNode(`/v2/transactions/${hash}/info`, signal)))?.['call_info'] as
        CallInfo | undefined;
      return { hash, height, contract: info?.contract_id, failed: info !== undefined && info.return_type !== 'ok' };
    }),
  );
  return { rows, total: list.total };
}
