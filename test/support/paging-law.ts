import { expect } from 'chai';
import { keyPosition } from '../../src/chain/position.js';
import { compatEndpoints } from '../../src/api/compat/endpoints.js';
import { commit } from '../../src/store/write/commit.js';
import { testApi } from './api.js';
import type { TestApi } from './api.js';
import { below, pagesBefore, pagesOf, recordedService, withLimit } from './compat.js';
import type { Page } from './compat.js';
import { nodeAt } from './copy.js';
import { decodeAll } from './decoding.js';
import { createWorld } from './events.js';
import { choices } from './histories.js';
import type { Choices } from './histories.js';
import { writeMovements } from './ledger-rows.js';
import { GIVE_UP_MS } from './patience.js';
import { recordedNode } from './recorded-node.js';
import { recordedGenerations } from './recording.js';
import { replayAll } from './replays.js';

/** A chain whose last blocks are replaced, and a server of the compatible API over it. */
interface ForkingChain {
  api: TestApi;
  /** Removes the last blocks, with or without others in their place. Everything is decoded when it resolves. */
  fork(): Promise<void>;
  close(): Promise<void>;
}

/** Lists of a generated chain. A word in braces is an id that the chain has at that time. */
const OF_GENERATED = [
  '/v3/key-blocks',
  '/v2/key-blocks?direction=forward',
  '/v3/key-blocks?scope=gen:3-14',
  '/v3/key-blocks/{key_block}/micro-blocks',
  '/v2/key-blocks/{key_block}/micro-blocks?direction=forward',
  '/v3/micro-blocks/{micro_block}/transactions',
  '/v2/micro-blocks/{micro_block}/txs?direction=forward',
  '/v3/transactions',
  '/v3/transactions?direction=forward',
  '/v3/transactions?scope=gen:14-2',
  '/v3/transactions?type=spend&type=name_claim',
  '/v3/transactions?type_group=oracle&direction=forward',
  '/v3/transactions?account={account}',
  '/v3/transactions?account={account}&type=spend&direction=forward',
  '/v3/transactions?sender_id={account}',
  '/v3/transactions?contract={contract}',
  '/v2/txs?account={account}&scope=txi:20-200',
  '/v2/txs?direction=forward',
  '/v3/names',
  '/v3/names?by=name&direction=forward',
  '/v3/names?by=activation&state=active',
  '/v2/names?owned_by={owner}',
  '/v3/names/{name}/claims',
  '/v2/names/{name}/claims?direction=forward',
  '/v3/names/{name}/updates',
  '/v2/names/{name}/updates?direction=forward',
  '/v3/names/{name}/transfers',
  '/v2/names/{name}/transfers',
  '/v3/names/{name}/history',
  '/v3/accounts/{owner}/names/claims',
  '/v3/accounts/{account}/names/pointees',
  '/v2/names/search?direction=forward',
  '/v3/oracles',
  '/v2/oracles?direction=forward',
  '/v3/oracles/{oracle}/queries',
  '/v3/oracles/{oracle}/responses?direction=forward',
  '/v3/oracles/{oracle}/extends',
  '/v3/channels',
  '/v2/channels?direction=forward',
  '/v3/channels/{channel}/updates',
  '/v2/channels/{channel}/updates?direction=forward',
  '/v3/contracts',
  '/v3/contracts/logs',
  '/v2/contracts/logs?direction=forward',
  '/v3/contracts/{contract}/logs',
  '/v3/accounts/{account}/activities',
  '/v2/accounts/{account}/activities?direction=forward&owned_only=true',
  '/v3/stats/transactions',
  '/v3/stats/blocks?type=micro',
  '/v3/stats/difficulty',
  '/v3/stats/hashrate?direction=forward',
  '/v3/stats/names',
  '/v3/stats/contracts',
  '/v3/stats/aex9-transfers',
  '/v3/stats/total-accounts',
  '/v3/stats/active-accounts',
  '/v3/stats/delta',
  '/v2/deltastats?direction=forward',
  '/v3/stats/total',
  '/v2/totalstats?scope=gen:2-13',
  '/v3/stats/miners/top',
  '/v3/stats/miners',
  '/v2/minerstats?direction=forward',
];

