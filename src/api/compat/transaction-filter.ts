/** Filters of transactions: by type, by group, by an object, by a member, and by the function that is called. */
import { z } from 'zod';
import type { IdPrefix } from '../../chain/encoding/encoding.js';
import { TRANSACTION_TYPES } from '../../chain/transactions/catalogue.js';
import type { Mention } from '../../store/queries/compat/transaction-lists.js';
import { invalid } from './errors.js';
import { anyMention, idsOf, memberIs, mentionAs } from './mentions.js';
import { anyId, id, nameId, text } from './parameters.js';
import type { Parameter, Parameters, Values } from './parameters.js';

/** `oracle_response` by name of type: clients use another word for one type than the node. */
const WORDS: Readonly<Record<string, string>> = { OracleRespondTx: 'oracle_response' };

/** `GAMetaTx` → `ga_meta`. */
export const typeWord = (name: string): string =>
  WORDS[name] ??
  name
    .replace(/Tx$/, '')
    .replace(/^GA/, 'Ga')
    .replace(/(?!^)[A-Z]/g, (letter) => `_${letter}`)
    .toLowerCase();

const plain = (word: string): string => word.toLowerCase().replace(/_/g, '').replace(/tx$/, '');

const TYPES: ReadonlyMap<string, readonly string[]> = new Map(
  TRANSACTION_TYPES.flatMap(({ name, formerly }) => {
    const names = formerly === undefined ? [name] : [name, formerly];
    return [...names, typeWord(name)].map((word) => [plain(word), names] as const);
  }),
);

const GROUPS: Readonly<Record<string, RegExp>> = {
  channel: /^Channel/,
  contract: /^Contract/,
  ga: /^GA/,
  name: /^Name/,
  oracle: /^Oracle/,
  paying: /^PayingFor/,
  spend: /^Spend/,
  hc: /^HC/,
};

const namesOf = (of: RegExp): string[] => [...TYPES.values()].flat().filter((name) => of.test(name));

function typesOf(word: string): readonly string[] {
  const names = TYPES.get(plain(word));
  if (names === undefined || word.length > 100) throw invalid('transaction type', word);
  return names;
}

const readTypes = (words: readonly string[]): string[] => words.flatMap((word) => word.split(',')).flatMap(typesOf);

/** Names of types; repeated values are a union. */
export const type: Parameter<string[]> = {
  schema: z.string().meta({ description: 'Only transactions of this type; several are a union.', example: 'spend' }),
  read: (word) => readTypes([word]),
  readAll: readTypes,
};

function typesOfGroup(word: string): string[] {
  const group = Object.hasOwn(GROUPS, word) ? GROUPS[word] : undefined;
  if (group === undefined) throw invalid('transaction group', word);
  return namesOf(group);
}

export const typeGroup: Parameter<string[]> = {
  schema: z.string().meta({ description: 'Only transactions of a group of types.', example: 'oracle' }),
  read: typesOfGroup,
  readAll: (words) => words.flatMap(typesOfGroup),
};

/** Members with an id, and what they may name. A name of another kind finds nothing. */
const MEMBERS: Readonly<Record<string, readonly IdPrefix[]>> = {
  sender_id: ['ak'],
  recipient_id: ['ak', 'ct', 'ok', 'nm'],
  account_id: ['ak'],
  caller_id: ['ak', 'ct'],
  owner_id: ['ak', 'ct'],
  from_id: ['ak'],
  to_id: ['ak'],
  initiator_id: ['ak'],
  responder_id: ['ak'],
  payer_id: ['ak'],
  ga_id: ['ak'],
  contract_id: ['ct', 'nm'],
  channel_id: ['ch'],
  oracle_id: ['ok', 'nm'],
  name_id: ['nm'],
};

export const MEMBER_NAMES = Object.keys(MEMBERS);

