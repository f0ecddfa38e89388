/** A chain in which a name is claimed, points to an account, and is then paid again and again. */
import { encodeId, hash } from '../src/chain/encoding/encoding.js';
import { readKeyBlock, readMicroBlock } from '../src/chain/facts.js';
import { microPosition } from '../src/chain/position.js';
import { nameHash } from '../src/chain/protocol/ids.js';
import { placeKeyBlock, placeMicroBlock } from '../src/store/facts/blocks.js';
import type { Block } from '../src/store/facts/blocks.js';

const NAME = 'a-popular-name-of-many.chain';
const A_GENERATION = 500;
const GENERATIONS_AT_A_TIME = 10;

const made = (prefix: 'kh' | 'mh' | 'th' | 'ak', seed: string): string => encodeId(prefix, hash(Buffer.from(seed)));
const payers = Array.from({ length: 1_000 }, (_, i) => made('ak', `payer ${i}`));

/** Batches of blocks; the first holds the claim at 1 and the update at 2. */
export function* popularName(uses: number, pointsTo: 'bob' | 'carol'): Generator<Block[]> {
  const owner = made('ak', 'alice');
  const id = nameHash(NAME);
  let prev = made('kh', 'before');
  let prevKey = prev;
  const generation = (height: number, txs: string[]): Block[] => {
    const key = made('kh', String(height));
    const time = height * 180_000;
    const beneficiary = made('ak', 'miner');
    const keyText = {
      beneficiary,
      hash: key,
      height,
      info: 'cb_Xfbg4g==',
      miner: beneficiary,
      target: 553713663,
      time,
    };
    const keyBody = { ...keyText, prev_hash: prev, prev_key_hash: prevKey, version: 5 };
    const blocks = [placeKeyBlock(readKeyBlock(JSON.stringify(keyBody)))];
    prev = prevKey = key;
    if (txs.length === 0) return blocks;
    const micro = made('mh', String(height));
    const header = { hash: micro, height, prev_hash: prev, prev_key_hash: prevKey, time: time + 3000, version: 5 };
    const bodies = txs.map(
      (tx, i) =>
        `{"block_hash":"${micro}","block_height":${height},"hash":"${made('th', `${height}/${i}`)}","signatures":[],"tx":${tx}}`,
    );
    const text = `{"transactions":[${bodies.join()}]}`;
    blocks.push(placeMicroBlock(readMicroBlock(JSON.stringify(header), text), microPosition(height, 1), 5));
    prev = micro;
    return blocks;
  };
  const common = `"fee":20000,"nonce":1,"version":1`;
  const claim = `{"account_id":"${owner}","name":"${NAME}","name_fee":5000000000000000000,"name_salt":7,"type":"NameClaimTx",${common}}`;
  const pointers = `[{"id":"${made('ak', pointsTo)}","key":"account_pubkey"}]`;
  const update = `{"account_id":"${owner}","client_ttl":1,"name_id":"${id}","name_ttl":50000,"pointers":${pointers},"type":"NameUpdateTx",${common}}`;
  yield [...generation(0, []), ...generation(1, [claim]), ...generation(2, [update])];
  for (let height = 3, left = uses; left > 0;) {
    const blocks: Block[] = [];
    for (let n = 0; n < GENERATIONS_AT_A_TIME && left > 0; n++) {
      const count = Math.min(left, A_GENERATION);
      left -= count;
      const spends = Array.from({ length: count }, (_, i) => {
        const payer = payers[(height * A_GENERATION + i) % payers.length]!;
        return `{"amount":1,"payload":"ba_Xfbg4g==","recipient_id":"${id}","sender_id":"${payer}","type":"SpendTx",${common}}`;
      });
      blocks.push(...generation(height++, spends));
    }
    yield blocks;
  }
}
