import { expect } from 'chai';
import { recordedService } from '../support/compat.js';
import type { RecordedService } from '../support/compat.js';
import { recordedTokens, tokenStates } from '../support/recorded-tokens.js';
import { tamper } from '../support/roles.js';

type Row = Record<string, unknown>;

const idOf = (label: string): string => Object.entries(recordedTokens).find(([, token]) => token.label === label)![0];
/** A collection with transfers, and one with templates. */
const COLLECTIONS = new Set([
  idOf('nftMap'),
  Object.entries(recordedTokens).find(([, { templates }]) => Object.keys(templates ?? {}).length > 0)![0],
]);

describe('collections that tell other owners than their events', () => {
  let service: RecordedService;

  before(async () => (service = await recordedService('realnode-tokens')));
  after(() => service.close());

  /** As it is stored now: what the suite changes by hand is no change of the copy, of which the response cache knows. */
  async function json(path: string): Promise<unknown> {
    const { status, body } = await service.api.get(path, { headers: { 'cache-control': 'no-cache' } });
    expect(status, `${path} ${body}`).to.equal(200);
    return JSON.parse(body);
  }

  /** The rows of a list of either API. */
  async function rowsOf(path: string): Promise<Row[]> {
    const page = (await json(`${path}${path.includes('?') ? '&' : '?'}limit=100&int-as-string=true`)) as
      { rows: Row[] } | { data: Row[] };
    return 'rows' in page ? page.rows : page.data;
  }

  /** All lists with rows that follow from the events of a collection, with those of other collections among them. */
  async function listsOf(id: string): Promise<string[]> {
    const { owners } = tokenStates.findLast(({ token }) => token === id)!;
    const [transfer] = await rowsOf(`/mdw/v3/aex141/${id}/transfers`);
    const templates = Object.keys(recordedTokens[id]!.templates ?? {});
    return [
      ...['owners', 'transfers'].map((list) => `/middleware/tokens/${id}/${list}`),
      ...['v3/aex141/*/tokens', 'v3/aex141/*/transfers', 'v2/aex141/*/owners'].map(
        (list) => `/mdw/${list.replace('*', id)}`,
      ),
      ...templates.map((template) => `/mdw/v3/aex141/${id}/templates/${template}/tokens`),
      ...(transfer === undefined ? [] : [`/mdw/v3/aex141/transfers?from=${String(transfer['sender'])}`]),
      ...[...new Set(Object.values(owners!))].flatMap((owner) => [
        `/middleware/accounts/${owner}/owned-tokens`,
        `/mdw/v3/accounts/${owner}/aex141/tokens`,
        `/mdw/v2/aex141/owned-nfts/${owner}`,
      ]),
    ];
  }

  const unmarked = (rows: readonly Row[]): Row[] =>
    rows.map((row) =>
      Object.fromEntries(Object.entries(row).filter(([member]) => member !== 'invalid' && member !== 'invalid_reason')),
    );

  it('have all their rows in all lists, each with a mark', async () => {
    for (const id of COLLECTIONS) {
      const lists = await listsOf(id);
      const before = new Map<string, Row[]>();
      for (const list of lists) before.set(list, await rowsOf(list));
      const [single] = before.get(`/mdw/v3/aex141/${id}/tokens`)!;
      await tamper(service.database, [`UPDATE tokens SET invalid = 'owners' WHERE contract_id = '${id}'`]);
      let marked = 0;
      for (const [list, known] of before) {
        const rows = await rowsOf(list);
        expect(unmarked(rows), list).to.deep.equal(unmarked(known));
        expect(
          known.map((row) => row['invalid_reason'] ?? null),
          list,
        ).to.not.include('owners_differ');
        for (const row of rows) {
          const isOfIt = (row['contract_id'] ?? id) === id;
          expect(row['invalid_reason'] ?? null, list).to.equal(isOfIt ? 'owners_differ' : null);
          if (list.startsWith('/mdw/')) expect(row['invalid'], list).to.equal(isOfIt ? true : undefined);
          if (isOfIt) marked++;
        }
      }
      expect(marked).to.be.above(5);
      const path = `/mdw/v3/aex141/${id}/tokens/${String(single!['token_id'])}`;
      expect(await json(path)).to.include({ invalid: true, invalid_reason: 'owners_differ' });
      for (const list of ['/mdw/v3/aex141', '/middleware/tokens/aex141'])
        expect((await rowsOf(list)).find((row) => row['contract_id'] === id)).to.include({
          invalid_reason: 'owners_differ',
        });
      for (const list of lists.filter((one) => one.startsWith('/middleware/'))) {
        const { body } = await service.api.get(list, { headers: { accept: 'application/x-ndjson' } });
        const table = body.split('\n').slice(0, -1);
        expect(table.map((line) => (JSON.parse(line) as Row)['invalid_reason'])).to.deep.equal(
          (await rowsOf(list)).map((row) => row['invalid_reason']),
        );
      }
      await tamper(service.database, [`UPDATE tokens SET invalid = NULL WHERE contract_id = '${id}'`]);
    }
  });
});
