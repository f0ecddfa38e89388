/** The Rosetta interface of the node: `POST /block` executes a generation again and lists what it changed. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { decodeId } from '../../../src/chain/encoding/encoding.js';
import { isObject, parseExact, stringifyExact } from '../../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../../src/chain/encoding/json.js';
import { readBody } from '../http/read-body.js';
import { send } from '../http/server.js';
import { execute } from '../ledger/execute.js';
import type { Machine } from '../ledger/execution.js';
import { beginMicroBlock } from '../ledger/key-block.js';
import { draftOf } from '../ledger/persistent-state.js';
import type { LiveChain } from '../live/types.js';
import { NONE } from '../store/chain-store.js';
import type { Answer } from '../wire/answer.js';
import { INTERNAL_ERROR, NOT_FOUND, ok, refused } from '../wire/answer.js';
import { keyBlockOperations, operationsOf } from './operations.js';
import type { Operation } from './operations.js';

/** The node gives what key blocks do the hash of nothing. */
const OF_KEY_BLOCK = 'th_3QJmnh';

const NO_BLOCK: Answer = {
  status: 400,
  body: '{"info":{"error":"missing_required_property","data":"block_identifier","path":[]},"parameter":"body","reason":"validation_error"}',
};
const NO_STATE = refused(410, 'State data at the requested height has been garbage-collected');

interface Replayed {
  chain: LiveChain;
  machine: Machine;
  isTooLong(): boolean;
}

export function createRosettaListener(parts: Replayed): (request: IncomingMessage, response: ServerResponse) => void {
  const { store } = parts.chain;
  return (request, response) => {
    readBody(request).then(
      (body) => {
        let answer: Answer;
        try {
          answer = request.method === 'POST' && request.url === '/block' ? blockAnswer(parts, body) : NOT_FOUND;
        } catch {
          answer = INTERNAL_ERROR;
        }
        send(response, answer, store.height());
      },
      () => response.destroy(),
    );
  };
}

/** A block that is not of the main chain is unknown, as any other. */
function blockAnswer({ chain, machine, isTooLong }: Replayed, body: Buffer | undefined): Answer {
  const asked = parseExact(body?.toString('utf8') ?? '');
  const wanted = isObject(asked) ? asked['block_identifier'] : undefined;
  if (!isObject(wanted)) return NO_BLOCK;
  const { store } = chain;
  const { hash, index } = wanted;
  const block =
    typeof hash === 'string'
      ? store.findBlock(decodeId(hash, 'kh'))
      : store.keyAt(typeof index === 'number' ? index : -1);
  if (block === NONE || !store.isKey(block) || !store.isMain(block)) return INTERNAL_ERROR;
  if (isTooLong()) return NO_STATE;
  chain.state();
  const transactions = transactionsOf(chain, machine, block);
  return transactions === undefined
    ? NO_STATE
    : ok(stringifyExact({ block: { ...printedBlock(chain, block), transactions } }));
}

function printedBlock({ store }: LiveChain, block: number): JsonObject {
  const height = store.heightOf(block);
  const identifier = (at: number): JsonObject => ({ hash: store.id(store.keyAt(at)), index: at });
  const { time } = parseExact(store.blockText(block).toString()) as JsonObject;
  return {
    block_identifier: identifier(height),
    parent_block_identifier: identifier(Math.max(0, height - 1)),
    timestamp: time!,
  };
}

/** What the next key block does comes first, though it happens last. Undefined if a state is not kept any more. */
function transactionsOf(
  { store, rules, stateAfter }: LiveChain,
  machine: Machine,
  keyBlock: number,
): Json[] | undefined {
  const height = store.heightOf(keyBlock);
  const found: Json[] = [];
  const next = height < store.height() ? store.keyAt(height + 1) : NONE;
  if (next !== NONE) {
    const [before, after] = [stateAfter(store.parent(next)), stateAfter(next)];
    if (before === undefined || after === undefined) return undefined;
    const operations = keyBlockOperations(before, after, rules);
    if (operations.length > 0) found.push(printed(OF_KEY_BLOCK, operations));
  }
  const blocks: number[] = [];
  for (let block = store.lastOfGeneration(height); block !== keyBlock; block = store.parent(block)) blocks.push(block);
  for (const block of blocks.reverse()) {
    let before = stateAfter(store.parent(block));
    if (before === undefined) return undefined;
    const draft = draftOf(before);
    beginMicroBlock(draft, store.heightOf(block), rules);
    before = draft.freeze();
    for (const inclusion of store.inclusionsOf(block)) {
      const { hash, tx } = parseExact(store.inclusionText(inclusion).toString()) as { hash: string; tx: JsonObject };
      const info = execute(draft, { id: hash, tx }, rules, machine);
      const after = draft.freeze();
      found.push(printed(hash, operationsOf({ tx, before, after, info })));
      before = after;
    }
  }
  return found;
}

const printed = (hash: string, operations: readonly Operation[]): Json => ({
  operations: operations.map(({ type, account, amount }, index) => ({
    account: { address: account },
    amount: { currency: { decimals: 18, symbol: 'AE' }, value: String(amount) },
    operation_identifier: { index },
    status: 'SUCCESS',
    type,
  })),
  transaction_identifier: { hash },
});
