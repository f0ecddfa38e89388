/** The endpoints about blocks and transactions, answered from the store. */
import type { ChainStore } from '../store/chain-store.js';
import { NONE } from '../store/chain-store.js';
import type { ChainView } from '../store/chain-view.js';
import { microBlocksOf } from '../store/chain-view.js';
import type { Answer } from '../wire/answer.js';
import { NOT_FOUND, ok, refused } from '../wire/answer.js';
import type { Api } from '../wire/parameters.js';
import { parseHash, parseHeight, parseIndex } from '../wire/parameters.js';

export interface ChainAnswers {
  keyBlocks(parts: readonly string[], view: ChainView, api: Api): Answer;
  generations(parts: readonly string[], view: ChainView, api: Api): Answer;
  microBlocks(parts: readonly string[], view: ChainView): Answer;
  transactions(parts: readonly string[], view: ChainView): Answer;
  /** Header of the newest block. */
  top(view: ChainView, api: Api): Answer;
}

/** Result of executing a transaction, as `/transactions/<th>/info` prints it; undefined if it has none. */
type Info = (envelope: string) => string | undefined;

const BLOCK_NOT_FOUND = refused(404, 'Block not found');
const MICRO_BLOCK_NOT_FOUND = refused(404, 'Block not found', 'block_not_found');
const NOT_ON_MAIN_CHAIN = refused(400, 'Hash not on main chain');
const NO_BENEFICIARY = refused(400, 'Beneficiary not configured', 'beneficiary_not_configured');
const TRANSACTION_NOT_FOUND = refused(404, 'Transaction not found');

interface LivePart {
  /** Envelope of a posted transaction that was never in a block, by `th_…`. */
  waiting(id: string): string | undefined;
  /** The candidate for the next key block; absent if there is no mining. */
  pending?: (() => Answer) | undefined;
}

/** For a node without mining that does not accept transactions. */
const READ_ONLY: LivePart = {
  waiting: () => undefined,
};