/** Lists of the recording with tokens. */
const OF_RECORDED = [
  '/v3/names/auctions',
  '/v2/names/auctions?direction=forward',
  '/v3/names/auctions/{auction}/claims',
  '/v3/aex9',
  '/v2/aex9?by=symbol&direction=forward',
  '/v3/aex9/{aex9}/balances?direction=forward',
  '/v2/aex9/{aex9}/balances',
  '/v3/aex9/{aex9}/balances/{holder}/history',
  '/v2/aex9/{aex9}/balances/{holder}/history?direction=forward',
  '/v3/accounts/{holder}/aex9/balances',
  '/v2/aex9/account-balances/{holder}',
  '/v3/aex9/{aex9}/transfers?account={holder}',
  '/v3/accounts/{holder}/aex9/transfers',
  '/v2/aex9/transfers/from/{holder}',
  '/v2/aex9/transfers/to/{holder}?direction=forward',
  '/v2/aex9/transfers/from-to/{from}/{to}',
  '/v3/aex141',
  '/v2/aex141?direction=forward',
  '/v3/aex141/transfers?from={collector}',
  '/v3/aex141/{aex141}/tokens',
  '/v2/aex141/{aex141}/owners?direction=forward',
  '/v3/aex141/{aex141}/templates',
  '/v3/aex141/{aex141}/templates/{template}/tokens',
  '/v3/aex141/{aex141}/transfers',
  '/v3/accounts/{collector}/aex141/tokens',
  '/v2/aex141/owned-nfts/{collector}',
  '/v3/dex/swaps',
  '/v3/dex/{pair}/swaps',
  '/v3/accounts/{trader}/dex/swaps',
  '/v3/transfers',
  '/v2/transfers?direction=forward',
  '/v3/contracts/logs',
  '/v3/contracts/calls',
  '/v2/contracts/calls?direction=forward&function=Chain',
  '/v3/contracts/{payer}/calls',
  '/v3/contracts/calls?recipient_id={paid}',
  '/v3/transactions?type=contract_call',
];

/** Counts, with the list whose rows they count. */
const COUNTS: readonly (readonly [count: string, list: string])[] = [
  ['/v3/transactions/count', '/v3/transactions'],
  ['/v2/txs/count?type=spend', '/v3/transactions?type=spend'],
  ['/v3/transactions/count?type_group=oracle', '/v3/transactions?type_group=oracle'],
  ['/v3/transactions/count?id={account}', '/v3/transactions?account={account}'],
  ['/v3/transactions/count?scope=gen:3-12', '/v3/transactions?scope=gen:3-12'],
  ['/v3/transactions/count?mb_hash={micro_block}', '/v3/micro-blocks/{micro_block}/transactions'],
  ['/v3/accounts/{account}/transactions/count', '/v3/transactions?account={account}'],
  ['/v2/txs/count/{account}?type=spend', '/v3/transactions?account={account}&type=spend'],
  ['/v3/names/count', '/v3/names?state=active'],
  ['/v2/names/count?owned_by={owner}', '/v3/names?state=active&owned_by={owner}'],
  ['/v3/aex9/count', '/v3/aex9'],
  ['/v2/aex9/count', '/v3/aex9'],
  ['/v2/aex9/{aex9}/logs-count', '/v3/contracts/{aex9}/logs'],
  ['/v3/aex141/count', '/v3/aex141'],
];

