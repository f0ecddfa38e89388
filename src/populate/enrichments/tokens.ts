/** Which contracts of other contracts are tokens: by their code, which only a node has. */
import { tokenKind } from '../../chain/tokens/standard.js';
import { dueTokenCodes, postponeTokens, saveTokenKinds } from '../../store/tokens.js';
import type { DueTokenCode } from '../../store/tokens.js';
import { MAX_CODES } from './contracts.js';
import { MAX_REQUESTS, commit } from './enrichment.js';
import type { Enrichment } from './enrichment.js';

export const tokenKinds: Enrichment<DueTokenCode, DueTokenCode & { kind: number }> = {
  batch: MAX_CODES,
  requests: MAX_REQUESTS,
  due: dueTokenCodes,
  asker:
    ({ node }) =>
    async (contract) => {
      const code = contract.code ?? (await node.contractCode(contract.contractId));
      return code === null ? null : { ...contract, kind: tokenKind(code) ?? 0 };
    },
  store: (context, { answered, later }) =>
    commit(context, async (tx) => {
      await saveTokenKinds(tx, answered);
      await postponeTokens(tx, later);
    }),
};
