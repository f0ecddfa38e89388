/** What the logs of a transaction say of tokens: what was moved, made and ended. */
import { parseExact, stringifyExact } from '../encoding/json.js';
import type { JsonObject } from '../encoding/json.js';
import { accountOfWord } from '../encoding/words.js';
import { isMoveOf, tokenMove } from './events.js';
import type { TokenKind } from './standard.js';

/** The standards of contracts that are tokens; null while the code of a contract is not known. A contract that is no token is not in it. */
export type TokenKinds = Readonly<Record<string, TokenKind | null>>;

interface Logs {
  logs: { log_index: bigint | number; contract_id: string; topics: (bigint | number)[] }[];
}

/**
 * The moves of tokens in the logs of a transaction, as an event tells them: the members of the transaction, and `transfers` in place of `logs`.
 * Undefined if there are none. `text`: what an event tells of the logs.
 */
export function tokenTransfers(text: string, kinds: TokenKinds): string | undefined {
  const { logs, ...placed } = parseExact(text) as unknown as Logs;
  const transfers = logs.flatMap((log) => {
    const kind = Object.hasOwn(kinds, log.contract_id) ? kinds[log.contract_id] : undefined;
    return kind === undefined ? [] : transferOf(log, kind);
  });
  return transfers.length === 0 ? undefined : stringifyExact({ ...placed, transfers });
}

function transferOf({ log_index, contract_id, topics }: Logs['logs'][number], kind: TokenKind | null): JsonObject[] {
  const move = tokenMove(topics.map(BigInt));
  if (move === null || (kind !== null && !isMoveOf(kind, move))) return [];
  return [
    {
      log_index,
      contract_id,
      standard: kind === null ? null : `aex${kind}`,
      event: move.name,
      sender: move.from === null ? null : accountOfWord(move.from),
      recipient: move.to === null ? null : accountOfWord(move.to),
      value: move.value,
    },
  ];
}

/** Of such a text: the tokens, and the accounts that have less or more of them. */
export function partiesOf(text: string): string[] {
  const { transfers } = JSON.parse(text) as {
    transfers: Record<'contract_id' | 'sender' | 'recipient', string | null>[];
  };
  return transfers.flatMap(({ contract_id: token, sender, recipient }) =>
    [token, sender, recipient].filter((id) => id !== null),
  );
}