/** Lists that tell how many rows they have. */
const COUNTED = [
  '/v3/key-blocks',
  '/v2/key-blocks?scope=gen:3-14',
  '/v3/key-blocks/{key_block}/micro-blocks',
  '/v3/transactions',
  '/v3/transactions?scope=gen:3-14',
  '/v2/txs?scope=txi:5-31',
  '/v3/transactions?type=spend',
  '/v2/txs?type=spend&type=name_claim&type=contract_call',
  '/v3/transactions?type_group=oracle',
  '/v3/transactions?type=spend&scope=gen:14-3',
  '/v2/txs?type=spend&scope=txi:5-31',
  '/v3/transactions?account={account}',
  '/v3/transactions?account={account}&type=spend&type=paying_for',
  '/v3/transactions?account={account}&scope=gen:3-12',
  '/v2/txs?account={account}&type=spend&scope=txi:5-41',
  '/v3/transactions?account={oracle}',
  '/v3/transactions?account={contract}&type=contract_call',
  '/v3/transactions?contract={contract}',
  '/v3/transactions?contract={contract}&scope=gen:2-20',
  '/v3/transactions?oracle={oracle}',
  '/v3/transactions?name={name}',
  '/v3/transactions?channel={channel}',
  '/v3/transactions?sender_id={account}',
  '/v3/transactions?sender_id={account}&scope=gen:3-12&type=spend',
  '/v3/transactions?account={caller}&contract={contract}',
  '/v3/transactions?entrypoint=transfer',
  '/v3/micro-blocks/{micro_block}/transactions',
  '/v2/micro-blocks/{micro_block}/txs?type=spend',
  '/v3/names',
  '/v2/names?by=name',
  '/v3/names?state=active',
  '/v3/names?state=active&by=activation&scope=gen:1-15',
  '/v3/names?state=inactive',
  '/v3/names?state=auction',
  '/v3/names?by=name&state=auction',
  '/v3/names?scope=gen:1-100',
  '/v3/names?by=name&prefix=p',
  '/v3/names?owned_by={owner}',
  '/v3/names?owned_by={owner}&state=active',
  '/v3/names?owned_by={owner}&state=inactive',
  '/v3/names/auctions',
  '/v2/names/auctions?by=name',
  '/v3/names/auctions/{auction}/claims',
  '/v3/names/{name}/claims',
  '/v2/names/{name}/claims?scope=gen:2-30',
  '/v3/names/{name}/updates',
  '/v3/names/{name}/transfers',
  '/v3/names/{name}/history',
  '/v3/accounts/{owner}/names/claims',
  '/v2/names/search',
  '/v2/names/search?only=active&only=auction',
  '/v2/names/search?prefix=p',
  '/v3/oracles',
  '/v2/oracles?state=active',
  '/v3/oracles?state=inactive',
  '/v3/oracles?scope=gen:1-200',
  '/v3/oracles/{oracle}/queries',
  '/v3/oracles/{oracle}/responses',
  '/v3/oracles/{oracle}/responses?scope=gen:3-30',
  '/v3/oracles/{oracle}/extends',
  '/v3/channels',
  '/v3/channels?state=active',
  '/v2/channels?state=inactive',
  '/v3/channels?scope=gen:2-400',
  '/v3/channels/{channel}/updates',
  '/v3/channels/{channel}/updates?scope=gen:3-30',
  '/v3/aex9',
  '/v2/aex9?by=symbol',
  '/v3/aex9?by=creation',
  '/v3/aex9?prefix=s',
  '/v3/aex9/{aex9}/balances',
  '/v2/aex9/{aex9}/balances?by=amount',
  '/v3/aex9/{aex9}/balances?block_hash={micro_block}',
  '/v3/aex9/{aex9}/balances/{holder}/history',
  '/v3/aex9/{aex9}/balances/{holder}/history?scope=gen:20-200',
  '/v3/accounts/{holder}/aex9/balances',
  '/v3/aex9/{aex9}/transfers?account={holder}',
  '/v3/accounts/{holder}/aex9/transfers',
  '/v3/accounts/{holder}/aex9/transfers?contract={aex9}',
  '/v2/aex9/transfers/from/{from}',
  '/v2/aex9/transfers/to/{to}',
  '/v2/aex9/transfers/from-to/{from}/{to}',
  '/v3/aex141',
  '/v2/aex141?prefix=p',
  '/v3/aex141/{aex141}/tokens',
  '/v3/aex141/{aex141}/templates',
  '/v3/aex141/{aex141}/templates/{template}/tokens',
  '/v3/aex141/{aex141}/transfers',
  '/v3/aex141/{aex141}/transfers?to={collector}',
  '/v3/aex141/transfers?from={collector}',
  '/v3/accounts/{collector}/aex141/tokens',
  '/v3/accounts/{collector}/aex141/tokens?contract={aex141}',
  '/v3/contracts',
  '/v3/contracts?scope=gen:2-20',
  '/v3/contracts/logs',
  '/v3/contracts/logs?scope=gen:3-30',
  '/v2/contracts/logs?contract={contract}',
  '/v3/contracts/logs?event=Transfer',
  '/v3/contracts/logs?event=Transfer&scope=gen:20-200',
  '/v3/contracts/logs?transaction_hash={logged}',
  '/v3/contracts/logs?event=Transfer&tx_hash={logged}',
  '/v3/contracts/{contract}/logs',
  '/v3/contracts/{contract}/logs?event=Transfer',
  '/v3/contracts/{contract}/logs?transaction_hash={logged}',
  '/v3/transfers',
  '/v2/transfers?kind=fee',
  '/v3/transfers?scope=gen:3-100',
  '/v3/transfers?account={paid}',
  '/v3/transfers?account={paid}&kind=reward',
  '/v3/accounts/{account}/activities',
  '/v3/accounts/{account}/activities?scope=gen:3-12',
  '/v3/accounts/{account}/activities?owned_only=true',
  '/v2/accounts/{contract}/activities',
  '/v3/accounts/{name_hash}/activities',
  '/v3/accounts/{name_hash}/activities?type=claims',
  '/v3/accounts/{oracle}/activities',
  '/v3/accounts/{paid}/activities?type=transfers',
  '/v3/accounts/{holder}/activities',
  '/v3/accounts/{holder}/activities?type=aexn&owned_only=true',
  '/v3/accounts/{holder}/activities?contract={aex9}',
  '/v3/accounts/{holder}/activities?type=aex9&contract={aex9}',
  '/v3/accounts/{collector}/activities?type=aex141',
];

