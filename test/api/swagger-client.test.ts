import { expect } from 'chai';
import type { Json } from '../../src/chain/encoding/json.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import { recordedModel } from '../support/modelled.js';
import type { Modelled } from '../support/modelled.js';
import { recordedGenerations } from '../support/recording.js';

interface Parameter {
  name: string;
  in: 'path' | 'query' | 'body';
  required: boolean;
  type?: string;
}

interface Swagger {
  basePath: string;
  paths: Record<string, Record<string, { operationId: string; parameters: Parameter[] }>>;
}

type Call = (...args: unknown[]) => Promise<Json>;

const camel = (name: string): string => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

/** Members of an answer as clients of this kind name them. */
function camelized(value: Json): Json {
  if (Array.isArray(value)) return value.map(camelized);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inside]) => [camel(name), camelized(inside)]));
}

/**
 * A client as the SDK's helper builds it from the description: required parameters are positional, the others members of
 * a last argument in camel case; values must be of the types told; big numbers keep their digits.
 */
function createClient({ basePath, paths }: Swagger, { get }: Modelled['api']): Record<string, Call> {
  const client: Record<string, Call> = {};
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, { operationId, parameters }] of Object.entries(methods)) {
      const required = parameters.filter((parameter) => parameter.required);
      client[operationId] = async (...args) => {
        const options = (args[required.length] ?? {}) as Record<string, unknown>;
        let target = path;
        let body: unknown;
        const query = new URLSearchParams();
        for (const parameter of parameters) {
          const at = required.indexOf(parameter);
          const value = at === -1 ? options[camel(parameter.name)] : args[at];
          if (value === undefined) {
            if (parameter.required) throw new TypeError(`${operationId}: ${parameter.name} is missing`);
            continue;
          }
          if (parameter.type === 'integer' && !Number.isInteger(Number(value))) throw new TypeError(parameter.name);
          if (parameter.in === 'path')
            target = target.replace(`{${parameter.name}}`, encodeURIComponent(value as string));
          else if (parameter.in === 'query') query.set(parameter.name, value as string);
          else body = value;
        }
        const search = query.size === 0 ? '' : `?${query.toString()}`;
        const answer = await get(basePath + target + search, {
          method: method.toUpperCase(),
          ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
        });
        const value = camelized(parseExact(answer.body));
        if (answer.status >= 400) throw new Error((value as { reason: string }).reason);
        return value;
      };
    }
  }
  return client;
}

