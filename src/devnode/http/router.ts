/** From a request to an answer: prefixes, paths and methods of the external interface. */
import type { ChainStore } from '../store/chain-store.js';
import type { ChainView } from '../store/chain-view.js';
import { chainEnds } from '../store/chain-view.js';
import type { Answer } from './answer.js';
import { NOT_FOUND, invalid, ok, refused } from './answer.js';
import type { ChainAnswers } from './chain-answers.js';
import { integersAsStrings } from '../../chain/integers-as-strings.js';
import type { Api } from './parameters.js';
import { PEER_KEY, currencyText } from './status.js';

export interface RouterParts {
  store: ChainStore;
  chain: ChainAnswers;
  status(view: ChainView): string;
  networkId(): string;
}

export interface Request {
  method: string;
  /** Path and query as they came. */
  url: string;
}

export type Router = (request: Request, view: ChainView) => Answer;

const NOT_SYNCING = refused(404, 'Node is not syncing');
const GAS_PRICES = `[${[1, 5, 15, 60].map((minutes) => `{"min_gas_price":1000000000,"minutes":${minutes},"utilization":1}`).join(',')}]`;

/** Answers GET requests; what takes other methods (posting transactions, mining) has no handler here yet and answers 404. */
export function createRouter({ store, chain, status, networkId }: RouterParts): Router {
  function get(api: Api, parts: readonly string[], view: ChainView): Answer {
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
      default:
        return single(api, parts.join('/'), view);
    }
  }

  function single(api: Api, path: string, view: ChainView): Answer {
    switch (path) {
      case 'status':
        return ok(status(view));
      case 'status/chain-ends':
        return ok(JSON.stringify(keyBlockEnds(view)));
      case 'sync-status':
        return NOT_SYNCING;
      case 'peers/pubkey':
        return ok(`{"pubkey":"${PEER_KEY}"}`);
      case 'recent-gas-prices':
        return ok(GAS_PRICES);
      case 'currency':
        return api === 'v3' ? ok(currencyText(networkId())) : NOT_FOUND;
      case 'blocks/top':
        return api === 'v2' ? chain.top(view, api) : NOT_FOUND;
      case 'headers/top':
        return api === 'v3' ? chain.top(view, api) : NOT_FOUND;
      default:
        return NOT_FOUND;
    }
  }

  /** Key blocks of the ends of branches; an abandoned micro block is no end of its own. */
  function keyBlockEnds(view: ChainView): string[] {
    const keys = chainEnds(store).map(store.keyOf);
    const own = view.keyAt(view.height);
    return [own, ...new Set(keys.filter((block) => !store.isMain(block) && block !== own))].map(store.id);
  }

  return ({ method, url }, view) => {
    if (method === 'OPTIONS') return { status: 200 };
    const question = url.indexOf('?');
    const [root, prefix, ...parts] = (question < 0 ? url : url.slice(0, question)).split('/');
    if (root !== '' || (prefix !== 'v2' && prefix !== 'v3')) return NOT_FOUND;
    const answer = get(prefix, parts.map(unescaped), view);
    if (method !== 'GET') {
      const known = answer.status !== 404 || answer.body !== undefined;
      // POST to a path that takes nothing else: the one that posts transactions.
      if (answer.allow === method) return NOT_FOUND;
      return known ? { status: 405, allow: answer.allow ?? 'GET' } : NOT_FOUND;
    }
    const asStrings = prefix === 'v3' && question >= 0 ? intAsString(url.slice(question + 1)) : false;
    if (typeof asStrings === 'string') {
      return invalid('int-as-string', 'wrong_type', JSON.stringify(asStrings));
    }
    return asStrings && answer.body !== undefined
      ? { ...answer, body: integersAsStrings(answer.body.toString()) }
      : answer;
  };
}

/** Value of the parameter; the text itself if it is neither true nor false. */
function intAsString(query: string): boolean | string {
  const text = new URLSearchParams(query).get('int-as-string');
  if (text === null || text.toLowerCase() === 'false') return false;
  return text.toLowerCase() === 'true' ? true : text;
}

function unescaped(part: string): string {
  if (!part.includes('%')) return part;
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
