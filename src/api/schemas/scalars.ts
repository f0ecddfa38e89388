import { z } from 'zod';
import 'zod-openapi';

/** Single values of answers. */

/** An amount, fee, gas or nonce: a number with all its digits, which may be too many for a double. */
export const bigNumber = z.number().meta({
  id: 'BigNumber',
  description: 'A whole number with all its digits, also beyond 2^53: read it with a parser for big numbers.',
  override: { type: 'integer' },
});

/** The same with a description of its own: `bigNumber.meta(…)` would lose that it is whole. */
export const exact = (description: string) => z.number().meta({ description, override: { type: 'integer' } });

/** A number of aettos as text. */
export const aettos = z
  .string()
  .regex(/^[0-9]+$/)
  .meta({
    id: 'Aettos',
    description:
      'Aettos as decimal text; 1 AE is 10^18 aettos; the coin of another network is in `/middleware/network`.',
    example: '53994045000000000000',
  });

const whole = (description: string) =>
  z.int().meta({ description, override: { format: 'int64', minimum: undefined, maximum: undefined } });

export const height = whole('Height of a generation.');
export const count = z
  .int()
  .min(0)
  .meta({ override: { format: 'int64', maximum: undefined } });
export const seconds = whole('Seconds.');
export const time = whole('Milliseconds since 1970, UTC.');

const id = (prefix: string, name: string, description: string) =>
  z
    .string()
    .regex(new RegExp(`^${prefix}_[1-9A-HJ-NP-Za-km-z]+$`))
    .meta({ id: name, description });

export const account = id('ak', 'AccountId', 'An account.');
export const contract = id('ct', 'ContractId', 'A contract.');
export const oracle = id('ok', 'OracleId', 'An oracle.');
export const query = id('oq', 'QueryId', 'A question to an oracle.');
export const channel = id('ch', 'ChannelId', 'A state channel.');
export const nameHash = id('nm', 'NameHash', 'The hash of a name.');
export const keyBlockHash = id('kh', 'KeyBlockHash', 'The hash of a key block.');
export const microBlockHash = id('mh', 'MicroBlockHash', 'The hash of a micro block.');
export const transactionHash = id('th', 'TransactionHash', 'The hash of a transaction.');
export const blockHash = z
  .string()
  .regex(/^[km]h_[1-9A-HJ-NP-Za-km-z]+$/)
  .meta({ id: 'BlockHash', description: 'The hash of a key block or a micro block.' });
export const signature = id('sg', 'Signature', 'A signature.');
