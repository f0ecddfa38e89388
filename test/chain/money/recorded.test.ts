import { expect } from 'chai';
import { KINDS } from '../../../src/chain/money/kinds.js';
import { completeKeyBlock, completeTransaction } from '../../../src/chain/money/node-moves.js';
import type { Movement } from '../../../src/chain/money/movement.js';
import { keptOf, readNodeMoney, writeNodeMoney } from '../../../src/chain/money/node-money.js';
import type { NodeMoney } from '../../../src/chain/money/node-money.js';
import type { NodeBlock, NodeOperation } from '../../../src/chain/money/node-operations.js';
import { differences, recordedChanges, recordedMoney, recordedNodeBlocks } from '../../support/recorded-money.js';
import type { BlockMoney } from '../../support/recorded-money.js';
import { recording } from '../../support/recording.js';

const RULES = { delay: 10, treasury: null };
const GENESIS_ACCOUNT = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';

/** Operations that exist only because something happened inside a contract call. */
const MOVES_INSIDE = ['Spend.amount', 'Name.lock', 'Name.refund', 'Chain.lock', 'Chain.fee', 'Oracle.queryfee'];

describe('movements of the recorded chains', () => {
  describe('of realnode-tokens', () => {
    const OF = 'realnode-tokens';
    let blocks: BlockMoney[];
    let changes: ReturnType<typeof recordedChanges>;
    let nodeBlocks: ReturnType<typeof recordedNodeBlocks>;

    before(() => {
      blocks = recordedMoney(OF, RULES);
      changes = recordedChanges(OF);
      nodeBlocks = recordedNodeBlocks(OF);
    });

    const operationsOf = (height: number, hash: string): NodeOperation[] =>
      nodeBlocks.get(height)!.transactions.get(hash)!;

    it('add up to the balance of each account after each block, except where contracts move money', () => {
      const contractBlocks = blocks.filter(({ moves }) => moves.gaps.includes('inside'));
      const others = blocks.filter((block) => !contractBlocks.includes(block));
      const wrong = (some: BlockMoney[]): BlockMoney[] =>
        some.filter(({ hash, moves }) => differences(moves.movements, changes.get(hash)).size > 0);

      const paysInside = contractBlocks.filter(({ height, transactions }) =>
        transactions.some(({ transaction, moves }) => {
          if (!moves.gaps.includes('inside')) return false;
          const operations = operationsOf(height, transaction.hash);
          const start = operations.findIndex(({ type }) => type === 'Contract.amount');
          const inside = operations.slice(start).filter(({ type }) => MOVES_INSIDE.includes(type));
          const sums = inside.map(({ account, amount }) => ({ account, amount }));
          return start >= 0 && differences(sums).size > 0;
        }),
      );
      expect(wrong(contractBlocks).map(({ hash }) => hash)).to.have.members(paysInside.map(({ hash }) => hash));
      expect(paysInside.length).to.be.above(20);

      expect(wrong(others).map(({ height, kind }) => `${kind} ${height}`)).to.deep.equal([
        // The coins of the genesis block.
        'key 0',
        // A spend to a name whose pointer was set inside a contract, and a bid after one that was made there.
        ...['micro 80', 'micro 87'],
        // Queries asked inside a contract expire.
        ...['key 117', 'key 144'],
        // The node has no call information of a GAMetaTx inside a PayingForTx, so neither its gas nor the rewards with it are known.
        ...['micro 153', 'key 163', 'key 164'],
        // Auctions in which the last bid was made inside a contract.
        ...['key 567', 'key 568'],
      ]);
    });

    it('say where they are not all that happened', () => {
      const wrong = blocks.filter(({ hash, moves }) => differences(moves.movements, changes.get(hash)).size > 0);
      const first = blocks.findIndex(({ moves }) => moves.gaps.includes('inside'));
      // After a contract has run, a key block may end something that nobody saw begin.
      const unseen = wrong.filter((block) => block.moves.gaps.length === 0 && blocks.indexOf(block) < first);
      expect(unseen.map(({ height }) => height)).to.deep.equal([0]);
    });

    it('add up to each balance with the operations of the node, and nothing is unexplained', () => {
      let fromNode = 0;
      const kinds = new Set<string>();
      for (const { kind, hash, height, moves, transactions } of blocks.slice(1)) {
        const done =
          kind === 'key'
            ? [completeKeyBlock(moves.movements, nodeBlocks.get(height - 1)!.nextKeyBlock, null)]
            : transactions.map((one) =>
                completeTransaction(one.moves.movements, operationsOf(height, one.transaction.hash)),
              );
        const movements = done.flatMap((one) => one.movements);
        fromNode += done.filter(({ isFromNode }) => isFromNode).length;
        for (const movement of movements) kinds.add(movement.kind);
        expect([...differences(movements, changes.get(hash))], `${kind} ${height}`).to.deep.equal([]);
        expect(movements.filter((one) => one.kind === 'unexplained')).to.deep.equal([]);
        for (const { kind: name, amount } of movements) {
          const { sign } = KINDS[name];
          expect(sign === 'any' || amount > 0n === (sign === 'in'), `${name} ${amount}`).to.equal(true);
        }
      }
      expect(fromNode).to.equal(59);
      expect(Object.keys(KINDS).filter((kind) => !kinds.has(kind))).to.deep.equal([
        'treasury',
        'preset',
        'preset_minerva',
        'preset_fortuna',
        'preset_lima',
        'preset_extra_lima',
        'preset_contract_lima',
        'unexplained',
      ]);
    });

    it('have kinds of which each stands for operations of the node as the table says', () => {
      for (const { height, transactions } of blocks) {
        for (const { transaction, moves } of transactions) {
          const operations = operationsOf(height, transaction.hash);
          const { movements } = completeTransaction(moves.movements, operations);
          for (const { account, kind } of movements) {
            const types = operations.flatMap((one) => (one.account === account ? [one.type] : []));
            const { rosetta } = KINDS[kind];
            expect(
              types.some((type) => rosetta.includes(type)),
              `${transaction.type} ${kind}: ${types.join()}`,
            ).to.equal(true);
          }
        }
      }
    });
  });

  describe('of a hyperchain', () => {
    const OF = 'realnode-hyperchain';
    const STAKING = 'ak_KJgjAXMtRF68AbT5A2aC9fTk8PA4WFv26cFSY27fXs6FtYQHK';
    const ELECTION = 'ak_LRbi65kmLtE7YMkG6mvG5TxAXTsPJDZjAtsPuaXtRyPA7gnfJ';
    const OWNER = 'ak_11111111111111111111111111111115rHyByZ';

    it('add up except for its own contracts, their owner, and where contracts move money', () => {
      const changes = recordedChanges(OF);
      const accounts = new Set<string>();
      for (const { height, hash, moves } of recordedMoney(OF, null)) {
        if (height === 0 || moves.gaps.includes('inside')) continue;
        for (const account of differences(moves.movements, changes.get(hash)).keys()) accounts.add(account);
      }
      expect([...accounts].sort()).to.deep.equal([OWNER, STAKING, ELECTION].sort());
    });

    it('add up with the operations of the node, for all other accounts', () => {
      const changes = recordedChanges(OF);
      const nodeBlocks = recordedNodeBlocks(OF);
      const wrong: string[] = [];
      for (const { height, kind, hash, transactions } of recordedMoney(OF, null)) {
        if (kind === 'key') continue;
        const movements = transactions.flatMap(
          ({ transaction, moves }) =>
            completeTransaction(moves.movements, nodeBlocks.get(height)!.transactions.get(transaction.hash)!).movements,
        );
        for (const account of differences(movements, changes.get(hash)).keys())
          if (![STAKING, ELECTION, OWNER].includes(account)) wrong.push(`${height} ${account}`);
      }
      // In the block before the end of an epoch, the node replays the validators' calls with other gas.
      expect(wrong.map((one) => Number(one.split(' ')[0]) % 10)).to.satisfy((all: number[]) =>
        all.every((at) => at === 9),
      );
    });
  });

  describe('of realnode, protocols 1 to 6', () => {
    /** The account with the share of rewards, on all networks except the test network. */
    const rules = { delay: 10, treasury: 'ak_2KAcA2Pp1nrR8Wkt3FtCkReGzAi8vJ9Snxa4PcmrthVx8AhPe8' };
    let blocks: BlockMoney[];

    before(() => {
      blocks = recordedMoney('realnode', rules);
    });

    /** Sums after the opening key block of each height. */
    function* balances(): Generator<{ block: BlockMoney; sums: Map<string, bigint>; total: bigint }> {
      const sums = new Map([[GENESIS_ACCOUNT, 10n ** 31n]]);
      for (const block of blocks) {
        for (const { account, amount } of block.moves.movements) sums.set(account, (sums.get(account) ?? 0n) + amount);
        if (block.kind === 'key') yield { block, sums, total: [...sums.values()].reduce((sum, one) => sum + one, 0n) };
      }
    }

    it('add up to the recorded balances, except for one that a contract paid', () => {
      let compared = 0;
      const wrong = new Set<string>();
      for (const { block, sums } of balances()) {
        for (const [request, { body }] of recording('realnode')) {
          const [, account, at] = /^GET \/v3\/accounts\/(ak_\w+)\/height\/(\d+)$/.exec(request) ?? [];
          if (account === undefined || Number(at) !== block.height) continue;
          const balance = BigInt(/"balance":(\d+)/.exec(body)?.[1] ?? 0);
          const difference = balance - (sums.get(account) ?? 0n);
          if (difference !== 0n) wrong.add(`${account} ${difference}`);
          compared += 1;
        }
      }
      expect(compared).to.be.above(30);
      expect([...wrong]).to.deep.equal(['ak_Bo5TFTJJpuGqXSFm5sWMCitSE2VSREEsVZJA1C3UGBTTuidji 5000']);
    });

    it('add up to the supply of the node, part by part', () => {
      let compared = 0;
      for (const { block, total } of balances()) {
        const answer = recording('realnode').get(`GET /v3/debug/token-supply/height/${block.height}`);
        if (answer === undefined) continue;
        const supply = JSON.parse(answer.body.replace(/:(\d+)/g, ':"$1"')) as Record<string, string>;
        const sum = (...parts: string[]): bigint => parts.reduce((all, part) => all + BigInt(supply[part]!), 0n);
        const { auction, query, channel } = block.held;
        expect({ total, auction, query, channel }, `height ${block.height}`).to.deep.equal({
          total: sum('accounts', 'contracts', 'oracles', 'contract_oracles', 'locked'),
          auction: sum('auctions'),
          query: sum('oracle_queries'),
          channel: sum('channels'),
        });
        compared += 1;
      }
      expect(compared).to.equal(44);
    });
  });
});

