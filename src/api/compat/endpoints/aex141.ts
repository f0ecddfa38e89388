/** Collections of AEX-141, and who owns their tokens. */
import { z } from 'zod';
import { stringifyExact } from '../../../chain/encoding/json.js';
import { accountOfWord, hexOfWord, wordOf } from '../../../chain/encoding/words.js';
import type { Queryable } from '../../../store/connection/database.js';
import { compatTemplateTokens, compatTemplates } from '../../../store/queries/compat/templates.js';
import * as queries from '../../../store/queries/compat/tokens.js';
import type { SingleRow, TokenRow } from '../../../store/queries/compat/tokens.js';
import { compatible } from '../endpoint.js';
import { invalid, notAvailable, notFound, refused } from '../errors.js';
import { list, wholeList } from '../page.js';
import { id } from '../parameters.js';
import type { Parameter } from '../parameters.js';
import { collectionRow, doubt, metadataText, ownedRow, templateRow, templateTokenRow } from '../render/tokens.js';
import * as s from '../schemas.js';
import { TOKEN_FILTERS, requireToken } from '../token-keys.js';
import { openTokens, readList, openTransfers } from '../token-reads.js';
import { ownedList, ownerList } from '../token-lists.js';

const TAG = 'AEX141';
const CONTRACT = id('A collection.', 'ct');
const ACCOUNT = id('An account.', 'ak', 'ct');

async function collectionRows(db: Queryable, rows: readonly TokenRow[]) {
  const of = await queries.compatCollections(
    db,
    rows.map(({ contract_id: contract }) => contract),
  );
  const byId = new Map(of.rows.map((row) => [row.contract_id, row]));
  return rows.map((row) => collectionRow(row, byId.get(row.contract_id)!));
}

export const collections = list({
  v3: { path: '/aex141', id: 'GetSortedAex141Contracts' },
  v2: { path: '/aex141', id: 'get_sorted_aex141_contracts' },
  tag: TAG,
  summary: 'Collections by name, by symbol, or by creation',
  query: TOKEN_FILTERS,
  strict: true,
  row: s.aex141Collection,
  key: ({ query }) => (query.by === 'creation' ? ['int', 'text'] : ['text', 'text']),
  hasCount: true,
  open: ({ query }, { db }) => openTokens(db, 141, query, (rows) => collectionRows(db, rows)),
});

export const collectionCount = compatible({
  v3: { path: '/aex141/count', id: 'GetAex141ContractsCount' },
  tag: TAG,
  summary: 'Number of collections',
  answer: z.object({ data: s.bareCount }),
  async handle(_request, { db }) {
    const { row, head } = await queries.compatTokenCount(db, 141);
    return { value: { data: Number(row?.count ?? 0) }, head };
  },
});

export const collection = compatible({
  v3: { path: '/aex141/{id}', id: 'GetAex141ByContract' },
  v2: { path: '/aex141/{id}', id: 'get_aex141_by_contract' },
  tag: TAG,
  summary: 'A collection',
  params: { id: CONTRACT },
  answer: s.aex141Collection,
  async handle({ params }, { db }) {
    const { row, head } = await requireToken(db, 141, params.id);
    return { value: (await collectionRows(db, [row]))[0], head };
  },
});

export const singles = list({
  v3: { path: '/aex141/{id}/tokens', id: 'GetAex141ContractTokens' },
  v2: { path: '/aex141/{id}/owners', id: 'get_aex141_contract_owners' },
  tag: TAG,
  summary: 'Tokens of a collection and their owners, by their numbers',
  params: { id: CONTRACT },
  row: s.aex141Token,
  key: ['text'],
  hasCount: true,
  async open({ params }, { db }) {
    await requireToken(db, 141, params.id);
    return {
      read: readList(ownerList(db, params.id), (rows) => rows.map(ownedRow)),
      total: () => queries.compatSingleTotal(db, params.id),
    };
  },
});

/** The number of a template or of a single token. */
const NUMBER: Parameter<bigint> = {
  schema: z.string().meta({ description: 'A number.', pattern: '^[0-9]{1,78}$' }),
  read(text) {
    if (!/^\d{1,78}$/.test(text)) throw invalid('id', text);
    return BigInt(text);
  },
};

/** A single token that somebody owns. */
async function requireSingle(db: Queryable, contract: string, single: bigint) {
  const { row, head } = await queries.compatSingle(db, contract, single);
  if (row === null) throw notFound(contract);
  if (row.owner === null) throw notFound(String(single));
  return { row, owner: accountOfWord(row.owner), head };
}

/** Its metadata as JSON. Throws while they are not known, and if its collection does not tell any. */
function requireMetadata(contract: string, row: SingleRow): string {
  if (row.state === 'failed') throw refused(`error calling contract: ${contract}`);
  if (row.state === 'malformed') throw refused(`invalid contract return: ${contract}`);
  if (row.state !== 'ok') throw notAvailable();
  return metadataText(row);
}

const SINGLE = { id: CONTRACT, token: NUMBER };