/** Where the ids come from: the member of a row of a list. */
const IDS: readonly (readonly [id: string, list: string, member: string])[] = [
  ['micro_block', '/v3/transactions', 'block_hash'],
  ['key_block', '/v3/transactions', 'block_height'],
  ['account', '/v3/transactions?type=spend', 'tx.sender_id'],
  ['owner', '/v3/names', 'ownership.current'],
  ['name', '/v3/names', 'name'],
  ['auction', '/v3/names/auctions', 'name'],
  ['oracle', '/v3/oracles', 'oracle'],
  ['channel', '/v3/channels', 'channel'],
  ['name_hash', '/v3/names', 'hash'],
  ['contract', '/v3/contracts/logs', 'contract_id'],
  ['caller', '/v3/transactions?contract={contract}&type=contract_call', 'tx.caller_id'],
  ['logged', '/v3/contracts/{contract}/logs', 'call_tx_hash'],
  ['paid', '/v3/transfers', 'account_id'],
  ['aex9', '/v3/aex9', 'contract_id'],
  ['holder', '/v3/aex9/{aex9}/balances', 'account_id'],
  ['from', '/v3/aex9/{aex9}/transfers?account={holder}', 'sender'],
  ['to', '/v3/aex9/{aex9}/transfers?sender={from}', 'recipient'],
  ['aex141', '/v3/aex141', 'contract_id'],
  ['collector', '/v3/aex141/{aex141}/tokens', 'owner_id'],
  ['template', '/v3/aex141/{aex141}/templates', 'template_id'],
  ['pair', '/v3/dex/swaps', 'contract_id'],
  ['trader', '/v3/dex/swaps', 'caller'],
  ['payer', '/v3/contracts/calls', 'contract_id'],
  ['paid', '/v3/contracts/calls?function=Chain', 'internal_tx.recipient_id'],
];

/** Forks of one chain: it grows, and with it its lists. */
const FORKS_OF_CHAIN = 25;
/** Of so many chains one is the recording with tokens. */
const RECORDED_EVERY = 5;
/** Generations of a chain whose lists have several rows, so that each statement is seen. */
const LONGER = 30;
/** Lists that are walked with three limits after a fork. */
const WALKS = 2;

/** A row without what a list tells anew with each head: times of heights to come. */
const identityOf = (row: Record<string, unknown>): string =>
  JSON.stringify(row, (name, value: unknown) => (name.startsWith('approximate_') ? undefined : value));

const rowsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ data }) => data.map(identityOf));

