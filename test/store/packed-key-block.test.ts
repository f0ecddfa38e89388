import { expect } from 'chai';
import { readKeyBlock } from '../../src/chain/facts.js';
import { packed } from '../../src/store/write/packed-key-block.js';
import { recordedKeyBlock } from '../support/recording.js';

const HYPERCHAIN = 'realnode-hyperchain';

describe('a key block as it is stored', () => {
  it('has its whole text unless it is of a hyperchain', () => {
    for (const height of [0, 1, 100]) {
      const block = readKeyBlock(recordedKeyBlock(height));
      expect(packed(block)).to.deep.equal({ prevKeyHash: block.prevKeyHash, body: block.body });
    }
  });

  it('has its whole text if it has anything that the columns do not give back', () => {
    const text = recordedKeyBlock(10, HYPERCHAIN);
    expect(packed(readKeyBlock(text)).body).to.not.equal(text);
    for (const [from, to] of [
      ['"nonce":0', '"nonce":1'],
      ['"nonce":0', '"nonce": 0'],
      ['{"beneficiary"', '{"more":1,"beneficiary"'],
      [/"miner":"ak_./, '"miner":"ak_x'],
      [/"info":"cb_....../, '"info":"cb_xxxxxx'],
      [/"info":"[^"]*",/, ''],
      [/"flags":"[^"]*",/, ''],
      [/"pow":\[\d+/, '"pow":[4294967296'],
      [/"pow":\[\d+/, '"pow":[-1'],
      [/"pow":\[\d+/, '"pow":[1.5'],
      [/"state_hash":"bs_/, '"state_hash":"xx_'],
    ] as const) {
      const other = text.replace(from, to);
      expect(other).to.not.equal(text);
      const block = readKeyBlock(other);
      expect(packed(block), to).to.deep.equal({ prevKeyHash: block.prevKeyHash, body: block.body });
    }
  });
});
