/** The internal API of the node, usually on port 3113: transaction builders, mining and debugging. */
import { isId } from '../../../src/chain/encoding/encoding.js';
import { asciiName, commitmentId } from '../../../src/chain/protocol/ids.js';
import { integersAsStrings } from '../../../src/chain/encoding/integers-as-strings.js';
import { stringifyExact } from '../../../src/chain/encoding/json.js';
import { nameFault } from '../../../src/chain/protocol/name-check.js';
import type { Answer } from '../wire/answer.js';
import { CRASHED, NOT_FOUND, invalid, ok, refused } from '../wire/answer.js';
import { parseHeight } from '../wire/parameters.js';
import type { HttpRequest } from '../wire/request.js';
import { supplyOf } from '../ledger/supply.js';
import type { LiveChain } from '../live/types.js';
import type { Mining } from '../mining/mining.js';
import { NONE } from '../store/chain-store.js';
import { BUILDERS } from './builders.js';
import { readKeyBlock } from './key-block.js';
import { buildTransaction, responseText, schemaOf } from './build-transaction.js';
import type { BuildContext } from './build-transaction.js';
import { payFor } from './paying-for.js';
import { readBody } from './schema.js';

interface InternalParts {
  chain: LiveChain;
  mining: Pick<Mining, 'post'>;
  /** ak_ that gets the rewards, if configured. */
  beneficiary: string | undefined;
}

const NO_PEERS = ok('{"blocked":[],"inbound":[],"outbound":[],"peers":[]}');
const NO_PEER_COUNT = ok(
  '{"available":{"unverified":0,"verified":0},"blocked":0,"connected":{"inbound":0,"outbound":0}}',
);
const NO_ANALYTICS = refused(404, 'Network analytics disabled in node config');
const NO_BENEFICIARY = refused(404, 'beneficiary_not_configured');
const NAME_INVALID = 'Name validation failed with a reason: ';
const MAX_SALT = 2n ** 256n;

export function createInternal({ chain, mining, beneficiary }: InternalParts): (request: HttpRequest) => Answer {
  const context = (): BuildContext => ({ state: chain.state(), nextNonce: chain.pool.nextNonce, beneficiary });

  function build(path: string, request: HttpRequest): Answer {
    const builder = BUILDERS[path]!;
    const building = context();
    const body = readBody(request.body, request.contentType, schemaOf(builder, request.api, building), request.api);
    if ('answer' in body) return body.answer;
    const made = buildTransaction(builder, body.value, building);
    return 'answer' in made ? made.answer : ok(responseText(made));
  }

  function commitment(query: string): Answer {
    const given = new URLSearchParams(query);
    const [name, salt] = [given.get('name'), given.get('salt')];
    if (name === null) return missing('name');
    if (salt === null) return missing('salt');
    if (!/^-?\d+$/.test(salt)) return invalid('salt', 'wrong_type', JSON.stringify(salt));
    const number = BigInt(salt);
    if (number < 0n || number >= MAX_SALT) return invalid('salt', 'not_in_range', String(number));
    const fault = nameFault(name);
    if (fault !== undefined) return refused(400, NAME_INVALID + fault);
    // With salt 0 the name could be guessed from the commitment.
    if (number === 0n && asciiName(name).endsWith('.chain')) return refused(400, `${NAME_INVALID}illegal_salt_value`);
    return ok(`{"commitment_id":"${commitmentId(name, number)}"}`);
  }

  function supply(text: string, { api }: HttpRequest): Answer {
    const height = parseHeight(text, api);
    if ('answer' in height) return api === 'v3' ? CRASHED : height.answer;
    const block = chain.store.keyAt(height.value);
    if (block === NONE) return refused(400, 'Chain too short');
    const state = chain.stateAfter(block);
    if (state === undefined) return refused(410, 'State data at the requested height has been garbage-collected');
    return ok(stringifyExact(supplyOf(state)));
  }

  function checkTransaction(id: string): Answer {
    if (!isId(id, 'th')) return refused(400, 'Invalid hash');
    const status = chain.pool.check(id);
    return status === undefined ? refused(404, 'tx_not_found') : ok(JSON.stringify({ status }));
  }

  function dropTransaction(id: string): Answer {
    if (!isId(id, 'th')) return refused(400, 'Invalid hash');
    switch (chain.pool.check(id)) {
      case undefined:
        return refused(404, 'not_found');
      case 'included':
        return refused(404, 'included');
      default:
        chain.pool.drop(id);
        return ok('{"status":"deleted"}');
    }
  }

  const pending = (): Answer =>
    ok(
      `{"transactions":[${chain.pool
        .list()
        .map((transaction) => transaction.envelope())
        .join(',')}]}`,
    );

  function postKeyBlock(request: HttpRequest): Answer {
    const block = readKeyBlock(request);
    return 'answer' in block ? block.answer : mining.post(block.value);
  }

  /** Handlers of a path, by method; undefined for an unknown path. */
  function handlers(path: readonly string[], request: HttpRequest): Readonly<Record<string, () => Answer>> | undefined {
    const [group, ...rest] = path;
    if (path.join('/') === 'key-blocks') return { POST: () => postKeyBlock(request) };
    if (path.join('/') === 'node/operator/peers/count' && request.api === 'v3') return { GET: () => NO_PEER_COUNT };
    if (group === 'node' && request.api === 'v3' && rest.slice(0, 3).join('/') === 'operator/mempool/hash')
      return rest.length === 4 ? { DELETE: () => dropTransaction(rest[3]!) } : undefined;
    if (group !== 'debug') return undefined;
    const name = rest.join('/');
    if (Object.hasOwn(BUILDERS, name)) return { POST: () => build(name, request) };
    switch (name) {
      case 'transactions/paying-for':
        return { POST: () => payFor(request, context(), chain.networkId) };
      case 'accounts/beneficiary':
        return { GET: () => (beneficiary === undefined ? NO_BENEFICIARY : publicKey(beneficiary)) };
      case 'accounts/node':
        return { GET: () => publicKey(chain.nodeId) };
      case 'names/commitment-id':
        return { GET: () => commitment(request.query) };
      case 'transactions/pending':
        return { GET: pending };
      case 'channels/fsm-count':
        return { GET: () => ok('{"count":0}') };
      case 'network':
        return { GET: () => NO_ANALYTICS };
      case 'peers':
        return { GET: () => NO_PEERS };
    }
    if (rest.length !== 3) return undefined;
    if (name.startsWith('token-supply/height/')) return { GET: () => supply(rest[2]!, request) };
    if (name.startsWith('check-tx/pool/')) return { GET: () => checkTransaction(rest[2]!) };
    return undefined;
  }

  return (request) => {
    if (request.method === 'OPTIONS') return { status: 200 };
    const known = handlers(request.path, request);
    if (known === undefined) return NOT_FOUND;
    const handle = known[request.method];
    if (handle === undefined) return { status: 405, allow: Object.keys(known).join(', ') };
    const answer = handle();
    return wantsTexts(request) && answer.body !== undefined
      ? { ...answer, body: integersAsStrings(answer.body.toString()) }
      : answer;
  };
}

const publicKey = (id: string): Answer => ok(JSON.stringify({ pub_key: id }));

const missing = (parameter: string): Answer => ({
  status: 400,
  body: `{"info":{"error":"missing_required_property"},"parameter":"${parameter}","reason":"validation_error"}`,
});

const wantsTexts = ({ api, query }: HttpRequest): boolean =>
  api === 'v3' && new URLSearchParams(query).get('int-as-string')?.toLowerCase() === 'true';