/** Whatever fork comes between two pages: no row that stays is lost or doubled, all limits and both directions show one list, and counts are its length. */
export function pagingLaw({ seed, forks }: { seed: number; forks: number }): void {
  describe(`pages of every list of the compatible API over ${forks} random forks`, function () {
    this.timeout(GIVE_UP_MS + forks * 20_000);

    it('have every list among those that are walked', () => {
      const walked = new Set([...OF_GENERATED, ...OF_RECORDED].map(shapeOf));
      const lists = compatEndpoints.filter(({ query }) => query !== undefined && 'cursor' in query);
      const missing = lists.map(({ path }) => shapeOf(path.replace('/mdw', ''))).filter((path) => !walked.has(path));
      // The pool of the node is no part of the chain.
      expect(missing).to.deep.equal(['/v3/transactions/pending']);
    });

    it('have each row that stayed once, in order, and counts equal their lists', async () => {
      /** By template: walks across a fork, and rows that stayed in them. */
      const stayedIn = new Map<string, number>();
      let [done, pages] = [0, 0];
      for (let chain = 0; done < forks; chain++) {
        const isRecorded = chain % RECORDED_EVERY === 1;
        const random = choices(seed * 1_000 + chain);
        const forking = await (isRecorded ? recordedChain(random) : generatedChain(`${seed} ${chain}`, random));
        try {
          const templates = isRecorded ? OF_RECORDED : OF_GENERATED;
          for (let round = 0; round < FORKS_OF_CHAIN && done < forks; round++, done++) {
            const story = `seed ${seed}, fork ${done} (fork ${round} of chain ${chain})`;
            const template = templates[(done + chain) % templates.length]!;
            const walk = await acrossFork(forking, template, random, story);
            stayedIn.set(template, (stayedIn.get(template) ?? 0) + walk.stayed);
            pages += walk.pages;
            for (let i = 0; i < WALKS; i++)
              pages += await everyWay(forking, templates[random.int(0, templates.length - 1)]!, random, story);
            await countsEqualLists(forking, random, story);
            await totalsEqualLists(forking, COUNTED[random.int(0, COUNTED.length - 1)]!, random, story);
          }
        } finally {
          await forking.close();
        }
      }
      const empty = [...stayedIn].filter(([, stayed]) => stayed === 0).map(([template]) => template);
      process.stdout.write(
        `      ${done} forks, ${pages} pages, ${stayedIn.size} lists; without a row that stayed: ${empty.join(' ')}\n`,
      );
    });
  });
}

/** Of the recorded chain, so that there are transfers. */
const REWARDS = { delay: 10, treasury: null };

/** Ids that are tried until a list has rows. */
const MAX_TRIES = 8;

/** Forks after each of which each total is compared. */
const FORKS_OF_TOTALS = 1;

/** The same of chains that stay as they are: each list once, and each count. Totals are compared after a fork, too. */
export function pagesOfEveryList(): void {
  /** Lists that had rows. */
  const filled = new Set<string>();
  for (const [name, templates, chainOf] of [
    ['a generated chain', OF_GENERATED, () => generatedChain('pages', choices(1), LONGER)],
    ['the recording with tokens', OF_RECORDED, () => recordedChain(choices(1))],
  ] as const) {
    describe(`pages of every list of the compatible API over ${name}`, () => {
      let chain: ForkingChain;
      before(async () => (chain = await chainOf()));
      after(() => chain.close());

      it('are the same rows by next, by prev and with three limits, and counts equal their lists', async () => {
        const random = choices(2);
        for (const template of templates) await everyWay(chain, template, random, name);
        await countsEqualLists(chain, random, name);
      });

      it('have as many rows as they say, also after forks', async () => {
        const random = choices(3);
        for (let forks = 0; ; forks++) {
          for (const template of COUNTED) {
            // Some ids have no such rows.
            for (let tries = template.includes('{') ? MAX_TRIES : 1; tries > 0; tries--) {
              if ((await totalsEqualLists(chain, template, random, `${name}, ${forks} forks`)) > 0)
                filled.add(template);
              if (filled.has(template)) break;
            }
          }
          if (forks === FORKS_OF_TOTALS) break;
          await chain.fork();
        }
      });
    });
  }

  describe('lists of the compatible API that say how many rows they have', () => {
    it('are all compared, and have rows', () => {
      expect(COUNTED.filter((template) => !filled.has(template))).to.deep.equal([]);
      const compared = new Set(COUNTED.map(shapeOf));
      const counted = compatEndpoints.filter(({ query }) => query !== undefined && 'count' in query);
      // Both versions of a list are one.
      const shapes = counted
        .filter(({ version }) => version === 'v3')
        .map(({ path }) => shapeOf(path.slice('/mdw'.length)));
      expect(shapes.filter((shape) => !compared.has(shape))).to.deep.equal([]);
    });
  });
}

/** A path without its query and ids. */
const shapeOf = (path: string): string => path.replace(/\?.*/, '').replace(/\{\w+\}/g, '{}');

