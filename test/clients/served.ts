/** Starts servers over recorded chains, the built program for all but tokens, and lists a request for each operation of their API. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { endpoints } from '../../src/api/endpoints.js';
import { recordedService } from '../support/compat.js';
import { startRecorded } from '../support/service.js';

export interface Call {
  /** URL of the server with what the operation is about. */
  url: string;
  operationId: string;
  tag: string;
  method: string;
  path: string;
  /** Values of the path parameters, in the order of the path. */
  values: Record<string, string | number>;
  body?: Record<string, string>;
}

export interface Served {
  /** URL of the server with transactions of every type. */
  url: string;
  /** A folder for generated files. It contains `openapi.json` and `calls.json`. */
  folder: string;
  calls: Call[];
  close(): Promise<void>;
}

export async function served(): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'mdw-client-'));
  const [{ url, close }, tokens] = await Promise.all([startRecorded(), recordedService('realnode-tokens')]);
  const calls = await callsTo(url, `http://127.0.0.1:${tokens.api.port}`);
  writeFileSync(join(folder, 'openapi.json'), await textOf(`${url}/openapi.json`));
  writeFileSync(join(folder, 'calls.json'), JSON.stringify(calls));
  return {
    url,
    folder,
    calls,
    async close() {
      await Promise.all([close(), tokens.close()]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const textOf = async (url: string): Promise<string> => (await fetch(url)).text();

/** A request for each operation with a JSON answer, with identifiers that the chain contains. Those of tokens are on a chain of their own. */
async function callsTo(url: string, tokensUrl: string): Promise<Call[]> {
  const read = async <T>(path: string): Promise<T> => JSON.parse(await textOf(url + path)) as T;
  const [contract] = await read<{ contract_id: string }[]>('/middleware/contracts/all');
  const [oracle] = await read<{ oracle_id: string }[]>('/middleware/oracles/list');
  const [channel] = await read<string[]>('/middleware/channels/active');
  const [name] = await read<{ name: string; name_hash: string; owner: string }[]>('/middleware/names/active');
  const [auction] = await read<{ name: string; winning_bidder: string }[]>('/middleware/names/auctions/active');
  const { transactions } = await read<{ transactions: Transaction[] }>('/middleware/transactions/interval/0/9999');
  const spend = transactions.find(({ tx }) => tx.type === 'SpendTx' && tx.recipient_id?.startsWith('ak_') === true)!;
  const { key_block: block } = await read<{ key_block: { hash: string; time: number } }>('/v2/generations/height/100');
  const called = transactions.find(({ tx }) => tx.type === 'ContractCallTx')!.tx.contract_id!;
  const [call] = await read<{ transaction_id: string }[]>(`/middleware/contracts/calls/address/${called}`);

  const about: Record<string, Call['values']> = {
    address: { address: contract!.contract_id },
    getContractAddressCalls: { address: called },
    getContractCallOfTx: { hash: call!.transaction_id },
    getContractTx: { address: called },
    getChannelTx: { address: channel! },
    account: { account: spend.tx.sender_id! },
    accounts: { accounts: name!.owner },
    getNameAuctionsBidsbyAddress: { account: auction!.winning_bidder },
    getNameByAddress: { account: name!.owner },
    sender: { sender: spend.tx.sender_id! },
    receiver: { receiver: spend.tx.recipient_id! },
    // This range contains transactions of every type.
    from: { from: 0 },
    to: { to: 9999 },
    getTxRateByDateRange: { from: '20180101', to: '20350101' },
    // Their intervals have a length.
    getFiguresByTime: { from: '20190101', to: '20201231' },
    getFiguresOfGenerations: { from: 90, to: 100 },
    height: { height: 100 },
    milliseconds: { milliseconds: block.time },
    name: { name: auction!.name },
    searchName: { name: name!.name },
    hash: { hash: block.hash },
    getNameForHash: { hash: name!.name_hash },
    getTxByName: { hash: name!.name_hash },
    getTransactionByHash: { hash: spend.hash },
    oracle: { oracle: oracle!.oracle_id },
  };
  const aboutTokens = await tokensOn(tokensUrl);
  const verify = { contract_id: contract!.contract_id, source: 'contract C =\n', compiler: '4.1.0' };
  return endpoints
    .filter(({ mediaType = 'application/json' }) => mediaType === 'application/json')
    .map(({ operationId, tag, method, path, params, body }) => {
      const isOfTokens = tag === 'tokens';
      const known = isOfTokens ? { ...about, ...aboutTokens } : about;
      const values = {
        ...Object.assign({}, ...Object.keys(params).map((param) => known[param])),
        ...(path.includes('micro-blocks') && { hash: spend.block_hash }),
        ...known[operationId],
      } as Call['values'];
      const missing = Object.keys(params).filter((param) => values[param] === undefined);
      if (missing.length > 0) throw new Error(`${operationId} has no value for ${missing.join(', ')}`);
      const at = isOfTokens ? tokensUrl : url;
      return { url: at, operationId, tag, method, path, values, ...(body !== undefined && { body: verify }) };
    });
}

/** Values for the token and the collection with most holders, and for holders of them. */
async function tokensOn(url: string): Promise<Record<string, Call['values']>> {
  const rowsOf = async <T>(path: string): Promise<T[]> => {
    const { rows } = JSON.parse(await textOf(`${url}/middleware/tokens/${path}`)) as { rows: T[] };
    return rows;
  };
  const largest = async (standard: string): Promise<string> => {
    const tokens = await rowsOf<ListedToken>(standard);
    return tokens.sort((a, b) => b.holders - a.holders)[0]!.contract_id;
  };
  const [contract, collection] = [await largest('aex9'), await largest('aex141')];
  const [held] = await rowsOf<{ account_id: string }>(`${contract}/holders`);
  const [owned] = await rowsOf<{ owner: string }>(`${collection}/owners`);
  return {
    contract: { contract },
    account: { account: held!.account_id },
    getTokenOwners: { contract: collection },
    getOwnedTokens: { account: owned!.owner },
  };
}

interface ListedToken {
  contract_id: string;
  holders: number;
}

interface Transaction {
  hash: string;
  block_hash: string;
  tx: { type: string; sender_id?: string; recipient_id?: string; contract_id?: string };
}
