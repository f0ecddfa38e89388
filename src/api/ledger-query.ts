/** Query parameters of the ledger of an account. */
import { accountOf } from '../chain/money/movement.js';
import { MAX_HEIGHT, keyPosition } from '../chain/position.js';
import type { LedgerOf } from '../store/queries/ledger.js';
import type { QueryPart } from './endpoint.js';
import { queryParameter } from './parse.js';
import * as p from './schemas/parameters.js';

/** Which movements. */
export const ledgerFilter: QueryPart<Omit<LedgerOf, 'account'>> = {
  parameters: { kind: p.movementKinds, from: p.fromHeight, to: p.toHeight },
  read(query) {
    const from = queryParameter(p.fromHeight, 'from', query) ?? 0;
    const to = queryParameter(p.toHeight, 'to', query) ?? MAX_HEIGHT;
    return {
      kinds: queryParameter(p.movementKinds, 'kind', query) ?? null,
      low: keyPosition(from),
      high: keyPosition(to + 1) - 1n,
    };
  },
};

/** A contract and an oracle have the account of the same bytes. */
export const ledgerAccount = (id: string): string => (/^(ct|ok)_/.test(id) ? accountOf(id) : id);
