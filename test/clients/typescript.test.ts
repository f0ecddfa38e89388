/** The types that openapi-typescript makes, `types/api.d.ts`: the compiler checks this file, and the run what it reads. */
import { expect } from 'chai';
import type { components, paths } from '../../types/api.js';
import { TRANSACTION_TYPES } from '../../src/chain/transactions/catalogue.js';
import { served } from './served.js';
import type { Served } from './served.js';

type Tx = components['schemas']['Tx'];
type Readable = '/middleware/transactions/interval/{from}/{to}' | '/middleware/names' | '/middleware/contracts/all';

/** All bodies that the operation may answer with 200, of whatever media type. */
type Body<Path extends Readable> = paths[Path]['get']['responses'][200]['content'] extends infer Content
  ? Content[keyof Content]
  : never;

/** Who gives something, by the type of the transaction alone. */
function giver(tx: Tx): string | undefined {
  switch (tx.type) {
    case 'SpendTx':
      return tx.sender_id;
    case 'ContractCallTx':
      return tx.caller_id;
    case 'GAMetaTx':
    case 'PayingForTx':
      return giver(tx.tx.tx);
    default:
      return undefined;
  }
}

describe('the types made by openapi-typescript', function () {
  this.timeout(120_000);
  let service: Served;
  before(async () => (service = await served()));
  after(() => service.close());

  const read = async <Path extends Readable>(path: Path, url: string): Promise<Body<Path>> =>
    (await (await fetch(service.url + (url === '' ? path : url))).json()) as Body<Path>;

  it('are lists where lists are answered, and tell transactions apart', async () => {
    const interval = '/middleware/transactions/interval/{from}/{to}';
    const { transactions } = await read(interval, '/middleware/transactions/interval/0/9999');
    const named: string[] = transactions.map(({ tx }) => tx.type);
    const known = TRANSACTION_TYPES.flatMap(({ name, formerly }) => [name, formerly]);
    expect(known).to.include.members(named);
    expect(new Set(named)).to.have.length.above(20);
    for (const { tx, block_hash } of transactions) {
      if (tx.type === 'SpendTx' || tx.type === 'ContractCallTx') expect(giver(tx)).to.match(/^ak_/);
      expect(block_hash.startsWith('mh_')).to.equal(true);
    }
    const names = await read('/middleware/names', '');
    expect(names.map(({ owner }) => owner.slice(0, 3))).to.include('ak_');
    const contracts = await read('/middleware/contracts/all', '');
    expect(contracts.at(0)?.contract_id).to.match(/^ct_/);
  });
});