export function createChainAnswers(
  store: ChainStore,
  info: Info,
  { waiting, pending }: LivePart = READ_ONLY,
): ChainAnswers {
  /** The block with a hash; NONE if the node does not know it. */
  function find(bytes: Uint8Array, view: ChainView): number {
    const block = store.findBlock(bytes);
    return block !== NONE && view.knows(block) ? block : NONE;
  }

  function keyBlocks([by, text, ...more]: readonly string[], view: ChainView, api: Api): Answer {
    if (more.length > 0) return NOT_FOUND;
    const current = view.keyAt(view.height);
    if (by === 'current' && text === undefined) return ok(store.blockText(current));
    if (by === 'current' && text === 'hash') return ok(`{"hash":"${store.id(current)}"}`);
    if (by === 'current' && text === 'height') return ok(`{"height":${view.height}}`);
    if (by === 'pending' && text === undefined) return pending?.() ?? NO_BENEFICIARY;
    if (text === undefined || text === '') return NOT_FOUND;
    if (by === 'height') {
      const height = parseHeight(text, api);
      if ('answer' in height) return height.answer;
      const block = view.keyAt(height.value);
      return block === NONE ? refused(404, 'Block not found', 'chain_too_short') : ok(store.blockText(block));
    }
    if (by !== 'hash') return NOT_FOUND;
    const bytes = parseHash(text, 'kh');
    if (typeof bytes === 'string') return refused(400, 'Invalid hash');
    const block = find(bytes, view);
    return block === NONE ? BLOCK_NOT_FOUND : ok(store.blockText(block));
  }

  function generation(height: number, view: ChainView): Answer {
    const hashes = microBlocksOf(store, view, height).map((block) => `"${store.id(block)}"`);
    return ok(
      Buffer.concat([
        Buffer.from('{"key_block":'),
        store.blockText(view.keyAt(height)),
        Buffer.from(`,"micro_blocks":[${hashes.join(',')}]}`),
      ]),
    );
  }

  function generations([by, text, ...more]: readonly string[], view: ChainView, api: Api): Answer {
    if (more.length > 0) return NOT_FOUND;
    if (by === 'current' && text === undefined) return generation(view.height, view);
    if (text === undefined || text === '') return NOT_FOUND;
    if (by === 'height') {
      const height = parseHeight(text, api);
      if ('answer' in height) return height.answer;
      return height.value > view.height ? refused(404, 'Chain too short') : generation(height.value, view);
    }
    if (by !== 'hash') return NOT_FOUND;
    const bytes = parseHash(text, 'kh');
    if (typeof bytes === 'string') return refused(400, 'Invalid hash', bytes);
    const block = find(bytes, view);
    return block === NONE || !view.contains(block) ? NOT_ON_MAIN_CHAIN : generation(store.heightOf(block), view);
  }

  function microBlocks([by, text, part, sub, index, ...more]: readonly string[], view: ChainView): Answer {
    if (by !== 'hash' || text === undefined || more.length > 0) return NOT_FOUND;
    if (part === 'transactions' && sub === 'index' && index !== undefined) return transactionAt(text, index, view);
    const requested =
      sub === undefined
        ? part
        : part === 'transactions' && sub === 'count' && index === undefined
          ? 'count'
          : undefined;
    if (requested !== 'header' && requested !== 'transactions' && requested !== 'count') return NOT_FOUND;
    const bytes = parseHash(text, 'mh');
    if (typeof bytes === 'string') return refused(400, 'Invalid hash', bytes);
    const block = find(bytes, view);
    if (block === NONE) return MICRO_BLOCK_NOT_FOUND;
    if (requested === 'header') return ok(store.blockText(block));
    if (requested === 'count') return ok(`{"count":${store.countOf(block)}}`);
    return ok(store.transactionsText(block));
  }

  function transactionAt(text: string, indexText: string, view: ChainView): Answer {
    const index = parseIndex(indexText);
    if ('answer' in index) return index.answer;
    const bytes = parseHash(text, 'mh');
    if (typeof bytes === 'string') return refused(400, 'Invalid hash or index');
    const block = find(bytes, view);
    if (block === NONE) return BLOCK_NOT_FOUND;
    if (index.value > store.countOf(block)) return refused(400, 'Invalid hash or index');
    return ok(store.inclusionText(store.inclusionsOf(block)[index.value - 1]!));
  }

  /** Envelope of a transaction in this chain, in its block or pending; undefined if the node does not know the transaction. */
  function envelopeOf(transaction: number, view: ChainView): string | undefined {
    if (transaction === NONE || store.stateOf(transaction) === 'dropped') return undefined;
    const inclusion = store.inclusionOf(transaction);
    const block = store.blockOfInclusion(inclusion);
    if (!view.knows(block)) return undefined;
    const text = store.inclusionText(inclusion).toString();
    if (store.stateOf(transaction) === 'included' && view.contains(block)) return text;
    return text.replace(/^\{"block_hash":"[^"]*","block_height":\d+/, '{"block_hash":"none","block_height":-1');
  }

  function transactions([text, part, ...more]: readonly string[], view: ChainView): Answer {
    if (text === undefined || text === '' || more.length > 0) return NOT_FOUND;
    if (part !== undefined && part !== 'info') return NOT_FOUND;
    const bytes = parseHash(text, 'th');
    if (typeof bytes === 'string') {
      return part === 'info' ? refused(400, 'Invalid hash: hash') : refused(400, 'Invalid hash', bytes);
    }
    const envelope = envelopeOf(store.findTransaction(bytes), view) ?? waiting(text);
    if (envelope === undefined) return TRANSACTION_NOT_FOUND;
    if (part === undefined) return ok(envelope);
    if (envelope.startsWith('{"block_hash":"none"')) return refused(404, 'Tx not mined');
    const result = info(envelope);
    return result === undefined ? refused(400, 'Tx has no info') : ok(result);
  }

  function top(view: ChainView, api: Api): Answer {
    const text = store.blockText(view.head);
    if (api === 'v3') return ok(text);
    const member = store.isKey(view.head) ? 'key_block' : 'micro_block';
    return ok(Buffer.concat([Buffer.from(`{"${member}":`), text, Buffer.from('}')]));
  }

  return { keyBlocks, generations, microBlocks, transactions, top };
}