/** Compares what each page of a list says of its length with the number of its rows, and returns it; 0 if the chain has no such list. */
async function totalsEqualLists(
  { api }: ForkingChain,
  template: string,
  random: Choices,
  story: string,
): Promise<number> {
  const path = await filledIn(api, template, random);
  if (path === undefined) return 0;
  const expected = rowsOf(await pagesOf(api, withLimit(path, 100)));
  const counted = withLimit(`${path}${path.includes('?') ? '&' : '?'}count=true`, limitsFor(expected.length)[1]!);
  const pages = await pagesOf(api, counted);
  expect(rowsOf(pages), `${counted}, ${story}`).to.deep.equal(expected);
  for (const { total } of [...pages, ...(await pagesBefore(api, pages.at(-1)!))])
    expect(total, `${counted}, ${story}`).to.equal(expected.length);
  return expected.length;
}

/** Walks a list while blocks are replaced between two of its pages. */
async function acrossFork(
  chain: ForkingChain,
  template: string,
  random: Choices,
  story: string,
): Promise<{ stayed: number; pages: number }> {
  const { api } = chain;
  const path = await filledIn(api, template, random);
  if (path === undefined) {
    await chain.fork();
    return { stayed: 0, pages: 0 };
  }
  const all = async (): Promise<string[]> => {
    // What the path names may have gone with a block.
    const { status } = await api.get(below(withLimit(path, 1)));
    return status === 404 || status === 400 ? [] : rowsOf(await pagesOf(api, withLimit(path, 100)));
  };
  let now = await all();
  let stayed = new Set(now);
  const limit = limitsFor(now.length)[random.int(0, 1)]!;
  const forkAfter = random.int(1, Math.max(1, Math.min(4, Math.floor(now.length / limit))));
  const seen: string[] = [];
  let pages = 0;
  for (let next: string | null = withLimit(path, limit); next !== null;) {
    const { status, body } = await api.get(below(next));
    if (status !== 200) {
      expect(stayed.size, `${path}: ${body}, ${story}`).to.equal(0);
      break;
    }
    const page = JSON.parse(body) as Page;
    seen.push(...rowsOf([page]));
    pages += 1;
    if (pages === forkAfter) {
      await chain.fork();
      now = await all();
      const left = new Set(now);
      stayed = new Set([...stayed].filter((row) => left.has(row)));
    }
    next = page.next;
  }
  if (pages < forkAfter) await chain.fork();
  else
    expect(
      seen.filter((row) => stayed.has(row)),
      `${path} by ${limit}, ${story}`,
    ).to.deep.equal(now.filter((row) => stayed.has(row)));
  return { stayed: stayed.size, pages };
}

/** Walks a list of one state by `next` with three limits, and back by `prev` from each last page. Returns the number of pages. */
async function everyWay({ api }: ForkingChain, template: string, random: Choices, story: string): Promise<number> {
  const path = await filledIn(api, template, random);
  if (path === undefined) return 0;
  const expected = rowsOf(await pagesOf(api, withLimit(path, 100)));
  expect(new Set(expected).size, `${path}, ${story}`).to.equal(expected.length);
  let read = 0;
  for (const limit of limitsFor(expected.length)) {
    const pages = await pagesOf(api, withLimit(path, limit));
    const what = `${path} by ${limit}, ${story}`;
    expect(rowsOf(pages), what).to.deep.equal(expected);
    expect(
      pages.slice(0, -1).every(({ data }) => data.length === limit),
      what,
    ).to.equal(true);
    const back = await pagesBefore(api, pages.at(-1)!);
    expect(rowsOf(back), `${what}, backward`).to.deep.equal(expected);
    read += pages.length + back.length;
  }
  return read;
}

/** Three limits with which a list of this length has several pages. */
const limitsFor = (length: number): number[] => (length < 12 ? [1, 2, 5] : length < 60 ? [3, 7, 40] : [9, 30, 100]);

async function countsEqualLists({ api }: ForkingChain, random: Choices, story: string): Promise<void> {
  for (const [countTemplate, listTemplate] of COUNTS) {
    const filled = await filledIn(api, `${countTemplate} ${listTemplate}`, random);
    if (filled === undefined) continue;
    const [count, path] = filled.split(' ') as [string, string];
    const answer = (await api.json(below(count))) as number | { data: number } | { total: number };
    const told = typeof answer === 'number' ? answer : 'data' in answer ? answer.data : answer.total;
    // Of a token that a meta transaction without call information created, the contract is not known: it has no list.
    const { status } = await api.get(below(withLimit(path, 1)));
    const pages = status === 400 && told === 0 ? [] : await pagesOf(api, withLimit(path, 100));
    // The list of a contract also has what others emitted in calls of it. A count of a token is that of its own events.
    const listed = pages.flatMap(({ data }) => data).filter((row) => (row['ext_caller_contract_id'] ?? null) === null);
    expect(told, `${count} beside ${path}, ${story}`).to.equal(listed.length);
  }
}

