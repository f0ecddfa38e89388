import { expect } from 'chai';
import { isObject, parseExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { keyBlockHash, microBlockHash } from '../../src/chain/serialize/verify-hash.js';
import { recordedGenerations } from '../support/recording.js';

const POW =
  '42398937 44145582 60062313 67268690 70386727 73311191 73976863 80847263 85649902 91860174 95381587 117552688 120127730 ' +
  '120694109 124732915 130547602 141123393 153513758 153717723 160456351 179135883 189963798 193935143 213809942 228813186 ' +
  '229068838 253097583 253348228 293469539 294519175 353462944 361343692 368029449 370749140 377762628 408045994 418987121 ' +
  '423343344 445325212 469339659 475159633 484059531';

/** Height 41838 of the main network. */
const keyBlock: JsonObject = {
  beneficiary: 'ak_542o93BKHiANzqNaFj6UurrJuDuxU61zCGr9LJCwtTUg34kWt',
  hash: 'kh_Ba9582bxExr7tsAfiWxtVUu5RNB621p3c3hNcZrFuYLkQ7ush',
  height: 41838,
  miner: 'ak_2Y4ekjiUYS1J3XWLXGB2MuvpDC2zjB4i4JUpqCuuC9nWNNKnra',
  nonce: 55578800732524,
  pow: POW.split(' ').map(Number),
  prev_hash: 'mh_2DwJimao7YZ4YBuBPfpjW1BfkNjb9SR14ALS7cmgEvnNzHh1op',
  prev_key_hash: 'kh_6Vfde6858MgjmD9cjkXy3HUd5XKUZMD1ZQFjqAc5KmaE6GwhE',
  state_hash: 'bs_21sEUyDWVYJwigfNrE39HracXEW37Yz8oTAXyYh7qCBSnnUNXz',
  target: 503757256,
  time: 1550888063558,
  version: 1,
};
const microBlock: JsonObject = {
  hash: 'mh_2Ut6zfHh9Sgn51betD6crogqncTRpNgFzLBpkaYxxQesZUtdhg',
  height: 41838,
  pof_hash: 'no_fraud',
  prev_hash: 'mh_2WwPA1XpE4sxcpZyfu6teuXDrZH3odGXD3fStK8t32wt7XTX1v',
  prev_key_hash: 'kh_Ba9582bxExr7tsAfiWxtVUu5RNB621p3c3hNcZrFuYLkQ7ush',
  signature: 'sg_CY7QDQou8XCH7Zc9vUPM1Zxqxu3F9Hsbx5p6zPKpkdqStdPC782bqH6KnF1iwE81JhgK6Zm1dinNSXW1waRreLdWYiz2z',
  state_hash: 'bs_tTFqiA3dmKz93SQRRuta1v5T71Y5YZ2VuDH1HydZ7X1iX2b9b',
  time: 1550888142120,
  txs_hash: 'bx_27TzDcsq2X5MybSsnUQEqAszLiD1qpZY3f2TwUHYSKKwn4B9DM',
  version: 1,
};

describe('recomputed hashes', () => {
  it('are those of the main network', () => {
    expect(keyBlockHash(keyBlock)).to.equal(keyBlock['hash']);
    expect(microBlockHash(microBlock)).to.equal(microBlock['hash']);
  });

  it('are those of every recorded key block and micro block', () => {
    for (const { keyBlock: text, microBlocks } of recordedGenerations()) {
      const key = object(text);
      expect(keyBlockHash(key)).to.equal(key['hash']);
      for (const { header } of microBlocks) {
        const micro = object(header);
        expect(microBlockHash(micro)).to.equal(micro['hash']);
      }
    }
  });

  it('differ after any change', () => {
    expect(keyBlockHash({ ...keyBlock, time: 1550888063559 }))
      .to.be.a('string')
      .not.equal(keyBlock['hash']);
    expect(microBlockHash({ ...microBlock, height: 1 }))
      .to.be.a('string')
      .not.equal(microBlock['hash']);
  });

  it('are null where they cannot be computed', () => {
    expect(keyBlockHash({ ...keyBlock, version: 7 })).to.equal(null);
    expect(keyBlockHash({ ...keyBlock, miner: 'ak_mistyped' })).to.equal(null);
    expect(keyBlockHash({})).to.equal(null);
    expect(microBlockHash({ ...microBlock, txs_hash: undefined as never })).to.equal(null);
    expect(microBlockHash({ height: 1, version: 1 })).to.equal(null);
  });
});

function object(text: string): JsonObject {
  const value = parseExact(text);
  if (!isObject(value)) throw new Error(`no object: ${text}`);
  return value;
}
