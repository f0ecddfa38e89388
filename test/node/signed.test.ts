import { expect } from 'chai';
import { decodeId, encodeId } from '../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { readKeyBlock, readMicroBlock } from '../../src/chain/facts.js';
import type { KeyBlock, MicroBlock } from '../../src/chain/facts.js';
import { microHeaderBytes } from '../../src/chain/serialize/headers.js';
import { createSignatureCheck } from '../../src/node/signed.js';
import { closeDevnodes, generated, read } from '../support/devnode.js';
import { THIEF, forge, leaderKey } from '../support/forged-head.js';
import { recordedGenerations } from '../support/recording.js';

const THIEF_ID = encodeId('ak', THIEF.publicKey);
const DAY_MS = 86_400_000;

describe('the signatures of what a node returns', () => {
  const options = { networkId: () => 'ae_dev', channelParties: () => Promise.resolve(undefined) };
  const START = Date.now() - 3 * DAY_MS;
  let keyBlock: KeyBlock;
  /** Signed by its leader, with a payment that nobody signed. */
  let block: MicroBlock;
  let about: { header: Uint8Array; signed: readonly Uint8Array[] };

  before(async () => {
    const devnode = await generated({ seed: 'age', generations: 4, startTime: START });
    const forgery = await forge(devnode, {
      signsBlock: (message, miner) => leaderKey('age', miner).sign(message),
      signsPayment: () => [],
    });
    const generation = await read(devnode, '/v3/generations/current');
    keyBlock = readKeyBlock(stringifyExact(generation['key_block']!));
    block = readMicroBlock(stringifyExact(forgery.header), forgery.transactions);
    about = aboutBlock(block);
  });
  after(closeDevnodes);

  const bytesOf = ({ transactions }: MicroBlock): Uint8Array[] =>
    transactions.map(({ body }) => decodeId((parseExact(body) as JsonObject)['encoded_tx'] as string, 'tx'));

  const aboutBlock = (of: MicroBlock): typeof about => ({
    header: microHeaderBytes(parseExact(of.body) as JsonObject),
    signed: bytesOf(of),
  });

  it('are checked for transactions of the last day, or for all if this is set', async () => {
    const flaw = {
      block: block.hash,
      transaction: block.transactions[0]!.hash,
      field: 'signatures',
      reason: '0 signatures instead of 1',
    };
    expect(await createSignatureCheck(options, false).flawOf(block, keyBlock, about)).to.equal(undefined);
    expect(await createSignatureCheck(options, true).flawOf(block, keyBlock, about)).to.deep.equal(flaw);
    const young = { ...keyBlock, time: Date.now() - DAY_MS / 2 };
    expect(await createSignatureCheck(options, false).flawOf(block, young, about)).to.deep.equal(flaw);
  });

  it('are checked for the last day before the head, also by a clock that is fast', async () => {
    const check = createSignatureCheck(options, false);
    check.onHead({ ...keyBlock, time: keyBlock.time + DAY_MS / 2 });
    expect(await check.flawOf(block, keyBlock, about)).to.have.property('field', 'signatures');
    check.onHead({ ...keyBlock, time: Date.now() + 9 * DAY_MS });
    expect(await check.flawOf(block, { ...keyBlock, time: Date.now() }, about)).to.have.property('field', 'signatures');
  });

  it('are checked for the leader of any age, also if the transactions are not proven', async () => {
    const check = createSignatureCheck(options, false);
    const otherLeader = { ...keyBlock, miner: THIEF_ID };
    for (const signed of [about.signed, undefined])
      expect(await check.flawOf(block, otherLeader, { ...about, signed })).to.deep.include({
        block: block.hash,
        field: 'signature',
      });
    expect(await createSignatureCheck(options, true).flawOf(block, keyBlock, { ...about, signed: undefined })).to.equal(
      undefined,
    );
  });

  it('are not checked for the leader of a block that another one follows, but for its transactions', async () => {
    const otherLeader = { ...keyBlock, miner: THIEF_ID };
    const followed = { ...about, isFollowed: true };
    expect(await createSignatureCheck(options, false).flawOf(block, otherLeader, followed)).to.equal(undefined);
    expect(await createSignatureCheck(options, true).flawOf(block, otherLeader, followed)).to.have.property(
      'transaction',
      block.transactions[0]!.hash,
    );
  });

  it('need the parties of channels', async () => {
    const asked: string[] = [];
    const parties = new Map<string, string[]>();
    const check = createSignatureCheck(
      {
        networkId: () => 'ae_mdwtest',
        channelParties: (channel) => {
          asked.push(channel);
          return Promise.resolve(parties.get(channel));
        },
      },
      true,
    );
    const found = recordedGenerations().flatMap(({ keyBlock: key, microBlocks }) =>
      microBlocks
        .map(({ header, transactions }) => readMicroBlock(header, transactions))
        .filter(({ transactions }) => transactions.some(({ type }) => type === 'ChannelDepositTx'))
        .map((micro) => ({ key: readKeyBlock(key), micro })),
    );
    expect(found).not.to.have.length(0);
    for (const { key, micro } of found) {
      expect(await check.flawOf(micro, key, aboutBlock(micro))).to.equal(undefined);
      const { tx } = micro.transactions.find(({ type }) => type === 'ChannelDepositTx')!;
      const channel = tx['channel_id'] as string;
      expect(asked).to.include(channel);
      parties.set(channel, [tx['from_id'] as string, THIEF_ID]);
      expect(await check.flawOf(micro, key, aboutBlock(micro))).to.have.property('field', 'signatures');
    }
  });
});
