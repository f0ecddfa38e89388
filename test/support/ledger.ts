/** The state machine alone: accounts with coins, single transactions, and generations on demand. */
import { encodeId, hash } from '../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { execute } from '../../devtools/devnode/ledger/execute.js';
import type { Machine } from '../../devtools/devnode/ledger/execution.js';
import { openGeneration } from '../../devtools/devnode/ledger/key-block.js';
import { stubMachine } from '../../devtools/devnode/ledger/machine.js';
import { createRules } from '../../devtools/devnode/ledger/rules.js';
import type { RuleOptions } from '../../devtools/devnode/ledger/rules.js';
import { draftOf, emptyState } from '../../devtools/devnode/ledger/persistent-state.js';
import type { State } from '../../devtools/devnode/ledger/state.js';
import { Refusal } from '../../devtools/devnode/ledger/types.js';
import type { Info } from '../../devtools/devnode/ledger/types.js';

export const COIN = 10n ** 18n;

/** `ak_…` made from a name. */
export const account = (name: string): string => encodeId('ak', hash(Buffer.from(name)));
export const [ALICE, BOB, CAROL, MINER, POOL] = ['alice', 'bob', 'carol', 'miner', 'pool'].map(account) as [
  string,
  string,
  string,
  string,
  string,
];
export const START = 1_000n * COIN;

export const protocol = (version: number): RuleOptions => ({ protocols: [{ version, effective_at_height: 0 }] });

export interface Ledger {
  readonly state: State;
  /** Executes a transaction. Adds the next nonce if it has none. Throws Refusal. */
  apply(tx: JsonObject): Info | undefined;
  /** Returns why a transaction is refused, without changing the state. Throws if it is not refused. */
  refusal(tx: JsonObject): string;
  /** Adds key blocks up to a height. */
  goTo(height: number, beneficiary?: string): void;
  balance(id: string): bigint;
}

/** A ledger in generation 1, in which alice, bob and carol have 1000 coins each. */
export function ledger(options: RuleOptions = protocol(6), machine: Machine = stubMachine): Ledger {
  const rules = createRules(options);
  const draft = draftOf(emptyState());
  for (const id of [ALICE, BOB, CAROL]) draft.put('account', id, { balance: START, nonce: 0n, payable: true });
  let height = -1;
  let made = 0;

  const accounts = (): string =>
    [...draft.all('account')]
      .map(([id, { balance, nonce }]) => `${id} ${balance} ${nonce}`)
      .sort()
      .join();

  function goTo(wanted: number, beneficiary = MINER): void {
    for (; height < wanted; height += 1) {
      openGeneration(draft, { height: height + 1, version: rules.protocolAt(height + 1), beneficiary }, rules);
    }
  }

  function apply(tx: JsonObject): Info | undefined {
    made += 1;
    const members = { fee: 20_000_000_000_000, version: 1, ...tx };
    const origin = ORIGINS.map((member) => tx[member]).find((id) => id !== undefined) as string;
    const nonce = Number((draft.account(origin)?.nonce ?? 0n) + 1n);
    const complete = tx['type'] === 'GAMetaTx' ? members : { nonce, ...members };
    return execute(draft, { id: `th_${made}`, tx: complete }, rules, machine);
  }

  goTo(0, 'ak_11111111111111111111111111111111273Yts');
  goTo(1);
  return {
    get state() {
      return draft;
    },
    apply,
    refusal(tx) {
      const before = accounts();
      try {
        apply(tx);
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        if (accounts() !== before) throw new Error('a refused transaction changed accounts', { cause: error });
        return error.code;
      }
      throw new Error('not refused');
    },
    goTo,
    balance: (id) => draft.account(id)?.balance ?? 0n,
  };
}

/** The first of these members in a transaction is the account that pays. */
const ORIGINS = [
  'payer_id',
  'ga_id',
  'sender_id',
  'account_id',
  'owner_id',
  'caller_id',
  'initiator_id',
  'from_id',
  'to_id',
  'oracle_id',
];
