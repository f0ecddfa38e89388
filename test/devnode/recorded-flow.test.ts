import { expect } from 'chai';
import type { Devnode } from '../../devtools/devnode/start.js';
import { closeDevnodes, open } from '../support/devnode.js';
import { askAgain, comparable, recordedLines } from '../support/realnode.js';
import type { RecordedLine } from '../support/realnode.js';

const COIN = 10n ** 18n;
/** Accounts at the beginning of the recorded flow, when the owner of name and oracle did not have coins yet. */
const FUNDS = {
  ak_HwCr5Q3Ao5oKvq7nALafpmUe3MBby3JmTsrp6Muu8GnEu74Dp: { balance: 1_000_000n * COIN, nonce: 41n },
  ak_Bo5TFTJJpuGqXSFm5sWMCitSE2VSREEsVZJA1C3UGBTTuidji: { balance: 1_000n * COIN, nonce: 37n },
};
const BENEFICIARY = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';

/** Features of the specification that the recorded node does not have. */
const EXCEPTIONS: readonly { why: string; applies(line: RecordedLine): boolean }[] = [
  {
    why: 'a spend may go to a name in plain text',
    applies: ({ note }) => note === 'plain name as recipient',
  },
  {
    why: 'an oracle is registered at the path of the table',
    applies: ({ path }) => path === '/v2/debug/oracles/oracle',
  },
];

describe('the recorded flows of the specification: a name from preclaim to revoke, an oracle from register to response', () => {
  let devnode: Devnode;
  before(async () => {
    const live = { funds: FUNDS, mining: { beneficiary: BENEFICIARY } };
    devnode = await open({ internal: '127.0.0.1:0', source: { live } });
  });
  after(closeDevnodes);

  it('return the recorded answers: unsigned transactions, hashes, and the state after every step', async () => {
    const lines = recordedLines('flow');
    for (const [at, line] of lines.entries()) {
      const included = /"block_height":(\d+)/.exec(line.body);
      if (included !== null && line.path.includes('/th_')) {
        await devnode.grow(Number(included[1]) - devnode.height(), { txsPerGeneration: 0 });
        await devnode.addMicroBlock();
      }
      const { status, body } = await askAgain(devnode, line);
      const exception = EXCEPTIONS.find(({ applies }) => applies(line));
      if (exception !== undefined) expect([status, body.slice(0, 7)], exception.why).to.deep.equal([200, '{"tx":"']);
      else {
        // The hash of a block depends on its time and keys.
        const [told, recorded] = [comparable(body, ['block_hash']), comparable(line.body, ['block_hash'])];
        expect([status, told], `line ${at}, ${line.path}, ${line.note ?? ''}`).to.deep.equal([line.status, recorded]);
      }
    }
    expect(lines).to.have.length(56);
  });
});
