import { z } from 'zod';
import { INVALID } from '../../chain/tokens/invalid.js';
import * as example from './examples.js';
import * as s from './scalars.js';

/** Tokens, and what accounts hold of them. */

const page = <Of extends z.ZodType>(row: Of) =>
  z.object({
    rows: z.array(row),
    next: z.string().nullable().meta({ description: 'Path and query of the next page; null at the end.' }),
  });

const moved = {
  height: s.height,
  time: s.time,
  transaction_hash: s.transactionHash,
};

const said = (description: string) => z.string().nullable().meta({ description });

const REASONS = Object.values(INVALID)
  .map(({ reason }) => `\`${reason}\``)
  .join(', ');

const doubt = {
  invalid_reason: said(
    `Why what follows from the events of the token is in doubt: ${REASONS}. Null if nothing of that is known.`,
  ),
};

const NAME = 'As the token says it, whatever characters it has; null while it is not known.';
const decimals = s.bigNumber.nullable().meta({
  id: 'Decimals',
  description:
    'Digits of amounts after the point, as the token says it: any integer. Null while it is not known, and of collections.',
});

export const token = z
  .object({
    contract_id: s.contract,
    standard: z.enum(['aex9', 'aex141']).meta({ description: 'aex141: a collection of single tokens.' }),
    meta_state: z.enum(['due', 'ok', 'failed', 'malformed']).meta({
      description:
        'What came of asking the token for its name: due: it is asked for; failed: its functions end with an error; malformed: they return something else.',
    }),
    name: said(NAME),
    symbol: said(NAME),
    decimals,
    extensions: z.array(z.string()),
    base_url: said('Of a collection: what links to metadata begin with; not checked.'),
    metadata_type: said('Of a collection: `url`, `ipfs`, `object_id` or `map`.'),
    supply: s.exact('Sum of what accounts hold; of a collection the number of its tokens.'),
    initial_supply: s.bigNumber
      .nullable()
      .meta({ description: 'What accounts held after the block of its creation; null if it is not known.' }),
    made: s.count
      .nullable()
      .meta({ description: 'Of a collection: tokens that were made, also those that are burnt.' }),
    token_limit: s.bigNumber.nullable().meta({ description: 'Of a collection: null without a limit.' }),
    template_limit: s.bigNumber.nullable().meta({ description: 'Of a collection: null without a limit.' }),
    holders: s.count,
    events: s.count.meta({ description: 'Events that it emitted.' }),
    invalid_reason: said(
      `Why its balances do not follow from its events: ${REASONS}. Null if nothing of that is known.`,
    ),
    invalid_description: said('The same in words, and what is shown then.'),
    height: s.height.meta({ description: 'Height of its creation, or where it was seen first.' }),
    time: s.time,
    transaction_hash: s.transactionHash,
  })
  .meta({ id: 'Token', description: 'A token, or a collection of tokens.', example: example.token });

export const tokens = page(token).meta({ example: { rows: [example.token], next: null } });

export const holders = page(
  z
    .object({
      account_id: s.account,
      amount: s.exact('In the smallest unit; below 0 if events do not tell all.'),
      ...moved,
      log_index: z.int().nullable().meta({ description: 'The event that changed it last; null: the creation.' }),
    })
    .meta({ id: 'TokenHolder', example: example.tokenHolder }),
).meta({ example: { rows: [example.tokenHolder], next: null } });

export const tokenTransfers = page(
  z
    .object({
      ...moved,
      log_index: s.count,
      sender: s.account,
      recipient: s.account,
      amount: s.bigNumber.nullable().meta({ description: 'Null for a single token of a collection.' }),
      token_id: s.bigNumber.nullable().meta({ description: 'The single token of a collection; null otherwise.' }),
      ...doubt,
    })
    .meta({ id: 'TokenTransfer', example: example.tokenTransfer }),
).meta({ example: { rows: [example.tokenTransfer], next: null } });

export const tokenOwners = page(
  z
    .object({ token_id: s.bigNumber, owner: s.account, ...doubt, ...moved })
    .meta({ id: 'SingleToken', description: 'A single token and its owner.', example: example.singleToken }),
).meta({ example: { rows: [example.singleToken], next: null } });

export const holdings = page(
  z
    .object({
      contract_id: s.contract,
      amount: s.exact('In the smallest unit; below 0 if events do not tell all.'),
      decimals,
      name: said(NAME),
      symbol: said(NAME),
      ...moved,
      log_index: z.int().nullable().meta({ description: 'The event that changed it last; null: the creation.' }),
    })
    .meta({ id: 'TokenHolding', description: 'What an account holds of a token.', example: example.tokenHolding }),
).meta({ example: { rows: [example.tokenHolding], next: null } });

export const ownedTokens = page(
  z
    .object({ contract_id: s.contract, token_id: s.bigNumber, ...doubt, ...moved })
    .meta({ id: 'OwnedToken', description: 'A single token that an account owns.', example: example.ownedToken }),
).meta({ example: { rows: [example.ownedToken], next: null } });

export const allowances = page(
  z
    .object({
      contract_id: s.contract,
      owner: s.account,
      spender: s.account,
      amount: s.bigNumber
        .nullable()
        .meta({ description: 'In the smallest unit, as the token told it; null unless the state is ok.' }),
      decimals,
      name: said(NAME),
      symbol: said(NAME),
      state: z.enum(['due', 'ok', 'failed', 'malformed']).meta({
        description:
          'What came of asking the token after the event: due: it is asked; failed: its function ends with an error; malformed: it returns something else.',
      }),
      event_amount: s.exact('What the last event about both accounts says.'),
      ...moved,
      log_index: s.count.meta({ description: 'Of that event.' }),
    })
    .meta({
      id: 'TokenAllowance',
      description: 'What an account allows another one to spend of a token.',
      example: example.allowance,
    }),
).meta({ example: { rows: [example.allowance], next: null } });

const side = (what: string) => ({
  contract: s.contract.meta({ description: `The token that was ${what}.` }),
  symbol: said(NAME),
  decimals,
  amount: s.exact('In the smallest unit of the token.'),
});
const given = side('given');
const got = side('got');

export const swaps = page(
  z
    .object({
      ...moved,
      log_index: s.count,
      pair: s.contract,
      caller: s.account.meta({
        description: 'Who made the swap; a contract, such as a router, where it called the pair.',
      }),
      recipient: s.account,
      from_contract: given.contract,
      from_symbol: given.symbol,
      from_decimals: given.decimals,
      from_amount: given.amount,
      to_contract: got.contract,
      to_symbol: got.symbol,
      to_decimals: got.decimals,
      to_amount: got.amount,
    })
    .meta({ id: 'TokenSwap', description: 'A swap of two tokens.', example: example.swap }),
).meta({ example: { rows: [example.swap], next: null } });

export const supply = z
  .object({
    rows: z.array(
      z
        .object({
          ...moved,
          log_index: s.count,
          change: s.exact('What was made; below 0 for what ended. In the smallest unit.'),
          supply: s.exact('After it.'),
        })
        .meta({ id: 'SupplyChange', example: example.supplyChange }),
    ),
    complete: z.boolean().meta({ description: 'Whether these are all changes since the creation of the token.' }),
  })
  .meta({ example: { rows: [example.supplyChange], complete: true } });