/** The path with ids of the chain as it is now; undefined if it has none. */
async function filledIn(api: TestApi, template: string, random: Choices): Promise<string | undefined> {
  const words = [...new Set([...template.matchAll(/\{(\w+)\}/g)].map(([, word]) => word!))];
  let path = template;
  const known = new Map<string, string>();
  for (const word of words) {
    const value = await idOf(api, word, random, known);
    if (value === undefined) return undefined;
    path = path.replaceAll(`{${word}}`, encodeURIComponent(value));
  }
  return path;
}

async function idOf(
  api: TestApi,
  word: string,
  random: Choices,
  known: Map<string, string>,
): Promise<string | undefined> {
  const before = known.get(word);
  if (before !== undefined) return before;
  const [, list, member] = IDS.find(([id]) => id === word)!;
  let path = list;
  for (const [, other] of list.matchAll(/\{(\w+)\}/g)) {
    const value = await idOf(api, other!, random, known);
    if (value === undefined) return undefined;
    path = path.replaceAll(`{${other}}`, value);
  }
  const { data } = (await api.json(below(withLimit(path, 50)))) as Page;
  if (data.length === 0) return undefined;
  const row = data[random.int(0, data.length - 1)]!;
  const value = member.split('.').reduce<unknown>((from, name) => (from as Record<string, unknown>)[name], row);
  if (value === null || value === undefined) return undefined;
  known.set(word, `${value as string | number}`);
  return known.get(word);
}

async function generatedChain(seed: string, random: Choices, generations = 10): Promise<ForkingChain> {
  const world = await createWorld({ seed, generations, txsPerGeneration: 9, accounts: 6 });
  const { devnode, database } = world;
  const node = nodeAt(devnode.externalUrl);
  const complete = async (): Promise<void> => {
    await decodeAll(database, node);
    await writeMovements(database, 'ae_test', REWARDS);
  };
  await complete();
  const api = await testApi(database, { nodeUrls: [devnode.externalUrl] });
  return {
    api,
    async fork() {
      if (random.chance(0.2)) {
        const next = (['key-block', 'micro-block'] as const)[random.int(0, 1)]!;
        await devnode.addMicroBlock({ txs: 2 });
        await world.sync();
        await devnode.microFork({ drop: 1, next });
      } else {
        const retainTxs = (['all', 'some', 'none'] as const)[random.int(0, 2)]!;
        const depth = random.int(1, 4);
        await devnode.fork({ depth, grow: depth + 1, retainTxs, txsPerGeneration: 5, microBlocks: 2 });
      }
      await world.sync();
      await complete();
    },
    async close() {
      await api.close();
      node.close();
      await world.close();
    },
  };
}

/** The recorded chain: its last generations are removed, and come back. */
async function recordedChain(random: Choices): Promise<ForkingChain> {
  const end = recordedGenerations('realnode-tokens').length - 1;
  let top = random.int(Math.floor(end * 0.7), end);
  const service = await recordedService('realnode-tokens', top);
  const { api, database } = service;
  const replay = (): Promise<void> => replayAll(database, recordedNode(undefined, 'realnode-tokens'));
  await replay();
  await writeMovements(database, 'ae_dev', REWARDS);
  return {
    api,
    async fork() {
      const removeFrom = Math.max(2, top - random.int(0, 9));
      const hashOf = (height: number): string => {
        const generation = recordedGenerations('realnode-tokens')[height]!;
        const { keyBlock, microBlocks } = generation;
        return microBlocks.at(-1)?.hash ?? (JSON.parse(keyBlock) as { hash: string }).hash;
      };
      await commit(database, () => Promise.resolve(), {
        base: hashOf(removeFrom - 1),
        removeFrom: keyPosition(removeFrom),
        blocks: [],
      });
      top = Math.min(end, removeFrom - 1 + random.int(0, 12));
      await service.grow(top);
      await replay();
      await writeMovements(database, 'ae_dev', REWARDS);
    },
    close: () => service.close(),
  };
}
