/** A malicious node, drawn at random: what it lies about, how it prints that, and how it sends it. */
import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isObject, parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { alter } from './altered.js';
import type { Choices } from './histories.js';
import { reply } from './http-server.js';
import { drawFalseChain } from './false-chains.js';
import type { FalseChain, World } from './false-chains.js';
import { answerOf, headOf } from './shown-chain.js';
import type { ShownChain, NodeAnswer } from './shown-chain.js';

export interface Liar {
  name: string;
  answer(honest: ShownChain, url: string, response: ServerResponse): Promise<void> | void;
}

interface LiarOptions {
  world: World;
  /** The first node that is asked says which network and which genesis block are followed, and plans forks. */
  mayLieAboutIdentity: boolean;
  /** Called with each altered member: kind of answer and path in it. */
  onAltered: (member: string) => void;
}

const pick = <T>(random: Choices, items: readonly T[]): T => items[random.int(0, items.length - 1)]!;

/** Results of calls and codes of contracts are believed, see docs/trust.md; what a GAMetaTx does depends on them. */
const isBelieved = (url: string): boolean => /\/(info|code)$/.test(url);

/** A kind of answer, for example `/micro-blocks/hash/mh/transactions`. */
export const kindOf = (url: string): string =>
  url
    .replace(/^\/v[23]/, '')
    .replaceAll(/(?<=\/[a-z]{2})_\w+/g, '')
    .replace(/(?<=\/(?:height|index)\/)\d+/, 'N');

interface Printing {
  name: string;
  print(honest: ShownChain, url: string, text: string): string;
}
type DrawPrinting = (random: Choices, options: LiarOptions) => Printing;

const alters: DrawPrinting = (random, { onAltered }) => {
  const places = random.int(1, 3);
  return {
    name: `alters ${places} members`,
    print(_, url, text) {
      const root: JsonObject = { answer: parseExact(text) };
      for (let i = 0; i < places; i++) onAltered(`${kindOf(url)} ${alter(root, random)}`);
      return stringifyExact(root['answer']);
    },
  };
};

/** One member more than once, with another value before or after the right one. */
const doubles: DrawPrinting = (random) => ({
  name: 'doubles members',
  print(_, __, text) {
    const members = [...text.matchAll(/"(\w+)":("[^"\\]*"|\d+)/g)];
    if (members.length === 0) return text;
    const { 0: all, 1: name, 2: value = '', index } = pick(random, members);
    const other = `"${name}":${value.startsWith('"') ? '"other"' : `1${value}`}`;
    const both = random.chance(0.5) ? `${all},${other}` : `${other},${all}`;
    return text.slice(0, index) + both + text.slice(index + all.length);
  },
});

const shuffled = (value: Json, random: Choices): Json => {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, random));
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(
    ([name, one]) => [random.int(0, 1_000), name, shuffled(one, random)] as const,
  );
  return Object.fromEntries(members.sort((a, b) => a[0] - b[0]).map(([, name, one]) => [name, one]));
};

