import { z } from 'zod';
import { TRANSACTION_TYPES } from '../../chain/transactions/catalogue.js';
import type { Field, Form } from '../../chain/transactions/fields.js';
import type { TransactionType } from '../../chain/transactions/type.js';
import * as example from './examples.js';
import * as s from './scalars.js';

/** The objects `tx` of transactions as the node returns them, one for each type of the catalogue. */

export const pointer = z.looseObject({ key: z.string(), id: z.string() }).meta({ id: 'Pointer' });

const relativeTtl = z
  .looseObject({ type: z.enum(['delta', 'block']), value: s.bigNumber })
  .meta({ id: 'RelativeTtl', description: 'A number of generations, or a height.' });

const signedTx = z
  .looseObject({ signatures: z.array(s.signature), tx: z.lazy((): z.ZodType => tx) })
  .meta({ id: 'SignedTx', description: 'A transaction within another one.' });

const text = (description: string) => z.string().meta({ description });

const VALUES: Record<Exclude<Form, 'vmAndAbi'>, z.ZodType> = {
  int: s.bigNumber,
  ttl: s.bigNumber.optional(),
  id: text('An identifier.'),
  ids: z.array(text('An identifier.')),
  bytes: text('Bytes, encoded.'),
  text: z.string(),
  relative: relativeTtl,
  payload: text('Bytes, encoded; plain text in the oldest releases of the node.'),
  // Optional: older releases of the node have `vm_version` instead.
  abi: s.count.optional(),
  functionHash: text('0x and hexadecimal digits.'),
  pointers: z.array(pointer),
  delegates: z.unknown().meta({ description: 'One list of identifiers, or an object with one for each party.' }),
  update: z.looseObject({}).meta({ description: "An update of a channel's state." }),
  nested: signedTx,
};

function memberOf({ member, form, onlyIn }: Field): Record<string, z.ZodType> {
  if (form === 'vmAndAbi') return { vm_version: s.count, abi_version: VALUES.abi };
  return { [member]: onlyIn === undefined ? VALUES[form] : VALUES[form].optional() };
}

const namesOf = ({ name, formerly }: TransactionType): [string, ...string[]] =>
  formerly === undefined ? [name] : [name, formerly];

/** The schema of a type. `more`: members that the service adds to those of the node. */
function objectOf(type: TransactionType, more: Record<string, z.ZodType> = {}): z.ZodObject {
  return z.looseObject({
    type: z.enum(namesOf(type)),
    version: s.count,
    ...Object.assign({}, ...type.fields.map(memberOf)),
    ...more,
  });
}

/** A type that is never in a block is in no answer. */
const IN_BLOCKS = TRANSACTION_TYPES.filter(({ valueFlow }) => valueFlow !== undefined);

const objects = IN_BLOCKS.map((type) => objectOf(type).meta({ id: type.name }));

const mapping = Object.fromEntries(
  IN_BLOCKS.flatMap((type) => namesOf(type).map((name) => [name, `#/components/schemas/${type.name}`])),
);

export const tx: z.ZodType = z.union(objects).meta({
  id: 'Tx',
  description: `The node's object, with all its members and digits. Its \`type\` tells which members there are; types of
protocols that are newer than this description are given as the node has them.`.replaceAll('\n', ' '),
  example: example.spend.tx,
  override: ({ jsonSchema }: { jsonSchema: Record<string, unknown> }) => {
    jsonSchema['oneOf'] = jsonSchema['anyOf'];
    delete jsonSchema['anyOf'];
    jsonSchema['discriminator'] = { propertyName: 'type', mapping };
  },
});

/** A transaction object of one type, with its hash and time. */
export const datedTx = (name: string): z.ZodObject =>
  objectOf(
    IN_BLOCKS.find((type) => type.name === name)!,
    {
      hash: s.transactionHash,
      timestamp: s.time.meta({ description: 'Time of the micro block, ms since 1970.' }),
    },
  );
