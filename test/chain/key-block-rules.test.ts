import { expect } from 'chai';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { Network } from '../../src/chain/networks.js';
import { networkOf, versionAt } from '../../src/chain/networks.js';
import { RULES_READ, brokenRule } from '../../src/chain/work/key-block-rules.js';
import type { KeyHeader } from '../../src/chain/work/key-block-rules.js';
import { readStatus } from '../../src/node/status.js';
import { recorded, recordedGenerations } from '../support/recording.js';

describe('the rules of key blocks', () => {
  const blocks = recordedGenerations().map(({ keyBlock }) => parseExact(keyBlock) as unknown as KeyHeader);
  const { networkId, forks } = readStatus(recorded('/v2/status'));
  const network: Network = networkOf(networkId, { powEdgeBits: 15, powIntervalMs: 3_000 }, forks);
  const later = blocks.at(-1)!.time;
  const broken = (block: KeyHeader, rules = network, now = later): string | undefined =>
    brokenRule(block, blocks.slice(Math.max(0, block.height - RULES_READ), block.height), rules, now);

  it('are followed by every recorded key block', () => {
    expect(blocks.length).to.equal(215);
    expect(blocks.flatMap((block) => broken(block) ?? [])).to.deep.equal([]);
  });

  it('are broken by every other target, from the first key block on', () => {
    for (const block of blocks.slice(1))
      for (const target of [block.target + 1, block.target - 1, 0x2100ffff + 1])
        expect(broken({ ...block, target }), `height ${block.height}`).to.equal(
          `its target is ${target} instead of ${block.target}`,
        );
  });

  it('take the target of the genesis block for the first key blocks', () => {
    const easy = blocks.slice(0, 2).map((block) => ({ ...block, target: 0x1f1f1f1f }));
    expect(brokenRule(easy[1]!, easy.slice(0, 1), network, later)).to.equal(undefined);
    expect(brokenRule(easy[1]!, blocks.slice(0, 1), network, later)).to.contain('its target is');
  });

  it('are broken by a time that is not after the median time, or far ahead of the clock', () => {
    for (const block of blocks.slice(12)) {
      const times = blocks.slice(block.height - 11, block.height).map(({ time }) => time);
      const median = times.sort((a, b) => a - b)[5]!;
      expect(broken({ ...block, time: median })).to.contain('median time of the 11 key blocks');
      expect(broken({ ...block, time: median + 1 }) ?? '').not.to.contain('median time');
    }
    expect(broken({ ...blocks[1]!, time: 0 })).to.contain('genesis block');
    const block = blocks[100]!;
    expect(broken(block, network, block.time - 540_000)).to.equal(undefined);
    expect(broken(block, network, block.time - 540_001)).to.equal('its time is 540001 ms ahead of the clock');
  });

  it('are broken by a key block of another form than the one before it, on a network without a proof of work, too', () => {
    const without = networkOf('hc', { powEdgeBits: 0, powIntervalMs: undefined });
    const at = (height: number, consensus: KeyHeader['consensus']): KeyHeader => ({
      ...blocks[100]!,
      height,
      consensus,
    });
    const said = (consensus: KeyHeader['consensus'], before: KeyHeader['consensus']): string | undefined =>
      brokenRule(at(8, consensus), [at(7, before)], without, later);
    expect(said('hyperchain', 'hyperchain')).to.equal(undefined);
    expect(said('hyperchain', undefined)).to.equal(undefined);
    expect(said('pow', 'hyperchain')).to.equal(
      'it has a proof of work, and the key block before it has the signature of its leader',
    );
    expect(said('hyperchain', 'on_demand')).to.equal(
      'it has the signature of its leader, and the key block before it has neither proof nor signature',
    );
  });

  it('are broken by a version that does not belong to the height', () => {
    for (const block of blocks.slice(1)) {
      for (const version of [1, 2, 3, 4, 5, 6].filter((one) => one !== block.version))
        expect(broken({ ...block, version })).to.equal(`its version is ${version} instead of ${block.version}`);
    }
    // Without known forks it must not go back.
    const unknown = { ...network, forks: [] };
    expect(broken({ ...blocks[100]!, version: 5 }, unknown)).to.contain('its version is 5');
    expect(broken(blocks[100]!, unknown)).to.equal(undefined);
  });

  it('do not include target and time in a network without a proof of work', () => {
    const without = networkOf(networkId, { powEdgeBits: 0, powIntervalMs: undefined }, forks);
    expect(brokenRule({ ...blocks[100]!, target: 1, time: 1 }, [], without, 0)).to.equal(undefined);
  });
});

describe('the known networks', () => {
  const settings = { powEdgeBits: undefined, powIntervalMs: undefined };

  it('have the forks of the protocol', () => {
    const main = networkOf('ae_mainnet', settings, [{ version: 6, height: 0 }]);
    const versions = [0, 47_799, 47_800, 90_800, 161_150, 441_443, 441_444, 941_699, 941_700, 2_000_000];
    expect(versions.map((height) => versionAt(main, height))).to.deep.equal([1, 1, 2, 3, 4, 4, 5, 5, 6, 6]);
    expect(versionAt(networkOf('ae_uat', settings), 939_750)).to.equal(6);
    expect(versionAt(networkOf('ae_uat', settings), 939_749)).to.equal(5);
  });

  it('leave other networks to what their nodes report', () => {
    const other = networkOf('ae_private', settings, [
      { version: 1, height: 0 },
      { version: 6, height: 1 },
    ]);
    expect([0, 1, 9].map((height) => versionAt(other, height))).to.deep.equal([1, 6, 6]);
    expect(versionAt(networkOf('ae_private', settings), 5)).to.equal(undefined);
  });
});