describe('the answer of a node about a generation', () => {
  const OF = 'realnode-tokens';
  const blocks = recordedMoney(OF, RULES);
  const nodeBlocks = recordedNodeBlocks(OF);
  const ask = (height: number): Parameters<typeof keptOf>[0] => ({
    height,
    ...{ hash: nodeBlocks.get(height)!.hash, version: 6 },
    transactions: blocks.flatMap((one) =>
      one.height === height ? one.transactions.map(({ transaction }) => transaction) : [],
    ),
  });
  const answerOf = (height: number): NodeBlock => structuredClone(nodeBlocks.get(height)!);

  it('is that of the recorded node, of which less than a quarter is kept', () => {
    let kept = 0;
    let whole = 0;
    for (const height of nodeBlocks.keys()) {
      const money = keptOf(ask(height), answerOf(height));
      expect(money, `height ${height}`).to.be.an('object');
      const text = writeNodeMoney(money as NodeMoney);
      expect(readNodeMoney(text)).to.deep.equal(money);
      kept += (money as NodeMoney).transactions.size;
      whole += answerOf(height).transactions.size;
    }
    expect(kept / whole).to.be.below(0.25);
  });

  /** Height of a generation with a call that pays, and its operations. */
  function paying(): { height: number; block: NodeBlock; operations: NodeOperation[] } {
    for (const height of nodeBlocks.keys()) {
      const block = answerOf(height);
      for (const operations of block.transactions.values()) {
        const types = operations.map(({ type }) => type);
        if (types.includes('Contract.amount') && types.includes('Spend.amount')) return { height, block, operations };
      }
    }
    throw new Error('none');
  }

  const LIES: Record<string, (of: ReturnType<typeof paying>) => void> = {
    'the amount of a payment is changed': ({ operations }) => {
      operations.find(({ type }) => type === 'Spend.amount')!.amount -= 1n;
    },
    'the fee is changed': ({ operations }) => void (operations[0]!.amount -= 1n),
    'the refund of the gas is changed': ({ operations }) => {
      operations.find(({ type }) => type === 'Chain.refund')!.amount += 1n;
    },
    'half of a payment is missing': ({ operations }) => {
      operations.splice(
        operations.findIndex(({ type }) => type === 'Spend.amount'),
        1,
      );
    },
    'an operation is there twice': ({ operations }) => void operations.push(operations.at(-1)!),
  };
  for (const [lie, change] of Object.entries(LIES)) {
    it(`contradicts if ${lie}`, () => {
      const of = paying();
      expect(keptOf(ask(of.height), of.block)).to.be.an('object');
      change(of);
      expect(keptOf(ask(of.height), of.block)).to.equal('contradicts');
    });
  }

  it('contradicts if a spend has another amount', () => {
    const block = answerOf(2);
    // To another account: what an account pays itself changes no balance.
    const [, from, to] = [...block.transactions.values()].find(([, one, other]) => one!.account !== other!.account)!;
    for (const operation of [from!, to!]) operation.amount *= 2n;
    expect(keptOf(ask(2), block)).to.equal('contradicts');
  });

  it('is about another block if its hash, a transaction or their order is another one', () => {
    expect(keptOf(ask(2), answerOf(3))).to.equal('other_block');
    const [missing, turned] = [answerOf(2), answerOf(2)];
    missing.transactions.delete([...missing.transactions.keys()][1]!);
    expect(keptOf(ask(2), missing)).to.equal('other_block');
    turned.transactions = new Map([...turned.transactions].reverse());
    expect(keptOf(ask(2), turned)).to.equal('other_block');
  });

  it('wins where our rules knew too little, and leaves unexplained what nothing tells', () => {
    const fee: Movement = { account: 'ak_a', kind: 'fee', amount: -5n, counterparty: null };
    const operation = (type: string, account: string, amount: bigint): NodeOperation => ({ type, account, amount });
    const paid: Movement = { account: 'ak_b', kind: 'spend', amount: 7n, counterparty: 'ak_a' };
    expect(completeTransaction([fee, paid], [operation('Chain.fee', 'ak_a', -5n)]).movements).to.deep.equal([fee]);
    const { movements } = completeTransaction([fee], [operation('Chain.fee', 'ak_a', -6n)]);
    expect(movements).to.deep.equal([
      fee,
      { account: 'ak_a', kind: 'unexplained', amount: -1n, counterparty: null, isFromNode: true },
    ]);
  });
});
