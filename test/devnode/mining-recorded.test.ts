import { AE } from '../../src/chain/networks.js';
import { expect } from 'chai';
import { decodeId } from '../../src/chain/encoding/encoding.js';
import { parseExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { createInternal } from '../../devtools/devnode/builders/internal.js';
import { difficulty } from '../../src/chain/work/target.js';
import { createChainAnswers } from '../../devtools/devnode/http/chain-answers.js';
import { createRouter } from '../../devtools/devnode/http/router.js';
import { hashedKeyBlock } from '../../devtools/devnode/live/blocks.js';
import type { KeyBlockChoice, LiveChain } from '../../devtools/devnode/live/types.js';
import { createMining } from '../../devtools/devnode/mining/mining.js';
import { createChainStore, NONE } from '../../devtools/devnode/store/chain-store.js';
import type { ChainStore } from '../../devtools/devnode/store/chain-store.js';
import { mainView } from '../../devtools/devnode/store/chain-view.js';
import { asHandled, described } from '../support/recorded-requests.js';
import { EXTERNAL_PORT, recordedLines } from '../support/realnode.js';
import { recordedGenerations } from '../support/recording.js';
import type { RecordedGeneration } from '../support/recording.js';

const INTERVAL_MS = 3000;
const EDGE_BITS = 15;
/** Newest generation when the mining was recorded. */
const START = 212;

describe('mining, with the requests that a real node got (mining.jsonl)', () => {
  const generations = recordedGenerations();
  const requests = recordedLines('mining');
  let store: ChainStore;

  beforeEach(() => {
    store = createChainStore();
    for (const generation of generations.slice(0, START + 1)) {
      addKeyBlock(parseExact(generation.keyBlock) as JsonObject);
      addMicroBlocks(generation);
    }
  });
  afterEach(() => store.close());

  function addKeyBlock(block: JsonObject): number {
    const { id, hash, text } = hashedKeyBlock(block);
    const height = block['height'] as number;
    const parent = height === 0 ? NONE : store.findBlock(decodeId(block['prev_hash'] as string));
    const work = (parent === NONE ? 0n : store.work(parent)) + difficulty(block['target'] as number);
    const added = store.addKeyBlock({ id, hash, text, height, parent, work });
    if (store.head() === NONE || work > store.work(store.head())) store.setHead(added);
    return added;
  }

  function addMicroBlocks({ microBlocks }: RecordedGeneration): void {
    for (const { hash: id, header } of microBlocks) {
      const bytes = decodeId(id);
      store.setHead(store.addMicroBlock({ id, hash: bytes, text: header, parent: store.head(), transactions: [] }));
    }
  }

  /** The chain at that time. Values that only the recorded node knew about its candidates are taken from the recording. */
  function recordedChain(): LiveChain {
    const candidates = requests
      .filter(({ path }) => path.endsWith('/pending'))
      .map(({ body }) => parseExact(body) as JsonObject);
    return {
      store,
      keyBlock: (block: number) => parseExact(store.blockText(block).toString()) as JsonObject,
      candidate({ beneficiary, target }: KeyBlockChoice) {
        const found = candidates.find((candidate) => candidate['prev_hash'] === store.id(store.head()))!;
        return { ...found, beneficiary, target };
      },
      addKeyBlock(block: JsonObject) {
        const added = addKeyBlock(block);
        const generation = generations[store.heightOf(added)];
        if (generation !== undefined) addMicroBlocks(generation);
        return added;
      },
    } as unknown as LiveChain;
  }

  it('returns the same candidates, and accepts and refuses the same blocks', async () => {
    const beneficiary = 'ak_2a1j2Mk9YSmC1gioUq4PWRm3bsv887MbuRVwyv4KaUGoR1eiKi';
    const chain = recordedChain();
    const last = parseExact(generations.at(-1)!.keyBlock) as { time: number };
    const now = (): number => last.time;
    const mining = createMining(chain, { beneficiary, edgeBits: EDGE_BITS, intervalMs: INTERVAL_MS, now });
    const internal = createInternal({ chain, mining, beneficiary });
    const chainAnswers = createChainAnswers(store, () => undefined, {
      waiting: () => undefined,
      pending: mining.pending,
    });
    const external = createRouter({
      store,
      chain: chainAnswers,
      status: () => '',
      networkId: () => '',
      currency: AE,
      peerKey: '',
    });
    for (const request of requests) {
      const { method, path, port } = request;
      const answer =
        port === EXTERNAL_PORT ? external({ method, url: path }, mainView(store)) : internal(asHandled(request));
      expect({ status: answer.status, body: String(answer.body ?? '') }, described(request)).to.deep.equal({
        status: request.status,
        body: request.body,
      });
    }
    expect(store.height()).to.equal(START + 2);
    await mining.close();
  });
});