describe('a client built from /middleware/api', () => {
  let model: Modelled;
  let client: Record<string, Call>;
  before(async () => {
    // The recorded chain does not grow.
    model = await recordedModel(undefined, { statusMaxBlockAge: 2 ** 31 });
    client = createClient((await model.exact('/middleware/api')) as unknown as Swagger, model.api);
  });
  after(() => model.close());

  const same = async (told: Promise<Json>, path: string): Promise<void> => {
    expect(await told, path).to.deep.equal(camelized(await model.exact(`/middleware/${path}`)));
  };

  it('returns what wallets request', async () => {
    const [{ owner } = { owner: '' }] = (await model.exact('/middleware/names/active')) as { owner: string }[];
    await same(client['getActiveNames']!({ owner }), `names/active?owner=${owner}`);
    await same(client['getActiveNames']!(), 'names/active');
    await same(client['getNameByAddress']!(owner), `names/reverse/${owner}`);
    await same(client['getTxByAccount']!(owner, { limit: 2, page: 2 }), `transactions/account/${owner}?limit=2&page=2`);
    expect(await client['getTxByAccount']!(owner, { limit: 1, page: 1_000_000 })).to.deep.equal([]);

    const auctions = (await client['getActiveNameAuctions']!({ sort: 'max_bid', limit: 5 })) as {
      name: string;
      winningBid: string;
      winningBidder: string;
    }[];
    expect(auctions).to.have.length.above(0);
    const { name, winningBid, winningBidder } = auctions[0]!;
    const bids = (await client['getNameAuctionsBidsbyAddress']!(winningBidder)) as {
      nameAuctionEntry: { winningBid: string };
      transaction: { tx: { nameFee: number | bigint } };
    }[];
    await same(Promise.resolve(bids as unknown as Json), `names/auctions/bids/account/${winningBidder}`);
    // How a wallet finds its winning bids.
    const winning = bids.filter((bid) => bid.nameAuctionEntry.winningBid === String(bid.transaction.tx.nameFee));
    expect(winning.map((bid) => bid.nameAuctionEntry.winningBid)).to.include(winningBid);
    await same(client['getAuctionInfo']!(name), `names/auctions/${name}/info`);
    await same(client['getNameAuctionsBidsbyName']!(name), `names/auctions/bids/${name}`);
    expect(await client['getActiveNameAuctionsCount']!({ length: name.length })).to.include({ result: 'OK' });
  });

  it('has every operation, each with its required parameters in the order of its path', async () => {
    const { contract_id: contract } = (
      (await model.exact('/middleware/contracts/all')) as { contract_id: string }[]
    )[0]!;
    const { oracle_id: oracle } = ((await model.exact('/middleware/oracles/list')) as { oracle_id: string }[])[0]!;
    const [channel = ''] = (await model.exact('/middleware/channels/active')) as string[];
    const {
      name,
      name_hash: hash,
      owner,
    } = ((await model.exact('/middleware/names')) as { name: string; name_hash: string; owner: string }[])[0]!;
    const { time } = JSON.parse(recordedGenerations()[100]!.keyBlock) as { time: number };
    const { name: auctioned } = ((await model.exact('/middleware/names/auctions/active')) as { name: string }[])[0]!;
    const asked: Record<string, [unknown[], string]> = {
      getActiveChannels: [[], 'channels/active'],
      getChannelTx: [[channel], `channels/transactions/address/${channel}`],
      getAllContracts: [[{ limit: 1 }], 'contracts/all?limit=1'],
      getContractCreationTx: [[contract], `contracts/transactions/creation/address/${contract}`],
      getContractTx: [[contract], `contracts/transactions/address/${contract}`],
      getContractAddressCalls: [[contract], `contracts/calls/address/${contract}`],
      getCompilers: [[], 'compilers'],
      getGenerationsByRange: [[12, 13], 'generations/12/13'],
      getHeightByTime: [[time], `height/at/${time}`],
      getAllNames: [[{ owner, limit: 3, page: 1 }], `names?owner=${owner}&limit=3&page=1`],
      searchName: [[name], `names/${encodeURIComponent(name)}`],
      getActiveNames: [[{ reverse: 'true' }], 'names/active?reverse=true'],
      getActiveNameAuctions: [[], 'names/auctions/active'],
      getActiveNameAuctionsCount: [[], 'names/auctions/active/count'],
      getNameAuctionsBidsbyAddress: [[owner], `names/auctions/bids/account/${owner}`],
      getNameAuctionsBidsbyName: [[auctioned], `names/auctions/bids/${auctioned}`],
      getNameByAddress: [[owner], `names/reverse/${owner}`],
      getAuctionInfo: [[auctioned], `names/auctions/${auctioned}/info`],
      getNameForHash: [[hash], `names/hash/${hash}`],
      getAllOracles: [[], 'oracles/list'],
      getOracleData: [[oracle, { limit: 2 }], `oracles/${oracle}?limit=2`],
      getRewardAtHeight: [[100], 'reward/height/100'],
      getChainSize: [[], 'size/current'],
      getSizeAtHeight: [[100], 'size/height/100'],
      getTxCountByAddress: [[owner, { txtype: 'SpendTx' }], `transactions/account/${owner}/count?txtype=SpendTx`],
      getTxBetweenAddress: [[owner, contract], `transactions/account/${owner}/to/${contract}`],
      getTxByAccount: [[owner], `transactions/account/${owner}`],
      getTxByGenerationRange: [[12, 40, { limit: 7 }], 'transactions/interval/12/40?limit=7'],
      getTxRateByDateRange: [['20200101', '20300101'], 'transactions/rate/20200101/20300101'],
      getCurrentTxCount: [[], 'count/current'],
    };
    for (const [operation, [args, path]] of Object.entries(asked)) await same(client[operation]!(...args), path);
    expect(await client['getMdwStatus']!()).to.include({ OK: true });
    const request = { contract_id: contract, source: 'contract C =\n', compiler: '4.1.0' };
    expect(await client['verifyContract']!(request)).to.deep.equal({ error: 'no compiler available' });
    expect([...Object.keys(asked), 'getMdwStatus', 'verifyContract']).to.have.members(Object.keys(client));
  });
});
