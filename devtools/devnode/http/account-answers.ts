/** The endpoints about accounts. */
import { stringifyExact } from '../../../src/chain/encoding/json.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { functionName } from '../ledger/function-name.js';
import { printed } from '../ledger/members.js';
import { accountOf } from '../origin.js';
import type { State } from '../ledger/state.js';
import type { Pool } from '../pool/pool.js';
import type { ChainStore } from '../store/chain-store.js';
import { NONE } from '../store/chain-store.js';
import type { ChainView } from '../store/chain-view.js';
import type { Answer } from '../wire/answer.js';
import { NOT_FOUND, invalid, ok, refused } from '../wire/answer.js';
import type { Api } from '../wire/parameters.js';
import { parseHash, parseHeight } from '../wire/parameters.js';

interface StateParts {
  store: ChainStore;
  pool: Pool;
  /** State after a block; undefined if it is not available. */
  stateAfter(block: number): State | undefined;
}

const ACCOUNT_NOT_FOUND = refused(404, 'Account not found');
export const STATE_NOT_AVAILABLE = refused(410, 'State data at the requested height has been garbage-collected');
const NOT_AVAILABLE = refused(404, 'Hash not available', 'no_state_trees');

export type AccountAnswers = (parts: readonly string[], query: URLSearchParams, view: ChainView, api: Api) => Answer;

export function createAccountAnswers({ store, pool, stateAfter }: StateParts): AccountAnswers {
  function printedAccount(id: string, state: State): Answer {
    const account = state.account(id);
    if (account === undefined) return ACCOUNT_NOT_FOUND;
    const { authentication } = account;
    const members: JsonObject = {
      ...(authentication === undefined
        ? {}
        : { auth_fun: functionName(authentication.functionHash, state.contract(authentication.contract)?.code) }),
      balance: printed(account.balance),
      ...(authentication === undefined ? {} : { contract_id: authentication.contract }),
      id,
      kind: authentication === undefined ? 'basic' : 'generalized',
      nonce: printed(account.nonce),
      payable: account.payable,
    };
    return ok(stringifyExact(members));
  }

  const atBlock = (id: string, block: number): Answer => {
    const state = stateAfter(block);
    return state === undefined ? STATE_NOT_AVAILABLE : printedAccount(id, state);
  };

  function atHeight(id: string, text: string, view: ChainView, api: Api): Answer {
    const height = parseHeight(text, api);
    if ('answer' in height) return height.answer;
    const block = view.keyAt(height.value);
    return block === NONE ? refused(404, 'Height not available', 'chain_too_short') : atBlock(id, block);
  }

  function atHash(id: string, text: string, view: ChainView): Answer {
    const key = parseHash(text, 'kh');
    const bytes = typeof key === 'string' ? parseHash(text, 'mh') : key;
    if (typeof bytes === 'string') return refused(400, `Illegal hash: ${bytes}`);
    const block = store.findBlock(bytes);
    return block === NONE || !view.knows(block) ? NOT_AVAILABLE : atBlock(id, block);
  }

  function nextNonce(id: string, query: URLSearchParams): Answer {
    const strategy = query.get('strategy') ?? 'max';
    if (strategy !== 'max' && strategy !== 'continuity') {
      return invalid('strategy', 'not_in_enum', JSON.stringify(strategy));
    }
    const nonce = pool.nextNonce(id, strategy);
    return nonce === undefined ? refused(404, 'Account not found', 'account_not_found') : ok(`{"next_nonce":${nonce}}`);
  }

  function pending(id: string, view: ChainView): Answer {
    const state = stateAfter(view.head);
    if (state === undefined) return STATE_NOT_AVAILABLE;
    if (state.account(id) === undefined) return ACCOUNT_NOT_FOUND;
    const envelopes = pool.of(id).map((transaction) => transaction.envelope());
    return ok(`{"transactions":[${envelopes.join(',')}]}`);
  }

  return ([text, part, value, ...more], query, view, api) => {
    if (text === undefined || text === '' || more.length > 0) return NOT_FOUND;
    const form = [part, value === undefined ? '' : 'x'].join('/');
    if (!['/', 'height/x', 'hash/x', 'next-nonce/', 'transactions/x'].includes(form)) return NOT_FOUND;
    if (part === 'transactions' && value !== 'pending') return NOT_FOUND;
    const fault = accountFault(text);
    if (fault !== undefined) return refused(400, 'Invalid public key', fault);
    const id = accountOf(text);
    if (part === 'height') return atHeight(id, value!, view, api);
    if (part === 'hash') return atHash(id, value!, view);
    if (part === 'next-nonce') return nextNonce(id, query);
    return part === 'transactions' ? pending(id, view) : atBlock(id, view.head);
  };
}

/** A request may name an account by the identifier of its contract. */
function accountFault(text: string): string | undefined {
  const bytes = parseHash(text, text.startsWith('ct_') ? 'ct' : 'ak');
  return typeof bytes === 'string' ? bytes : undefined;
}
