/** Answers that need the state of the chain. */
import type { StatefulChain } from './source.js';
import { createAccountAnswers } from './http/account-answers.js';
import { dryRun } from './http/dry-run.js';
import { dryRunOfTokens } from './http/token-dry-run.js';
import { createObjectAnswers } from './http/object-answers.js';
import { postTransaction } from './http/posting.js';
import type { LiveAnswers } from './http/router.js';

const NO_BODY = Buffer.alloc(0);

/** `posted` is called whenever the pool took a transaction; a chain that takes none has no such function. */
export function createLiveAnswers(
  { chain, machine, isTooLong, tokens }: StatefulChain,
  onPosted: (() => void) | undefined,
): LiveAnswers {
  const { store, pool, rules } = chain;
  // The newest state is computed if necessary. Older states are returned only if they are cached.
  const stateAfter: LiveAnswers['stateAfter'] = (block) => {
    if (isTooLong()) return undefined;
    const newest = chain.state();
    return block === store.head() ? newest : chain.stateAfter(block);
  };
  return {
    accounts: createAccountAnswers({ store, pool, stateAfter }),
    objects: createObjectAnswers(rules),
    stateAfter,
    ...(onPosted === undefined
      ? {}
      : { post: ({ body, contentType }) => postTransaction({ body: body ?? NO_BODY, contentType }, pool, onPosted) }),
    ...(tokens && { dryRunOfTokens: ({ body }) => dryRunOfTokens(body ?? NO_BODY, store, tokens) }),
    dryRun: ({ body }, state) => dryRun(body ?? NO_BODY, state, { rules, machine }),
  };
}
