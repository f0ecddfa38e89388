/** Which contracts of other contracts are tokens, by their code, and what tokens say of themselves, by dry runs. Only a node tells it. */
import { callOf, readBalances } from '../../chain/tokens/calls.js';
import { readMeta } from '../../chain/tokens/meta.js';
import { tokenKind } from '../../chain/tokens/standard.js';
import type { ChainNode } from '../../node/client.js';
import type { DryResult } from '../../node/dry-run.js';
import { dueTokenCodes, dueTokenMetas, postponeTokens, saveTokenKinds, saveTokenMetas } from '../../store/tokens.js';
import type { DueTokenCode, DueTokenMeta, TokenMetaAnswer } from '../../store/tokens.js';
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

/** Nodes allow this much gas in a dry run. */
export const MAX_GAS = 6_000_000;
/** Of functions that only read a constant or a record. */
export const GAS = 200_000;
/** Calls of them for which one request has gas. */
export const CALLS = Math.floor(MAX_GAS / GAS);

export const okValue = (result: DryResult | undefined): string | null => (result?.type === 'ok' ? result.value : null);

async function metaOf(node: ChainNode, due: DueTokenMeta): Promise<TokenMetaAnswer | null> {
  const { contractId: contract, kind, block } = due;
  const results = await node.dryRun(block, [
    { contract, callData: callOf('meta_info'), gas: GAS },
    { contract, callData: callOf(`aex${kind}_extensions`), gas: GAS },
    ...(kind === 9 ? [{ contract, callData: callOf('balances'), gas: MAX_GAS - 2 * GAS }] : []),
  ]);
  if (results === null) return null;
  let [info] = results;
  // It may only have needed more gas.
  if (info?.type === 'error')
    info = (await node.dryRun(block, [{ contract, callData: callOf('meta_info'), gas: MAX_GAS }]))?.[0];
  if (info === undefined) return null;
  const balances = okValue(results[2]);
  const found = info.type === 'ok' ? readMeta(kind, info.value, okValue(results[1])) : null;
  return {
    ...due,
    state: info.type !== 'ok' ? 'failed' : found === null ? 'malformed' : 'ok',
    meta: found?.text ?? null,
    name: found?.name ?? '',
    symbol: found?.symbol ?? '',
    balances: balances === null ? null : readBalances(balances),
  };
}

/** Tokens whose answers are stored together: some have tens of thousands of balances. */
const METAS = 20;

export const tokenMetas: Enrichment<DueTokenMeta, TokenMetaAnswer> = {
  batch: METAS,
  requests: 4,
  due: dueTokenMetas,
  asker:
    ({ node }) =>
    (due) =>
      metaOf(node, due),
  store: (context, { answered, later }) =>
    commit(context, async (tx) => {
      await saveTokenMetas(tx, answered);
      await postponeTokens(tx, later);
    }),
};
