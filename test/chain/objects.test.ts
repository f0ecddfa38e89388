import { expect } from 'chai';
import { ListKind, derive } from '../../src/chain/derive.js';
import { readMicroBlock } from '../../src/chain/facts.js';
import { objectIds } from '../../src/chain/objects.js';
import { recordedGenerations, recordedInfo } from '../support/recording.js';

describe('the objects of a transaction', () => {
  it('contain its hash and every object under which it is listed, for each recorded transaction', () => {
    let seen = 0;
    for (const { microBlocks } of recordedGenerations()) {
      for (const { header, transactions } of microBlocks) {
        for (const read of readMicroBlock(header, transactions).transactions) {
          const transaction = { ...read, info: read.type === 'GAMetaTx' ? recordedInfo(read.hash) : null };
          const ids = objectIds(transaction);
          expect(ids.has(transaction.hash)).to.equal(true);
          for (const { kind, id } of derive(transaction).lists) {
            if (kind !== ListKind.pair) expect(ids.has(id), id).to.equal(true);
          }
          seen += 1;
        }
      }
    }
    expect(seen).to.equal(444);
  });
});
