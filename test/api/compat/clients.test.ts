/** The requests of clients whose sources are not a package here, as they send them, with the members that they read. */
import { expect } from 'chai';
import { recordedService } from '../../support/compat.js';
import type { Page, RecordedService } from '../../support/compat.js';
import { parseExact } from '../../../src/chain/encoding/json.js';
import { recordedLogs } from '../../support/recorded-logs.js';
import { recordedNode } from '../../support/recorded-node.js';
import { recordedTokens } from '../../support/recorded-tokens.js';
import { replayAll } from '../../support/replays.js';

const OF = 'realnode-tokens';
const logs = recordedLogs(OF);
/** The contract with the most events. */
const CONTRACT = logs.reduce(
  (most, { called_id: id }) => (countOf(id) > countOf(most) ? id : most),
  logs[0]!.called_id,
);
const TOKEN = Object.entries(recordedTokens).find(([, { label }]) => label === 'tokenA')![0];

function countOf(id: string): number {
  return logs.filter(({ called_id: called, contract_id: emitter }) => called === id || emitter === id).length;
}

type Row = Record<string, unknown>;

/** A member of a member: `tx.name_fee`. */
const memberOf = (row: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((of, name) => (of as Row | undefined)?.[name], row);

/** Clients read `x.y` of each row: x must not be missing. Null is what is not known. */
function expectMembers(row: unknown, members: string, where: string): void {
  for (const path of members.split(' ')) expect(memberOf(row, path), `${where}: ${path}`).to.not.equal(undefined);
}

describe('requests of clients', () => {
  let service: RecordedService;
  let account: string;

  before(async () => {
    service = await recordedService(OF);
    const { data } = await page(`/mdw/v3/aex9/${TOKEN}/balances?by=amount`);
    account = data[0]!['account_id'] as string;
  });
  after(() => service.close());

  async function get(path: string): Promise<Row> {
    const { status, body, headers } = await service.api.get(path);
    expect(status, `${path} ${body}`).to.equal(200);
    expect(headers['access-control-allow-origin'], path).to.equal('*');
    return parseExact(body) as unknown as Row;
  }

  async function page(path: string): Promise<Page> {
    const answer = await get(path);
    expect(answer, path).to.have.all.keys('data', 'next', 'prev');
    return answer as unknown as Page;
  }

  /** All rows, with each link put behind the base address. */
  async function walk(path: string, base = '/mdw'): Promise<Row[]> {
    const rows: Row[] = [];
    for (let next: string | null = path; next !== null;) {
      const { data, next: following } = await page(base + next);
      rows.push(...data);
      next = following;
    }
    return rows;
  }

  async function expectRows(path: string, members: string): Promise<Row[]> {
    const rows = await walk(path);
    expect(rows, path).to.not.be.empty;
    for (const row of rows) expectMembers(row, members, path);
    return rows;
  }

  describe('of the wallet (Superhero)', () => {
    it('begin with the description, whose operations become methods', async () => {
      const { servers, paths } = (await get('/mdw/v2/api')) as unknown as {
        servers: { url: string }[];
        paths: Record<string, { get?: { operationId: string; parameters: { name: string; in: string }[] } }>;
      };
      expect(servers[0]!.url).to.equal('/mdw/v2');
      const operations = Object.entries(paths).map(([path, { get: of }]) => [of?.operationId, path]);
      expect(Object.fromEntries(operations)).to.deep.include({
        get_name: '/names/{id}',
        get_names: '/names',
        get_tx: '/txs/{hash_or_index}',
        get_txs: '/txs',
        get_account_activities: '/accounts/{id}/activities',
      });
      for (const [path, { get: of }] of Object.entries(paths)) {
        expect(of?.parameters, path).to.be.an('array');
        const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
        expect(
          of!.parameters.filter((one) => one.in === 'path').map(({ name }) => name),
          path,
        ).to.deep.equal(named);
      }
    });

    it('read the status', async () => {
      expectMembers(await get('/mdw/status'), 'mdw_version mdw_synced mdw_height node_height', 'status');
    });

    it('read activities, and cut the link of the next page at its limit', async () => {
      const path = `/v2/accounts/${account}/activities?limit=30`;
      const { data, next } = await page(`/mdw${path}`);
      expect(data).to.have.length(30);
      const cut = next!.indexOf('&limit=');
      expect(cut).to.be.above(0);
      const few = await page(`/mdw${next!.slice(0, cut)}&limit=5`);
      const whole = await walk(path);
      expect(few.data).to.deep.equal(whole.slice(30, 35));
      const types = new Set(whole.map(({ type }) => type));
      for (const type of ['SpendTxEvent', 'ContractCallTxEvent', 'Aex9TransferEvent']) expect(types).to.include(type);
      for (const { type, block_time: time, payload } of whole) {
        expect(time).to.be.a('number');
        const { hash, tx_hash: of, call_tx_hash: call, ref_tx_hash: ref } = payload as Row;
        if (type !== 'InternalTransferEvent') expect(hash ?? of ?? call ?? ref, String(type)).to.match(/^th_/);
        if (type === 'Aex9TransferEvent') expectMembers(payload, 'sender_id recipient_id amount contract_id', 'aex9');
        if (String(type).endsWith('TxEvent')) expectMembers(payload, 'tx.type micro_time', String(type));
      }
    });

    it('read bids of an auction from the activities of its name', async () => {
      const claims = await walk('/v3/transactions?type=name_claim&limit=100');
      const { tx } = claims[0]! as { tx: Row };
      const { data } = await page(`/mdw/v2/accounts/${String(tx['name_id'])}/activities?limit=100`);
      const bids = data.filter(({ type, payload }) => {
        return type === 'NameClaimEvent' && (payload as Row)['source_tx_type'] === 'NameClaimTx';
      });
      expect(bids).to.not.be.empty;
      for (const { payload } of bids) expectMembers(payload, 'tx.account_id tx.name_fee', 'bid');
    });

    it('read tokens and balances', async () => {
      const token = 'contract_id name symbol decimals';
      await expectRows(
        `/v2/aex9/account-balances/${account}?limit=100`,
        'amount contract_id decimals token_name token_symbol',
      );
      await expectRows('/v2/aex9?by=name&limit=100&direction=forward', token);
      await expectRows('/v2/aex9?by=name&limit=100&direction=forward&prefix=rec', token);
      await expectRows('/v2/aex9?by=symbol&limit=100&direction=forward&prefix=rc', token);
      expectMembers(await get(`/mdw/v3/aex9/${TOKEN}`), token, 'token');
      const { status, body } = await service.api.get(
        `/mdw/v3/aex9/${logs.find(({ called_id: id }) => !(id in recordedTokens))!.called_id}`,
      );
      expect([status, Object.keys(JSON.parse(body) as object)]).to.deep.equal([404, ['error']]);
    });

    it('read names and auctions, and resolve a name, its hash and an account', async () => {
      const { data: claims } = await page('/mdw/v3/names?state=active&limit=1');
      const { name, hash, ownership } = claims[0]! as { name: string; hash: string; ownership: { current: string } };
      const own = `/v2/names?owned_by=${ownership.current}&state=active&limit=100`;
      await expectRows(own, 'name info.active_from info.expire_height info.ownership.current info.pointers');
      expect((await get(`/mdw/v2/names/${name}`))['name']).to.equal(name);
      expect((await get(`/mdw/v2/names/${hash}`))['name']).to.equal(name);
      for (const row of await walk('/v3/names/auctions?limit=100&direction=forward')) {
        expectMembers(row, 'name auction_end last_bid.tx.name_fee', 'auction');
        const one = await get(`/mdw/v2/names/${String(row['name'])}`);
        expect(memberOf(one, 'info.auction_end') ?? memberOf(one, 'auction.auction_end')).to.be.a('number');
      }
      // The wallet asks for an account here as well: what is no name must be refused as a name is, with an error.
      const { status, body } = await service.api.get(`/mdw/v2/names/${account}`);
      expect(status).to.be.oneOf([400, 404]);
      expect(JSON.parse(body)).to.have.property('error');
    });

    it('read transactions', async () => {
      const { data } = await page(`/mdw/v2/txs?direction=backward&limit=1&contract=${TOKEN}`);
      expect(data).to.have.length(1);
      expectMembers(data[0], 'hash tx.type tx_index', 'newest of a contract');
      expect((await get(`/mdw/v2/txs/${String(data[0]!['hash'])}`))['hash']).to.equal(data[0]!['hash']);
    });
  });

  describe('of the indexer (aesync)', () => {
    const CALL =
      'contract_id contract_tx_hash call_tx_hash block_hash height micro_index local_idx function internal_tx';
    /** A contract that pays. */
    const PAYING = 'ct_uJEN4yyQopTMnLwS22V92xNCTLfWGJfc3n8PvSc5ZyeDkDmU8';
    const LOG = 'contract_id call_tx_hash height block_hash block_time log_idx event_hash event_name args data';
    const own = logs.filter(
      ({ called_id: called, contract_id: emitter }) => called === CONTRACT || emitter === CONTRACT,
    );
    const keyOf = (row: Row): string => `${String(row['call_tx_hash'])} ${String(row['log_idx'])}`;
    const keys = (some: typeof logs): string[] =>
      some.map((log) => `${log.transaction_hash} ${log.log_index}`).reverse();

    /** It takes the cursor out of the link, and sends it with its own parameters. */
    async function walkByCursor(path: string): Promise<Row[]> {
      const rows: Row[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const { data, next } = await page(`/mdw${path}${cursor === '' ? '' : `&cursor=${cursor}`}`);
        rows.push(...data);
        cursor = next === null ? null : new URL(next, 'http://host').searchParams.get('cursor');
      }
      return rows;
    }

    it('find each log of a contract from a generation on, of one generation, and the newest one', async () => {
      const [low, high] = [...new Set(own.map(({ block_height: height }) => height))].slice(-2) as [number, number];
      expect(low).to.be.below(high);
      const list = `/v3/contracts/${CONTRACT}/logs?limit=100`;
      for (const row of await walkByCursor(list)) expectMembers(row, LOG, list);
      expect(
        (await walkByCursor(`/v3/contracts/${CONTRACT}/logs?limit=7&scope=gen:${high}-${low}`)).map(keyOf),
      ).to.deep.equal(keys(own.filter(({ block_height: height }) => height >= low)));
      expect((await walkByCursor(`${list}&scope=gen:${low}-${high}`)).map(keyOf)).to.deep.equal(
        keys(own.filter(({ block_height: height }) => height >= low)).reverse(),
      );
      expect((await walkByCursor(`${list}&scope=gen:${low}`)).map(keyOf)).to.deep.equal(
        keys(own.filter(({ block_height: height }) => height === low)),
      );
      const { data } = await page(`/mdw/v3/contracts/${CONTRACT}/logs?limit=1`);
      expect(data.map(keyOf)).to.deep.equal(keys(own).slice(0, 1));
    });

    it('offer key blocks, the status, tokens and transfers to its users', async () => {
      expectMembers(await get('/mdw/v3/status'), 'mdw_height node_height mdw_synced', 'status');
      expectMembers(await get(`/mdw/v3/key-blocks/${logs[0]!.block_height}`), 'hash height time', 'key block');
      await expectRows('/v3/contracts/logs?limit=100', LOG);
      await expectRows('/v3/aex9?limit=100', 'contract_id name symbol decimals');
      for (const side of ['sender', 'recipient'])
        await expectRows(
          `/v3/aex9/${TOKEN}/transfers?${side}=${account}&limit=100`,
          'sender recipient amount contract_id tx_hash log_idx block_height micro_time',
        );
    });

    it('are told that calls within calls are not there before the first replay, instead of an empty list', async () => {
      for (const path of [
        `/v3/contracts/${CONTRACT}/calls`,
        `/v3/contracts/${CONTRACT}/calls?function=Chain.spend`,
        '/v3/contracts/calls',
      ]) {
        const { status, body } = await service.api.get(`/mdw${path}`);
        expect([status, JSON.parse(body)], path).to.deep.equal([503, { error: 'not available yet' }]);
      }
    });

    it('find payments of a contract once its calls are replayed', async () => {
      await replayAll(service.database, recordedNode(undefined, OF));
      const path = `/mdw/v3/contracts/${PAYING}/calls?function=Chain.spend&limit=100`;
      const { data } = (await get(path)) as unknown as Page;
      expect(data).to.not.be.empty;
      for (const row of data) expectMembers(row, CALL, path);
    });
  });
});