export const single = compatible({
  v3: { path: '/aex141/{id}/tokens/{token}', id: 'GetAex141TokenOwner' },
  tag: TAG,
  summary: 'A token of a collection, with its owner and its metadata',
  params: SINGLE,
  answer: s.aex141Single,
  async handle({ params: { id: contract, token } }, { db }) {
    const { row, owner, head } = await requireSingle(db, contract, token);
    // The description of the API that clients know has `owner_id`, its answers had `owner`.
    const rest = stringifyExact({ contract_id: contract, token_id: token, owner, owner_id: owner, ...doubt(row) });
    return { value: `${rest.slice(0, -1)},"metadata":${requireMetadata(contract, row)}}`, head };
  },
});

export const singleOwner = compatible({
  v2: { path: '/aex141/{id}/owner/{token}', id: 'get_aex141_nft_owner' },
  tag: TAG,
  summary: 'The owner of a token of a collection',
  params: SINGLE,
  answer: s.aex141Owner,
  async handle({ params: { id: contract, token } }, { db }) {
    const { owner, head } = await requireSingle(db, contract, token);
    return { value: { data: owner }, head };
  },
});

export const singleMetadata = compatible({
  v2: { path: '/aex141/{id}/metadata/{token}', id: 'get_aex141_nft_metadata' },
  tag: TAG,
  summary: 'The metadata of a token of a collection',
  params: SINGLE,
  answer: z.object({ data: s.aex141Metadata }),
  async handle({ params: { id: contract, token } }, { db }) {
    const { row, head } = await requireSingle(db, contract, token);
    return { value: `{"data":${requireMetadata(contract, row)}}`, head };
  },
});

export const owned = list({
  v3: { path: '/accounts/{id}/aex141/tokens', id: 'GetAex141OwnedTokens' },
  v2: { path: '/aex141/owned-nfts/{id}', id: 'get_aex141_owned_tokens' },
  tag: TAG,
  summary: 'Tokens of collections that an account owns',
  params: { id: ACCOUNT },
  query: { contract: CONTRACT },
  row: s.aex141Token,
  key: ['text', 'text'],
  hasCount: true,
  open: ({ params, query: { contract } }, { db }) => ({
    read: readList(ownedList(db, params.id, contract), (rows) => rows.map(ownedRow)),
    total: () => queries.compatOwnedTotal(db, wordOf(params.id), contract ?? null),
  }),
});

export const templates = list({
  v3: { path: '/aex141/{id}/templates', id: 'GetAex141ContractTemplates' },
  tag: TAG,
  summary: 'Templates of a collection that are not deleted, by their numbers',
  params: { id: CONTRACT },
  row: s.aex141Template,
  key: ['text'],
  hasCount: true,
  cost: () => 'heavy',
  async open({ params }, { db }) {
    await requireToken(db, 141, params.id);
    return wholeList(async () => {
      const { rows, head } = await compatTemplates(db, params.id);
      const all = rows.map((row) => ({ key: [hexOfWord(row.template_id)], value: templateRow(params.id, row) }));
      return { rows: all, head };
    });
  },
});

export const templateTokens = list({
  v3: { path: '/aex141/{id}/templates/{template}/tokens', id: 'GetAex141TemplateTokens' },
  tag: TAG,
  summary: 'Tokens of a template and their owners, by their numbers',
  params: { id: CONTRACT, template: NUMBER },
  row: s.aex141TemplateToken,
  key: ['text'],
  hasCount: true,
  cost: () => 'heavy',
  async open({ params }, { db }) {
    const { row: of } = await requireToken(db, 141, params.id);
    return wholeList(async () => {
      const { rows, head } = await compatTemplateTokens(db, params.id, params.template);
      const all = rows.map((row) => ({ key: [hexOfWord(row.token_id)], value: templateTokenRow(of, row) }));
      return { rows: all, head };
    });
  },
});

const ENDS = { from: id('Who sent them.', 'ak', 'ct'), to: id('Who received them.', 'ak', 'ct') };

export const collectionTransfers = list({
  v3: { path: '/aex141/{id}/transfers', id: 'GetAex141ContractTransfers' },
  tag: TAG,
  summary: 'Transfers of the tokens of a collection, newest first',
  params: { id: CONTRACT },
  query: ENDS,
  row: s.aex141Transfer,
  key: ['int', 'int'],
  hasCount: true,
  async open({ params, query }, { db }) {
    await requireToken(db, 141, params.id);
    return openTransfers(db, { kind: 141, contract: params.id, sender: query.from, recipient: query.to });
  },
});

export const transfers = list({
  v3: { path: '/aex141/transfers', id: 'GetAex141Transfers' },
  tag: TAG,
  summary: 'Transfers of tokens of collections that an account sent, newest first',
  query: ENDS,
  row: s.aex141Transfer,
  key: ['int', 'int'],
  hasCount: true,
  open({ query }, { db }) {
    if (query.from === undefined) throw invalid('query', 'from is needed');
    return openTransfers(db, { kind: 141, sender: query.from, recipient: query.to });
  },
});
