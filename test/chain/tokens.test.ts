import { expect } from 'chai';
import { decodeId, encodeId } from '../../src/chain/encoding/encoding.js';
import { functionTypes } from '../../src/chain/fate/functions.js';
import { tokenMove } from '../../src/chain/tokens/events.js';
import { readMetadata } from '../../src/chain/tokens/meta.js';
import { tokenKind } from '../../src/chain/tokens/standard.js';
import { integer, map, option, string, tuple, variant } from '../../devtools/devnode/generate/fate-values.js';
import { recordedLogs } from '../support/recorded-logs.js';
import { recordedGenerations, recording } from '../support/recording.js';
import { LIARS, recordedTokens, tokenStates } from '../support/recorded-tokens.js';

const OF = 'realnode-tokens';

/** The codes of all contracts of the recording. */
const codes = [...recording(OF)].flatMap(([request, { status, body }]) => {
  const contract = /^GET \/v[23]\/contracts\/(ct_\w+)\/code$/.exec(request)?.[1];
  return contract === undefined || status !== 200
    ? []
    : [{ contract, code: (JSON.parse(body) as { bytecode: string }).bytecode }];
});

describe('tokens', () => {
  it('are recognised by their code, and nothing else is', () => {
    expect(codes).to.have.length.above(25);
    for (const { contract, code } of codes) {
      const token = recordedTokens[contract];
      const expected = token?.aex9_extensions ? 9 : token?.aex141_extensions ? 141 : null;
      expect(tokenKind(code), `${contract} ${token?.label}`).to.equal(expected);
    }
  });

  it('of a code that is cut anywhere, or has another byte, are no fault', () => {
    const bytes = decodeId(codes[0]!.code, 'cb');
    for (let at = 0; at < bytes.length; at += 7) {
      expect(tokenKind(encodeId('cb', bytes.subarray(0, at)))).to.equal(null);
      const other = Uint8Array.from(bytes);
      other[at]! ^= 0x5a;
      functionTypes(encodeId('cb', other));
    }
    expect(functionTypes('cb_no')).to.equal(null);
  });

  it('have the balances and owners that follow from the first ones by events, after each micro block, except liars', () => {
    const order = new Map(
      recordedGenerations(OF)
        .flatMap(({ microBlocks }) => microBlocks)
        .map(({ hash }, i) => [hash, i]),
    );
    const moves = recordedLogs(OF).flatMap((log) => {
      const move = tokenMove(log.topics.map(BigInt));
      return move === null ? [] : [{ ...move, token: log.contract_id, at: order.get(log.block_hash)! }];
    });
    const differing = tokenStates.filter((state) => {
      const first = tokenStates.find(({ token }) => token === state.token)!;
      const known = ({ at }: { at: number }): boolean => at > order.get(first.hash)! && at <= order.get(state.hash)!;
      const own = moves.filter((move) => move.token === state.token && known(move));
      const shown = state.balances ? amountsAfter(first.balances!, own) : ownersAfter(first.owners!, own);
      return !isEqual(shown, state.balances ?? state.owners!);
    });
    expect([...new Set(differing.map(({ label }) => label))].sort()).to.deep.equal([...LIARS].sort());
  });
});

/** What a node answered, as it is recorded, and what it means. */
const TOLD = {
  'cb_r4IAAQEbr4IBAQEbLwMFbgkyORFuYW1lJVBpY3R1cmUgMBF0ZXh0IXNub3cg4piDuhQ9Kg==':
    '{"n":"29","name":"Picture 0","text":"snow ☃"}',
  'cb_r4IAAQEbr4IBAQAbYXRleHQgaW4gYSBtYXAgY29sbGVjdGlvbitMigo=': '"text in a map collection"',
  'cb_r4IAAQEbr4IBAQAbeWh0dHBzOi8vZXhhbXBsZS5pbnZhbGlkLzEuanNvbpqvLPA=': '"https://example.invalid/1.json"',
  'cb_r4IAAQEbFXBsYWlu0aw7Sg==': '"plain"',
  'cb_r4IAAQA/aHG2bw==': null,
};

const textOrMap = (which: 0 | 1, value: Uint8Array): Uint8Array => option(variant([1, 1], which, [value]));

describe('the metadata of a single token', () => {
  const read = (value: Uint8Array): string | null | undefined => readMetadata(encodeId('cb', value));

  it('is a text, a map of texts, or none, as a node answered', () => {
    for (const [result, metadata] of Object.entries(TOLD)) expect(readMetadata(result)).to.equal(metadata);
    expect(read(option(map([[string('a'), string('b')]])))).to.equal('{"a":"b"}');
  });

  it('is kept whatever texts it has', () => {
    const names = ['__proto__', 'toJSON', 'constructor', '\0', '\u202e'];
    const told = read(textOrMap(1, map(names.map((name) => [string(name), string('x')] as const))));
    expect(Object.entries(JSON.parse(told!) as object).map(([name]) => name)).to.have.members(names);
    expect(read(textOrMap(0, string(Uint8Array.of(0xff, 0x41))))).to.equal('"\ufffdA"');
  });

  it('is not known from a result that is something else, or longer than anybody shows', () => {
    const others = [
      integer(1n),
      string('a'),
      tuple([]),
      option(integer(1n)),
      option(tuple([string('a')])),
      textOrMap(0, integer(1n)),
      textOrMap(1, map([[integer(1n), string('a')]])),
      textOrMap(1, map([[string('a'), integer(1n)]])),
      option(variant([0, 1], 0)),
      option(variant([2], 0, [string('a'), string('b')])),
    ];
    for (const other of others) expect(read(other)).to.equal(undefined);
    for (const text of ['', 'cb_', 'cb_Xfbg4g==', 'no']) expect(readMetadata(text)).to.equal(undefined);
    const many = Array.from({ length: 65_536 / 60 }, (_, i) => string(String(i).padStart(60, '0')));
    expect(read(textOrMap(1, map(many.map((name) => [name, name] as const))))).to.equal(undefined);
  });
});

type TokenMove = NonNullable<ReturnType<typeof tokenMove>>;

const account = (word: bigint): string => encodeId('ak', Buffer.from(word.toString(16).padStart(64, '0'), 'hex'));

function amountsAfter(before: Record<string, string>, moves: readonly TokenMove[]): Record<string, string> {
  const amounts = { ...before };
  const add = (word: bigint | null, value: bigint): void => {
    if (word !== null) amounts[account(word)] = String(BigInt(amounts[account(word)] ?? 0) + value);
  };
  for (const { from, to, value } of moves) {
    add(from, -value);
    add(to, value);
  }
  return amounts;
}

function ownersAfter(before: Record<string, string>, moves: readonly TokenMove[]): Record<string, string> {
  const owners = { ...before };
  for (const { to, value } of moves) {
    if (to === null) delete owners[String(value)];
    else owners[String(value)] = account(to);
  }
  return owners;
}

/** An amount of 0 is none. */
const isEqual = (one: Record<string, string>, other: Record<string, string>): boolean =>
  [...Object.keys(one), ...Object.keys(other)].every((id) => (one[id] ?? '0') === (other[id] ?? '0'));
