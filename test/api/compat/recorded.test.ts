import { expect } from 'chai';
import type { TestApi } from '../../support/api.js';
import { below, pagesOf, recordedService } from '../../support/compat.js';
import type { RecordedService } from '../../support/compat.js';
import * as model from '../../support/compat-model.js';
import type { CompatModel } from '../../support/compat-model.js';
import { RECORDINGS } from '../../support/recording.js';

type Members = Record<string, unknown>;

for (const of of RECORDINGS) {
  describe(`the compatible API over the recording ${of}, compared with a model of it`, () => {
    let service: RecordedService;
    let api: TestApi;
    let chain: CompatModel;

    before(async () => {
      chain = model.compatModel(of);
      service = await recordedService(of);
      ({ api } = service);
    });
    after(() => service.close());

    const read = async (path: string): Promise<Members> =>
      (await api.json(below(`${path}${path.includes('?') ? '&' : '?'}int-as-string=true`))) as Members;
    const rows = async (path: string): Promise<Members[]> =>
      (await pagesOf(api, `${path}${path.includes('?') ? '&' : '?'}int-as-string=true&limit=100`)).flatMap(
        ({ data }) => data,
      );
    const hashes = async (path: string): Promise<unknown[]> => (await rows(path)).map(({ hash }) => hash);

    it('has every key block and micro block, in lists and alone', async () => {
      const listed = await rows('/v3/key-blocks?direction=forward');
      expect(listed).to.have.length(chain.keyBlocks.length);
      for (const [i, { height, block, microBlocks, transactions }] of chain.keyBlocks.entries()) {
        const expected = {
          ...block,
          micro_blocks_count: String(microBlocks.length),
          transactions_count: String(transactions),
          beneficiary_reward: height <= 180 ? '0' : null,
        };
        expect(listed[i]).to.deep.equal(expected);
        if (microBlocks.length === 0) continue;
        expect(await read(`/v3/key-blocks/${block['hash'] as string}`)).to.deep.equal(expected);
        const micros = await rows(`/v3/key-blocks/${height}/micro-blocks?direction=forward`);
        expect(micros.map(({ gas: _gas, ...members }) => members)).to.deep.equal(
          microBlocks.map(({ header, transactions: count }, index) => ({
            ...header,
            micro_block_index: String(index),
            transactions_count: String(count),
          })),
        );
        const { hash } = microBlocks[0]!;
        expect(await read(`/v2/micro-blocks/${hash}`)).to.deep.equal(micros[0]);
        expect(await hashes(`/v3/micro-blocks/${hash}/transactions?direction=forward`)).to.deep.equal(
          chain.transactions.filter(({ microBlock }) => microBlock === hash).map((one) => one.hash),
        );
      }
    });

    it('has every transaction, in lists and alone, in both versions', async () => {
      const listed = await rows('/v3/transactions?direction=forward');
      const second = await rows('/v2/txs?direction=forward');
      expect(listed).to.have.length(chain.transactions.length);
      for (const [i, transaction] of chain.transactions.entries()) {
        const { tx, ...row } = listed[i]!;
        expect(row, transaction.hash).to.deep.equal(model.expectedRow(transaction));
        expect(tx, transaction.hash).to.deep.include(model.expectedTx(transaction));
        const { tx_index: index, tx: secondTx, ...secondRow } = second[i]!;
        expect([index, secondRow]).to.deep.equal([String(transaction.index), row]);
        const { recipient: _recipient, ...withoutRecipient } = tx as Members;
        expect(secondTx).to.deep.equal(withoutRecipient);
        if (i % 7 !== 0) continue;
        expect(await read(`/v3/transactions/${transaction.hash}`)).to.deep.equal(listed[i]);
        expect((await read(`/v2/txs/${transaction.index}`))['hash']).to.equal(transaction.hash);
      }
      expect(await api.json(below('/v3/transactions/count'))).to.equal(chain.transactions.length);
    });

    it('has the transactions of each type and each account, and counts as many', async () => {
      const types = new Set(chain.transactions.map(({ tx }) => tx['type'] as string));
      for (const type of types) {
        const expected = chain.transactions.filter(({ tx }) => tx['type'] === type).map(({ hash }) => hash);
        const query = `type=${model.wordOf(type)}`;
        expect(await hashes(`/v3/transactions?direction=forward&${query}`), type).to.deep.equal(expected);
        expect(await api.json(below(`/v3/transactions/count?${query}`)), type).to.equal(expected.length);
      }
      for (const [group, pattern] of Object.entries(model.GROUPS)) {
        const expected = chain.transactions.filter(({ tx }) => pattern.test(tx['type'] as string));
        const listed = await hashes(`/v3/transactions?direction=forward&type_group=${group}`);
        expect(listed, group).to.deep.equal(expected.map(({ hash }) => hash));
        expect(await api.json(below(`/v3/transactions/count?type_group=${group}`)), group).to.equal(expected.length);
      }
      for (const block of new Set(chain.transactions.map(({ microBlock }) => microBlock))) {
        const own = chain.transactions.filter(({ microBlock }) => microBlock === block);
        const count = (query: string): Promise<unknown> =>
          api.json(below(`/v3/transactions/count?mb_hash=${block}${query}`));
        expect(await count(''), block).to.deep.equal({ data: own.length });
        expect(await count('&type=spend'), block).to.deep.equal({
          data: own.filter(({ tx }) => tx['type'] === 'SpendTx').length,
        });
      }
      const accounts = new Set(chain.transactions.flatMap(model.accountsIn));
      for (const account of accounts) {
        const own = chain.transactions.filter((one) => model.accountsIn(one).includes(account)).map(({ hash }) => hash);
        const listed = await hashes(`/v3/transactions?direction=forward&account=ak_${account}`);
        // Besides these: payments through a name, oracles by their queries, contracts by their calls.
        const others = listed.filter((hash) => !own.includes(hash as string));
        for (const hash of others) {
          const found = chain.transactions.find((one) => one.hash === hash)!;
          expect(JSON.stringify(found.tx), `${String(hash)} of ${account}`).to.match(new RegExp(`nm_|_${account}`));
        }
        expect(
          own.filter((hash) => !listed.includes(hash)),
          account,
        ).to.deep.equal([]);
        expect(await api.json(below(`/v3/transactions/count?id=ak_${account}`)), account).to.equal(listed.length);
        const activities = await rows(`/v3/accounts/ak_${account}/activities?direction=forward`);
        const shown = activities.filter(({ type }) => (type as string).endsWith('TxEvent'));
        expect(shown.map(({ payload }) => (payload as Members)['hash'])).to.deep.equal(listed);
        const senders = chain.transactions
          .filter(({ tx }) => model.nested(tx).some((one) => one['sender_id'] === `ak_${account}`))
          .filter(({ hash }) => listed.includes(hash));
        expect(await hashes(`/v3/transactions?direction=forward&sender_id=ak_${account}`)).to.deep.equal(
          senders.map(({ hash }) => hash),
        );
        const spends = senders.filter(({ tx }) => tx['type'] === 'SpendTx');
        expect(await hashes(`/v3/transactions?direction=forward&spend.sender_id=ak_${account}`)).to.deep.equal(
          spends.map(({ hash }) => hash),
        );
      }
    });

    it('has the transactions with each oracle: extensions, queries and answers', async () => {
      const oraclesIn = ({ tx }: model.ModelTransaction): unknown[] =>
        model.nested(tx).flatMap(({ oracle_id: id }) => (id === undefined ? [] : [id]));
      const isAnswer = ({ tx }: model.ModelTransaction): boolean =>
        model.nested(tx).some(({ type }) => type === 'OracleRespondTx');
      const oracles = new Set(chain.transactions.flatMap(oraclesIn));
      if (!of.startsWith('realnode-hyperchain')) expect(chain.transactions.some(isAnswer)).to.equal(true);
      for (const oracle of oracles) {
        const own = chain.transactions.filter((one) => oraclesIn(one).includes(oracle));
        const found = (query: string): Promise<unknown[]> =>
          hashes(`/v3/transactions?direction=forward&${query}=${String(oracle)}`);
        expect(await found('oracle_id'), String(oracle)).to.deep.equal(own.map(({ hash }) => hash));
        expect(await found('type=oracle_query&oracle_response.oracle_id')).to.deep.equal([]);
        expect(await found('oracle_response.oracle_id'), String(oracle)).to.deep.equal(
          own.filter(({ tx }) => tx['type'] === 'OracleRespondTx').map(({ hash }) => hash),
        );
      }
    });

    it('counts the transactions of any generations, times and numbers', async () => {
      const count = (path: string): Promise<unknown> => api.json(below(`/v3/transactions/count?scope=${path}`));
      const top = chain.keyBlocks.length - 1;
      for (const [first, last] of [
        [0, top],
        [10, 20],
        [20, 10],
        [Math.floor(top / 2), top + 1_000],
        [top + 5, top + 9],
      ] as const) {
        const [low, high] = [Math.min(first, last), Math.max(first, last)];
        const expected = chain.transactions.filter(({ height }) => height >= low && height <= high);
        expect(await count(`gen:${first}-${last}`), `${first}-${last}`).to.equal(expected.length);
        const order = first > last ? [...expected].reverse() : expected;
        expect(await hashes(`/v3/transactions?scope=gen:${first}-${last}`)).to.deep.equal(
          order.map(({ hash }) => hash),
        );
      }
      // The clock of this chain goes back.
      if (of === 'realnode-tokens') return;
      const times = chain.transactions.map(({ microTime }) => Number(microTime));
      for (const at of [0, Math.floor(times.length / 3), times.length - 1]) {
        const from = Math.floor(times[at]! / 1000);
        const expected = times.filter((time) => time >= from * 1000 && time < (from + 6) * 1000);
        expect(await count(`time:${from}-${from + 5}`)).to.equal(expected.length);
      }
      expect(await count(`txi:3-${chain.transactions.length + 5}`)).to.equal(chain.transactions.length - 3);
    });

    it('has names, oracles and channels as the node has them', async () => {
      const shown = new Map((await rows('/v3/names')).map((row) => [row['name'], row]));
      const [same, others]: [string[], string[]] = [[], []];
      for (const path of model.recordedPaths(of, /^\/names\/[^/?]+\.chain$/)) {
        const known = model.nodeObject(of, path);
        const row = shown.get(decodeURIComponent(path.slice('/names/'.length)).toLowerCase());
        // What a contract did to a name, only the node knows.
        if (known === undefined || row === undefined) continue;
        expect(row['hash']).to.equal(known['id']);
        if (row['expire_height'] !== known['ttl']) {
          others.push(path);
          continue;
        }
        same.push(path);
        expect((row['ownership'] as Members)['current'], path).to.equal(known['owner']);
        const ids = (list: unknown): unknown[] => (list as Members[]).map(({ id, encoded_key: key }) => [id, key]);
        expect(ids(row['pointers']), path).to.deep.equal(ids(known['pointers']));
      }
      // Contracts change few names.
      expect(same.length).to.be.at.least(others.length);
      for (const row of await rows('/v3/oracles')) {
        const known = model.nodeObject(of, `/oracles/${row['oracle'] as string}`);
        if (known === undefined) continue;
        expect(row['query_fee']).to.equal(known['query_fee']);
        expect(row['format']).to.deep.equal({ query: known['query_format'], response: known['response_format'] });
        expect(row['expire_height'], row['oracle'] as string).to.equal(known['ttl']);
        expect(await read(`/v3/oracles/${row['oracle'] as string}`)).to.deep.equal(row);
      }
      for (const row of await rows('/v3/channels')) {
        const known = model.nodeObject(of, `/channels/${row['channel'] as string}`);
        if (row['active'] !== true) expect(known).to.equal(undefined);
        if (known === undefined) continue;
        expect([row['initiator'], row['responder'], row['amount']]).to.deep.equal([
          known['initiator_id'],
          known['responder_id'],
          known['channel_amount'],
        ]);
        expect(row['round']).to.equal(known['round']);
      }
    });

    it('has every update that pointed a name to an id, and tells which names do so now', async () => {
      const updates = chain.transactions.flatMap(({ hash, tx, info }) => {
        const innermost = model.nested(tx).at(-1)!;
        const isFailed = JSON.stringify(info?.['ga_info'] ?? {}).includes('"return_type":"error"');
        if (innermost['type'] !== 'NameUpdateTx' || isFailed) return [];
        return (innermost['pointers'] as Members[]).map((pointer) => ({ hash, name: innermost['name_id'], pointer }));
      });
      const ids = new Set(
        updates.map(({ pointer }) => pointer['id'] as string).filter((id) => /^(ak|ct|ok|ch)_/.test(id)),
      );
      if (!of.startsWith('realnode-hyperchain')) expect(ids).to.not.be.empty;
      const shown = new Map((await rows('/v3/names')).map((row) => [row['hash'], row]));
      for (const id of ids) {
        const own = updates.filter(({ pointer }) => pointer['id'] === id);
        const listed = await rows(`/v3/accounts/${id}/names/pointees?direction=forward`);
        const place = ({ source_tx_hash: hash, key }: Members): unknown[] => [hash, key];
        expect(listed.map(place), id).to.deep.equal(own.map(({ hash, pointer }) => [hash, pointer['key']]));
        expect((await rows(`/v3/accounts/${id}/names/pointees`)).reverse()).to.deep.equal(listed);
        for (const [i, { name, pointer }] of own.entries()) {
          const isLast = updates.filter((one) => one.name === name).at(-1)!.hash === own[i]!.hash;
          const now = shown.get(name);
          const pointers = (now?.['pointers'] ?? []) as Members[];
          const points = pointers.some((one) => one['id'] === id && one['key'] === pointer['key']);
          const isCurrent = isLast && now?.['active'] === true && points;
          expect([listed[i]!['current'], listed[i]!['active']]).to.deep.equal([isCurrent, now?.['active'] ?? false]);
        }
        const grouped = (await read(`/v2/names/${id}/pointees`)) as Record<
          'active' | 'inactive',
          Record<string, Members[]>
        >;
        expect(Object.values(grouped.active).flat()).to.have.length(
          listed.filter(({ current }) => current === true).length,
        );
        expect([...Object.values(grouped.active), ...Object.values(grouped.inactive)].flat()).to.have.length(
          listed.length,
        );
      }
    });

    it('lists the names that are in an auction, with the auction', async () => {
      for (const by of ['expiration', 'name']) {
        const auctions = await rows(`/v3/names/auctions?by=${by}`);
        const shown = await rows(`/v3/names?state=auction&by=${by}`);
        expect(shown.map(({ name }) => name)).to.deep.equal(auctions.map(({ name }) => name));
        expect(shown.map(({ auction }) => auction)).to.deep.equal(auctions);
        for (const row of shown) {
          const { active_from: from, auction } = row as { active_from: unknown; auction: Members };
          expect([row['active'], from]).to.deep.equal([false, auction['auction_end']]);
        }
        expect(await rows(`/v2/names?state=auction&by=${by}`)).to.deep.equal(await rows(`/v2/names/auctions?by=${by}`));
      }
    });

    it('tells which claims of names are bids of auctions: those of names with at most 12 letters', async () => {
      const names = [...(await rows('/v3/names')), ...(await rows('/v3/names/auctions'))];
      for (const name of new Set(names.map(({ name: text }) => text as string))) {
        const isAuctioned = name.replace(/\.chain$/, '').length <= 12;
        const claims = await rows(`/v3/names/${encodeURIComponent(name)}/claims`);
        expect(
          claims.map(({ auction }) => auction),
          name,
        ).to.deep.equal(claims.map(() => isAuctioned));
        expect(claims, name).to.not.be.empty;
      }
    });

    it('finds names and auctions by how they begin', async () => {
      const names = await rows('/v2/names?by=name');
      const auctions = await rows('/v2/names/auctions?by=name');
      for (const prefix of ['', ...new Set(names.map(({ name }) => (name as string).slice(0, 3)))]) {
        const query = prefix === '' ? '' : `prefix=${encodeURIComponent(prefix.toUpperCase())}`;
        const found = await rows(`/v2/names/search?${query}`);
        const begins = ({ name }: Members): boolean => (name as string).startsWith(prefix);
        const of = (type: string): unknown[] =>
          found.filter((row) => row['type'] === type).map(({ payload }) => payload);
        expect(of('name'), prefix).to.deep.equal(names.filter(begins));
        expect(of('auction'), prefix).to.deep.equal(auctions.filter(begins));
        const active = await rows(`/v2/names/search?only=active&${query}`);
        expect(active.map(({ payload }) => payload)).to.deep.equal(
          names.filter((row) => begins(row) && row['active'] === true),
        );
      }
      for (const row of names.slice(0, 5))
        expect(await read(`/v2/names/${encodeURIComponent(row['name'] as string)}/pointers`)).to.deep.equal(
          (row['info'] as Members)['pointers'],
        );
    });

    it('has every contract that a transaction created', async () => {
      const created = chain.transactions.filter(({ tx, info }) => {
        const [innermost] = model.nested(tx).reverse() as [Members];
        return (
          /^(ContractCreate|GAAttach)Tx$/.test(innermost['type'] as string) && JSON.stringify(info).includes('"ok"')
        );
      });
      const listed = await rows('/v3/contracts?direction=forward');
      expect(listed.map((row) => row['source_tx_hash'])).to.deep.equal(created.map(({ hash }) => hash));
      for (const row of listed) expect(await read(`/v2/contracts/${row['contract'] as string}`)).to.deep.equal(row);
    });
  });
}
