import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import { account } from '../support/ledger.js';
import { mdw, startMdw } from '../support/mdw.js';
import type { RunningMdw } from '../support/mdw.js';
import { eventually } from '../support/populator.js';

const FREE = [
  '--external',
  '127.0.0.1:0',
  '--internal',
  '127.0.0.1:0',
  '--rosetta',
  '127.0.0.1:0',
  '--admin',
  '127.0.0.1:0',
];

describe('mdw devnode --live', () => {
  let running: RunningMdw | undefined;

  afterEach(async () => {
    running?.process.kill('SIGTERM');
    await running?.ended;
  });

  it('starts with a genesis block and the given funds, and mines itself on request', async () => {
    const [rich, miner] = [account('rich'), account('miner')];
    const mining = ['--autostart', '--beneficiary', miner, '--key-block-ms', '50', '--reward-delay', '1'];
    running = startMdw(['devnode', ...FREE, '--live', '--fund', `${rich}=25`, '--profile', 'early', ...mining]);
    const [, url] = await running.saw(/Node ready at (\S+?),? /);
    const read = async (path: string): Promise<unknown> => parseExact(await (await fetch(url! + path)).text());
    expect(await read(`/v2/accounts/${rich}`)).to.include({ balance: 25n * 10n ** 18n, nonce: 0 });
    const isRewarded = (answer: unknown): boolean => ((answer as { balance?: bigint }).balance ?? 0n) > 0n;
    await eventually(() => read(`/v2/accounts/${miner}`), isRewarded);
    expect(await read('/v2/status')).to.deep.include({ protocols: [{ effective_at_height: 0, version: 1 }] });
  });

  for (const [args, words] of [
    [
      ['--live', '--fund', 'ak_nobody=5'],
      ['--fund', 'ak_nobody'],
    ],
    [
      ['--live', '--fund', `${account('rich')}=much`],
      ['--fund', 'ak_…=COINS'],
    ],
    [
      ['--live', '--beneficiary', 'ak_nobody'],
      ['--beneficiary', 'ak_nobody'],
    ],
    [['--fund', `${account('rich')}=5`], ['--live']],
    [
      ['--live', '--profile', 'late'],
      ['--profile', 'early', 'modern'],
    ],
    [['--live', '--autostart'], ['--beneficiary']],
    [['--live', '--replay', 'x'], ['--replay']],
  ] as const) {
    it(`is refused for ${args.join(' ')}`, async () => {
      const { status, stderr } = await mdw(['devnode', ...FREE, ...args]);
      expect(status).to.equal(2);
      for (const word of words) expect(stderr).to.contain(word);
    });
  }
});
