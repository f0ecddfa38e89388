/** Routes requests to the external API by prefix, path and method. */
import type { Currency } from '../../../src/chain/networks.js';
import type { State } from '../ledger/state.js';
import type { ChainStore } from '../store/chain-store.js';
import type { ChainView } from '../store/chain-view.js';
import { branchHeads } from '../store/chain-view.js';
import { STATE_NOT_AVAILABLE } from './account-answers.js';
import type { AccountAnswers } from './account-answers.js';
import type { Answer } from '../wire/answer.js';
import { NOT_FOUND, invalid, ok, refused } from '../wire/answer.js';
import type { ChainAnswers } from './chain-answers.js';
import { description } from './description.js';
import { integersAsStrings } from '../../../src/chain/encoding/integers-as-strings.js';
import type { ObjectAnswers } from './object-answers.js';
import type { Api } from '../wire/parameters.js';
import { currencyText } from './status.js';

/** Answers of a node that knows the state of the chain. It may also accept transactions. */
export interface LiveAnswers {
  accounts: AccountAnswers;
  objects: ObjectAnswers;
  stateAfter(block: number): State | undefined;
  post?(request: Request): Answer;
  /** Undefined if something else is to be run. Absent for a chain without simulated tokens. */
  dryRunOfTokens?(request: Request): Answer | undefined;
  dryRun(request: Request, state: State): Answer;
}

interface RouterParts {
  store: ChainStore;
  chain: ChainAnswers;
  /** Absent for a recorded chain, whose state is not known. */
  live?: LiveAnswers | undefined;
  status(view: ChainView): string;
  networkId(): string;
  currency: Currency;
  /** Answers below `/v3/hyperchain`; absent for other chains. */
  hyperchain?: ((path: string, view: ChainView) => Answer) | undefined;
  /** Public key of the node among its peers, `pp_…`. */
  peerKey: string;
}

export interface Request {
  method: string;
  /** Path and query as received. */
  url: string;
  body?: Buffer;
  contentType?: string | undefined;
}

type Router = (request: Request, view: ChainView) => Answer;

const NOT_SYNCING = refused(404, 'Node is not syncing');
const GAS_PRICES = `[${[1, 5, 15, 60].map((minutes) => `{"min_gas_price":1000000000,"minutes":${minutes},"utilization":1}`).join(',')}]`;

const NO_QUERY = new URLSearchParams();
/** Path of the specification. Real nodes have it only with a prefix. */
const POSTING_PATH = '/transactions';

export function createRouter({
  store,
  chain,
  live,
  status,
  networkId,
  currency,
  hyperchain,
  peerKey,
}: RouterParts): Router {
  function get(api: Api, parts: readonly string[], query: URLSearchParams, view: ChainView): Answer {
    const [group, ...rest] = parts;
    switch (group) {
      case 'key-blocks':
        return chain.keyBlocks(rest, view, api);
      case 'generations':
        return chain.generations(rest, view, api);
      case 'micro-blocks':
        return chain.microBlocks(rest, view);
      case 'transactions':
        return rest.length === 0 ? { status: 405, allow: 'POST' } : chain.transactions(rest, view);
      case 'accounts':
        return live === undefined ? NOT_FOUND : live.accounts(rest, query, view, api);
      case 'names':
      case 'auctions':
      case 'oracles':
      case 'contracts':
      case 'channels':
        return live === undefined
          ? NOT_FOUND
          : withState(live, view, (state) => live.objects(group, rest, query, state, api));
      case 'hyperchain':
        return api === 'v3' && hyperchain !== undefined ? hyperchain(rest.join('/'), view) : NOT_FOUND;
      case 'dry-run':
        return rest.length === 0 && live !== undefined ? { status: 405, allow: 'POST' } : NOT_FOUND;
      default:
        return singlePath(api, parts.join('/'), view);
    }
  }

  function withState({ stateAfter }: LiveAnswers, view: ChainView, answer: (state: State) => Answer): Answer {
    const state = stateAfter(view.head);
    return state === undefined ? STATE_NOT_AVAILABLE : answer(state);
  }

  function post(path: string, request: Request, view: ChainView): Answer | undefined {
    if (live === undefined) return undefined;
    if (path === 'transactions') return live.post?.(request);
    if (path === 'dry-run')
      return live.dryRunOfTokens?.(request) ?? withState(live, view, (state) => live.dryRun(request, state));
    return undefined;
  }

  function singlePath(api: Api, path: string, view: ChainView): Answer {
    switch (path) {
      case 'status':
        return ok(status(view));
      case 'status/chain-ends':
        return ok(JSON.stringify(keyBlocksOfBranches(view)));
      case 'sync-status':
        return NOT_SYNCING;
      case 'peers/pubkey':
        return ok(`{"pubkey":"${peerKey}"}`);
      case 'recent-gas-prices':
        return ok(GAS_PRICES);
      case 'currency':
        return api === 'v3' ? ok(currencyText(networkId(), currency)) : NOT_FOUND;
      case 'blocks/top':
        return api === 'v2' ? chain.top(view, api) : NOT_FOUND;
      case 'headers/top':
        return api === 'v3' ? chain.top(view, api) : NOT_FOUND;
      default:
        return NOT_FOUND;
    }
  }

  /** Ids of the last key blocks of all branches, starting with the main chain. Branches that differ only in micro blocks count once. */
  function keyBlocksOfBranches(view: ChainView): string[] {
    const keys = branchHeads(store).map(store.keyOf);
    const own = view.keyAt(view.height);
    return [own, ...new Set(keys.filter((block) => !store.isMain(block) && block !== own))].map(store.id);
  }

  return (request, view) => {
    const { method, url } = request;
    if (method === 'OPTIONS') return { status: 200 };
    const question = url.indexOf('?');
    const path = question < 0 ? url : url.slice(0, question);
    if (path === POSTING_PATH && method === 'POST') return post('transactions', request, view) ?? NOT_FOUND;
    if (path === '/api') return method === 'GET' ? ok(description()) : NOT_FOUND;
    const [root, prefix, ...parts] = path.split('/');
    if (root !== '' || (prefix !== 'v2' && prefix !== 'v3')) return NOT_FOUND;
    if (method === 'POST') {
      const posted = post(parts.join('/'), request, view);
      if (posted !== undefined) return posted;
    }
    const query = question < 0 ? NO_QUERY : new URLSearchParams(url.slice(question + 1));
    const answer = get(prefix, parts.map(unescaped), query, view);
    if (method !== 'GET') {
      const known = answer.status !== 404 || answer.body !== undefined;
      // The path exists only for POST, but this node does not accept it.
      if (answer.allow === method) return NOT_FOUND;
      return known ? { status: 405, allow: answer.allow ?? 'GET' } : NOT_FOUND;
    }
    const asStrings = prefix === 'v3' && question >= 0 ? intAsString(query) : false;
    if (typeof asStrings === 'string') {
      return invalid('int-as-string', 'wrong_type', JSON.stringify(asStrings));
    }
    return asStrings && answer.body !== undefined
      ? { ...answer, body: integersAsStrings(answer.body.toString()) }
      : answer;
  };
}

/** Value of the parameter `int-as-string`; its text if it is neither true nor false. */
function intAsString(query: URLSearchParams): boolean | string {
  const text = query.get('int-as-string');
  if (text === null || text.toLowerCase() === 'false') return false;
  return text.toLowerCase() === 'true' ? true : text;
}

/** Decodes the escapes of a path segment. Returns it unchanged if they are invalid. */
export function unescaped(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
