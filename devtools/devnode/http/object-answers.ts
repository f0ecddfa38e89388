/** The endpoints about names, oracles, contracts and channels. */
import { encodeId } from '../../../src/chain/encoding/encoding.js';
import { asciiName, nameHash } from '../../../src/chain/protocol/ids.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { stringifyExact } from '../../../src/chain/encoding/json.js';
import { nameFault } from '../../../src/chain/protocol/name-check.js';
import { textBytes } from '../../../src/chain/serialize/fields.js';
import { printed } from '../ledger/members.js';
import { printedPointers } from '../ledger/names.js';
import type { Rules } from '../ledger/rules.js';
import type { State } from '../ledger/state.js';
import type { Channel, Oracle, Query } from '../ledger/types.js';
import type { Answer } from '../wire/answer.js';
import { NOT_FOUND, invalid, ok, refused } from '../wire/answer.js';
import type { Api } from '../wire/parameters.js';
import { parseHash } from '../wire/parameters.js';

const DEFAULT_QUERIES = 20;
const MAX_QUERIES = 1000;
/** ABI version of oracles whose formats are texts. Oracles of contracts have types, which are bytes. */
const TEXT_ABI = 0;

const NAME_NOT_FOUND = refused(404, 'Name not found', 'name_not_found');
const NAME_REVOKED = refused(404, 'Name revoked', 'name_revoked');
const json = (object: JsonObject): Answer => ok(stringifyExact(object));

export type ObjectAnswers = (
  group: string,
  parts: readonly string[],
  query: URLSearchParams,
  state: State,
  api: Api,
) => Answer;