/** Members that the bytes do not contain, in any object of the answer. */
const adds: DrawPrinting = (random) => {
  const [prefix, share] = [pick(random, ['new_', 'other_', 'is_']), pick(random, [0.1, 1])];
  return {
    name: 'adds members',
    print: (_, __, text) =>
      text.replaceAll(/(?<=[{,])"(\w+)":(?=["\d])/g, (own, name: string) =>
        random.chance(share) ? `"${prefix}${name}":1,${own}` : own,
      ),
  };
};

const PRINTINGS: readonly DrawPrinting[] = [
  ...[alters, alters, alters, alters, doubles, adds, adds],
  (random) => ({
    name: 'orders members otherwise',
    print: (_, __, text) => stringifyExact(shuffled(parseExact(text), random)),
  }),
  (random) => ({
    name: 'writes numbers otherwise',
    print(_, __, text) {
      const form = pick(random, ['$1.0', '$1e0', '-$1', '0$1', '0x$1', '"$1"', '$1.5', '$1E+0', ' $1 ']);
      return random.chance(0.5)
        ? text.replaceAll(/(?<=":)(\d+)(?=[,}])/g, form)
        : text.replace(/(?<="(?:amount|fee|nonce|time|height|target|version)":)(\d+)(?=[,}])/, form);
    },
  }),
  (random) => ({
    name: 'answers something else',
    print(honest, url, text) {
      const height = random.int(0, honest.keys.length - 1);
      const id = pick(random, honest.micros.flat());
      const other = url
        .replace(/(?<=\/height\/)\d+/, String(height))
        .replace(/(?<=\/micro-blocks\/hash\/)\w+/, id ?? 'mh_none')
        .replace(/(?<=\/key-blocks\/hash\/)\w+/, honest.keys[height]!);
      const answer = answerOf(honest, other);
      return answer.status === 200 ? answer.body : text;
    },
  }),
  (random) => ({
    name: 'shows another hash',
    print: (honest, _, text) =>
      text.replaceAll(/(?<="hash":")(?:kh|mh)_\w+/g, (id) => (random.chance(0.5) ? id : headOf(honest))),
  }),
  (random) => ({
    name: 'claims another height',
    print: (_, __, text) => text.replace(/(?<="(?:top_block_)?height":)\d+/, String(random.int(0, 9_000_000))),
  }),
  (random) => ({
    name: 'says that it is of another version',
    print: (_, __, text) => text.replaceAll(/(?<="version":)\d+/g, String(pick(random, [0, 1, 5, 7, 4_294_967_296]))),
  }),
];

interface Sending {
  name: string;
  send(answer: NodeAnswer, response: ServerResponse): Promise<void> | void;
}
type DrawSending = (random: Choices) => Sending;

const send = (response: ServerResponse, { status, body }: NodeAnswer, headers?: Record<string, string>): void => {
  if (!response.destroyed) reply(response, status, body, headers);
};

const SENDINGS: readonly DrawSending[] = [
  (random) => ({
    name: 'is slow',
    async send(answer, response) {
      await pause(random.int(10, 250));
      send(response, answer);
    },
  }),
  () => ({ name: 'stalls', send: () => undefined }),
  () => ({ name: 'resets connections', send: (_, response) => void response.socket?.resetAndDestroy() }),
  (random) => {
    const status = pick(random, [301, 400, 403, 404, 410, 429, 500, 502, 503]);
    const body = pick(random, ['', '<html>', '{"reason":"Not found"}', '{"reason":"Internal error"}', 'null']);
    return {
      name: `answers ${status} ${body}`,
      send: (_, response) => send(response, { status, body }, random.chance(0.3) ? { 'retry-after': '1' } : {}),
    };
  },
  (random) => ({
    name: 'gives a part of the answer',
    send: ({ status, body }, response) =>
      send(response, { status, body: body.slice(0, random.int(0, Math.max(0, body.length - 1))) }),
  }),
  () => ({
    name: 'breaks off',
    send({ body }, response) {
      response.writeHead(200, { 'content-length': Buffer.byteLength(body) + 10 });
      response.write(body, () => response.destroy());
    },
  }),
  (random) => {
    const body = pick(random, [
      '',
      'null',
      '[]',
      '{}',
      '"kh_1"',
      '{"key_block":{},"micro_blocks":[]}',
      '{"transactions":[]}',
    ]);
    return { name: `answers ${body}`, send: (_, response) => send(response, { status: 200, body }) };
  },
  () => ({
    name: 'says that it is compressed',
    send: (answer, response) => send(response, answer, { 'content-encoding': 'gzip' }),
  }),
];

/** Answers that a lie is about, and the share of them. */
function drawScope(random: Choices): (url: string) => boolean {
  const share = pick(random, [1, 1, 0.5, 0.2, 0.05]);
  const paths = pick(random, [
    /./,
    /./,
    /./,
    /transactions/,
    /micro-blocks/,
    /height/,
    /current/,
    /top/,
    /status/,
    /hash/,
  ]);
  return (url) => paths.test(url) && random.chance(share);
}

const CALL_OF = /^\/v[23]\/transactions\/(\w+)\/info$/;

/** Whether another result of the call changes nothing but what is shown of the call. */
function isPlainCall({ blocks }: ShownChain, url: string, plain: Map<string, boolean>): boolean {
  const id = CALL_OF.exec(url)?.[1];
  if (id === undefined) return false;
  if (plain.size === 0)
    for (const { transactions = [] } of blocks.values())
      for (const text of transactions)
        plain.set(
          /"hash":"(th_\w+)"/.exec(text)![1]!,
          /"tx":\{.*"type":"Contract/.test(text) && !/"GAMeta|"PayingFor/.test(text),
        );
  return plain.get(id) ?? false;
}

/** One to three lies at a time: a false chain, other printing, other sending. */
function drawManner(random: Choices, options: LiarOptions): Liar {
  const { world, mayLieAboutIdentity } = options;
  const chain: FalseChain | undefined = random.chance(0.6) ? drawFalseChain(random, world) : undefined;
  const printing = chain === undefined || random.chance(0.3) ? pick(random, PRINTINGS)(random, options) : undefined;
  const sending = random.chance(0.2) ? pick(random, SENDINGS)(random) : undefined;
  const [isPrinted, isSent] = [drawScope(random), drawScope(random)];
  const plain = new Map<string, boolean>();
  const printed = (honest: ShownChain, url: string, answer: NodeAnswer): NodeAnswer => {
    const isFree = !isBelieved(url) || isPlainCall(honest, url, plain);
    const mayPrint = isFree && (mayLieAboutIdentity || !url.endsWith('/status'));
    if (printing === undefined || answer.status !== 200 || !mayPrint || !isPrinted(url)) return answer;
    return { status: 200, body: printing.print(honest, url, answer.body) };
  };
  return {
    name: [chain, printing, sending].flatMap((one) => (one === undefined ? [] : [one.name])).join(' and '),
    async answer(honest, url, response) {
      const shown = (await chain?.of(honest)) ?? honest;
      const answer = printed(
        honest,
        url,
        answerOf(mayLieAboutIdentity ? shown : { ...shown, status: honest.status }, url),
      );
      if (sending === undefined || isBelieved(url) || !isSent(url)) return send(response, answer);
      return sending.send(answer, response);
    },
  };
}

export function drawLiar(random: Choices, options: LiarOptions): Liar {
  const one = drawManner(random, options);
  if (random.chance(0.7)) return one;
  const other = random.chance(0.6) ? undefined : drawManner(random, options);
  const every = random.int(1, 15);
  let asked = 0;
  return {
    name: `${one.name}, or ${other?.name ?? 'honest'}, every ${every}`,
    answer(honest, url, response) {
      const manner = Math.floor(asked++ / every) % 2 === 0 ? one : other;
      return manner === undefined ? send(response, answerOf(honest, url)) : manner.answer(honest, url, response);
    },
  };
}