/** Words for objects. */
const OBJECTS = {
  account: anyId('Transactions with this account in any member.'),
  contract: id('Creation of the contract, and calls of it.', 'ct', 'ak'),
  channel: id('Transactions of the channel.', 'ch'),
  oracle: id('Registration and extensions of the oracle, queries to it, and its answers.', 'ok', 'ak'),
  name: nameId('Transactions of the name.'),
};

const member = (name: string): Parameter<string> =>
  name === 'name_id' ? nameId('The name.') : anyId(`Transactions with this id as \`${name}\`.`);

export const MEMBER_PARAMETERS: Readonly<Record<string, Parameter<string>>> = Object.fromEntries(
  MEMBER_NAMES.flatMap((name) => [
    [name, member(name)],
    ...TRANSACTION_TYPES.filter(({ fields }) => hasMember(fields, name)).map((of) => [
      `${typeWord(of.name)}.${name}`,
      member(name),
    ]),
    // A wrapping transaction also has the members of the one in it.
    ...(['ga_meta', 'paying_for'] as const).map((outer) => [`${outer}.${name}`, member(name)]),
  ]) as [string, Parameter<string>][],
);

function hasMember(fields: (typeof TRANSACTION_TYPES)[number]['fields'], name: string): boolean {
  return fields.some((field) => field.member === name);
}

const NAMED = {
  type,
  type_group: typeGroup,
  ...OBJECTS,
  entrypoint: text('entrypoint', 'Calls of the function with this name.'),
};

/** The parameters of filters. `MEMBER_PARAMETERS` have all the same type, so they are read apart. */
export const FILTERS: typeof NAMED & Parameters = { ...NAMED, ...MEMBER_PARAMETERS };

type FilterValues = Partial<Values<typeof NAMED>> & Record<string, unknown>;

interface Filter {
  mentions: Mention[];
  types: string[] | null;
  texts: string[];
  entrypoint?: string | undefined;
}

/** What the parameters ask for. */
export function filterOf(query: FilterValues): Filter {
  const { type: types = [], type_group: group = [], entrypoint } = query;
  const isTyped = query.type !== undefined || query.type_group !== undefined;
  const filter: Filter = {
    mentions: [],
    types: isTyped ? [...new Set([...types, ...group])] : null,
    texts: [],
    entrypoint,
  };
  for (const name of Object.keys(OBJECTS) as (keyof typeof OBJECTS)[]) {
    const value = query[name];
    if (value !== undefined) filter.mentions.push(mentionOfObject(name, value));
  }
  for (const { id: value, text: pattern, types: ofMember } of membersIn(query)) {
    filter.texts.push(pattern);
    filter.mentions.push(anyMention(value));
    if (ofMember !== null)
      filter.types = filter.types === null ? [...ofMember] : filter.types.filter((one) => ofMember.includes(one));
  }
  return filter;
}

/** An id in a member, a regular expression for texts of transactions with it, and their types; null for any. */
interface MemberFilter {
  id: string;
  text: string;
  types: readonly string[] | null;
}

/** What the parameters of members ask for. */
export const membersIn = (query: Readonly<Record<string, unknown>>): MemberFilter[] =>
  Object.keys(MEMBER_PARAMETERS).flatMap((name) => {
    const value = query[name];
    return typeof value === 'string' ? [memberOf(name, value)] : [];
  });

/** `name`: a member, or a type and a member of it. */
function memberOf(name: string, value: string): MemberFilter {
  const [field = '', ofType] = name.split('.').reverse();
  const prefixes = MEMBERS[field]!;
  const ids = idsOf(value).filter((one) => prefixes.some((prefix) => one.startsWith(`${prefix}_`)));
  return { id: value, text: memberIs(field, ids), types: ofType === undefined ? null : typesOf(ofType) };
}

function mentionOfObject(word: keyof typeof OBJECTS, value: string): Mention {
  if (word === 'account') return anyMention(value);
  return mentionAs(value, { contract: 'ct', channel: 'ch', oracle: 'ok', name: 'nm' }[word] as IdPrefix);
}
