/** How contract creations ended, and the code of contracts that other contracts created. */
import {
  dueCodes,
  dueCreations,
  postponeCodes,
  postponeCreations,
  saveCodes,
  saveOutcomes,
} from '../../store/contracts.js';
import type { DueCode, DueCreation } from '../../store/contracts.js';
import { hasSucceeded } from '../outcome.js';
import { MAX_REQUESTS, commit } from './enrichment.js';
import type { Enrichment } from './enrichment.js';

/** Max contracts whose code is read or requested together, which bounds the memory. */
export const MAX_CODES = 100;

export const codes: Enrichment<DueCode, DueCode & { code: string }> = {
  batch: MAX_CODES,
  requests: MAX_REQUESTS,
  due: dueCodes,
  asker:
    ({ node }) =>
    async (contract) => {
      const code = await node.contractCode(contract.contractId);
      return code === null ? null : { ...contract, code };
    },
  store: (context, { answered, later }) =>
    commit(context, async (tx) => {
      await saveCodes(tx, answered);
      await postponeCodes(tx, later);
    }),
};

/** Most creations are among the transactions whose call information is read: this asks about those that are not. */
export const creations: Enrichment<DueCreation, DueCreation & { failed: boolean }> = {
  batch: 1_000,
  requests: MAX_REQUESTS,
  isLast: true,
  due: dueCreations,
  asker:
    ({ node }) =>
    async (creation) => {
      const info = await node.info(creation.hash);
      return info === null ? null : { ...creation, failed: !hasSucceeded(info) };
    },
  store: (context, { answered, later }) =>
    commit(context, async (tx) => {
      await saveOutcomes(tx, answered);
      await postponeCreations(tx, later);
    }),
};