/** Under the `early` rules, oracles and queries have the member names of the specification, too. */
export function createObjectAnswers(rules: Rules): ObjectAnswers {
  const early = rules.profile === 'early';

  function nameOf(id: string, state: State): Answer {
    const name = state.name(id);
    if (name === undefined) return NAME_NOT_FOUND;
    if (name.status === 'revoked') return NAME_REVOKED;
    return json({ id, owner: name.owner, pointers: printedPointers(name.pointers), ttl: name.expires });
  }

  function names([text, hash, ...more]: readonly string[], state: State, api: Api): Answer {
    if (text === undefined || text === '' || more.length > 0) return NOT_FOUND;
    if (hash !== undefined) {
      if (text !== 'hash' || api !== 'v3') return NOT_FOUND;
      const bytes = parseHash(hash, 'nm');
      const isHash = typeof bytes !== 'string' && bytes.length === 32;
      return isHash ? nameOf(hash, state) : refused(400, 'Invalid name hash');
    }
    return withName(text, (id) => nameOf(id, state));
  }

  function withName(text: string, answer: (id: string) => Answer): Answer {
    const fault = nameFault(text);
    if (fault !== undefined) return refused(400, `Name validation failed with a reason: ${fault}`, fault);
    return answer(nameHash(asciiName(text)));
  }

  function auctions([text, ...more]: readonly string[], state: State): Answer {
    if (text === undefined || text === '' || more.length > 0) return NOT_FOUND;
    return withName(text, (id) => {
      const auction = state.auction(id);
      if (auction === undefined) return NAME_NOT_FOUND;
      const { endsAt, bid, bidder, startedAt } = auction;
      return json({ ends_at: endsAt, highest_bid: printed(bid), highest_bidder: bidder, id, started_at: startedAt });
    });
  }

  function printedOracle(oracle: Oracle): JsonObject {
    const format = (text: string): string => (oracle.abiVersion === TEXT_ABI ? text : encodeId('cb', textBytes(text)));
    return {
      abi_version: oracle.abiVersion,
      ...(early ? { expires: oracle.expires } : {}),
      id: oracle.id,
      query_fee: printed(oracle.queryFee),
      query_format: format(oracle.queryFormat),
      response_format: format(oracle.responseFormat),
      ttl: oracle.expires,
    };
  }

  function printedQuery(query: Query): JsonObject {
    return {
      ...(early ? { expires: query.expires } : {}),
      fee: printed(query.fee),
      id: query.id,
      oracle_id: query.oracle,
      query: encodeId('ov', textBytes(query.query)),
      ...(early ? { query_id: query.id } : {}),
      response: encodeId('or', textBytes(query.response ?? '')),
      response_ttl: { type: 'delta', value: query.responseTtl },
      sender_id: query.sender,
      sender_nonce: printed(query.senderNonce),
      ttl: query.expires,
    };
  }

  function queries(oracle: string, parameters: URLSearchParams, state: State): Answer {
    const limit = parameters.get('limit') ?? String(DEFAULT_QUERIES);
    if (!/^-?\d+$/.test(limit)) return invalid('limit', 'wrong_type', JSON.stringify(limit));
    if (BigInt(limit) < 1n || BigInt(limit) > BigInt(MAX_QUERIES)) {
      return invalid('limit', 'not_in_range', String(BigInt(limit)));
    }
    const type = parameters.get('type') ?? 'all';
    if (!['open', 'closed', 'all'].includes(type)) return invalid('type', 'not_in_enum', JSON.stringify(type));
    const from = parameters.get('from');
    // In nodes, `from` is the last query of the previous page.
    const after = from === null ? undefined : parseHash(from, 'oq');
    if (typeof after === 'string') return refused(400, 'Invalid public key or query ID', after);
    const found = (state.oracle(oracle)?.queries ?? [])
      .filter((id) => after === undefined || Buffer.compare(parseHash(id, 'oq') as Uint8Array, after) > 0)
      .map((id) => state.query(id)!)
      .filter(({ response }) => type === 'all' || (response !== undefined) === (type === 'closed'))
      .slice(0, Number(limit));
    return json({ oracle_queries: found.map(printedQuery) });
  }

  function oracles(parts: readonly string[], parameters: URLSearchParams, state: State): Answer {
    const [id, part, queryId, ...more] = parts;
    if (id === undefined || id === '' || more.length > 0 || (part !== undefined && part !== 'queries'))
      return NOT_FOUND;
    const bytes = parseHash(id, 'ok');
    if (queryId !== undefined) {
      const query = parseHash(queryId, 'oq');
      const fault = typeof bytes === 'string' ? bytes : typeof query === 'string' ? query : undefined;
      if (fault !== undefined) return refused(400, 'Invalid public key or query ID', fault);
      const found = state.query(queryId);
      return found?.oracle === id ? json(printedQuery(found)) : refused(404, 'Query not found', 'not_found');
    }
    if (typeof bytes === 'string') return refused(400, 'Invalid public key', bytes);
    if (part === 'queries') return queries(id, parameters, state);
    const oracle = state.oracle(id);
    return oracle === undefined ? refused(404, 'Oracle not found', 'not_found') : json(printedOracle(oracle));
  }

  function contracts([id, part, ...more]: readonly string[], state: State): Answer {
    if (id === undefined || id === '' || more.length > 0) return NOT_FOUND;
    if (part !== undefined && part !== 'code' && part !== 'poi') return NOT_FOUND;
    if (typeof parseHash(id, 'ct') === 'string') {
      return refused(400, part === 'poi' ? 'Invalid hash: pubkey' : 'Invalid public key');
    }
    const contract = state.contract(id);
    // The simulated node has no state trees, so it cannot make proofs.
    if (part === 'poi') return refused(404, 'Proof for contract not found');
    if (contract === undefined) return refused(404, 'Contract not found', 'not_present');
    if (part === 'code') return json({ bytecode: contract.code });
    return json({
      abi_version: contract.abiVersion,
      active: true,
      deposit: printed(contract.deposit),
      id,
      owner_id: contract.owner,
      referrer_ids: [],
      vm_version: contract.vmVersion,
    });
  }

  function channels([id, ...more]: readonly string[], state: State): Answer {
    if (id === undefined || id === '' || more.length > 0) return NOT_FOUND;
    const bytes = parseHash(id, 'ch');
    if (typeof bytes === 'string') return refused(400, 'Invalid public key', bytes);
    const channel = state.channel(id);
    return channel === undefined ? refused(404, 'Channel not found', 'not_found') : json(printedChannel(channel));
  }

  return (group, parts, query, state, api) => {
    switch (group) {
      case 'names':
        return names(parts, state, api);
      case 'auctions':
        return auctions(parts, state);
      case 'oracles':
        return oracles(parts, query, state);
      case 'contracts':
        return contracts(parts, state);
      case 'channels':
        return channels(parts, state);
      default:
        return NOT_FOUND;
    }
  };
}

const printedChannel = (channel: Channel): JsonObject => ({
  channel_amount: printed(channel.amount),
  channel_reserve: printed(channel.reserve),
  delegate_ids: channel.delegates,
  id: channel.id,
  initiator_amount: printed(channel.initiatorAmount),
  initiator_id: channel.initiator,
  lock_period: channel.lockPeriod,
  locked_until: channel.lockedUntil,
  responder_amount: printed(channel.responderAmount),
  responder_id: channel.responder,
  round: printed(channel.round),
  solo_round: printed(channel.soloRound),
  state_hash: channel.stateHash,
});
