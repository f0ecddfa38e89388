import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { isObject, parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { readGeneration } from '../../src/chain/facts.js';
import { keyBlockHash } from '../../src/chain/serialize/verify-hash.js';
import { graphKeys, meetsTarget, miningHash } from '../../src/chain/work/cuckoo.js';
import { createCycleFinder } from '../../src/chain/work/cycles.js';
import { HIGHEST_TARGET } from '../../src/chain/work/target.js';
import type { Devnode } from '../../devtools/devnode/start.js';
import { EDGE_BITS } from './histories.js';
import type { Choices } from './histories.js';
import { reply, startServer } from './http-server.js';

interface Answer {
  status: number;
  text: string;
}

/** A request to a node, and the chain that the node should answer from. */
interface Asked {
  path: string;
  chain: Devnode;
  response: ServerResponse;
}

/** A fault. It sends an answer, or none. */
export interface Fault {
  name: string;
  answer(asked: Asked): Promise<void> | void;
}

/** A node as clients see it: a proxy in front of a simulated node, honest or with a fault. */
export interface FaultyNode {
  url: string;
  /** Restarts it with the chain of this simulated node. */
  restart(on: Devnode): void;
  /** Replaces its fault; undefined makes it honest. */
  suffer(fault: Fault | undefined): void;
  close(): Promise<void>;
}

export async function startFaultyNode(on: Devnode): Promise<FaultyNode> {
  let chain = on;
  let fault: Fault | undefined;
  const open = new Set<ServerResponse>();
  const breakAll = (): void => open.forEach((response) => response.destroy());
  const server = await startServer(async ({ url: path }, response) => {
    open.add(response.on('close', () => open.delete(response)));
    try {
      if (fault !== undefined) await fault.answer({ path: path!, chain, response });
      else send(response, await genuine(chain, path!));
    } catch {
      // The simulated node is closed because the test has ended.
      response.destroy();
    }
  });
  return {
    url: server.url,
    restart(on) {
      chain = on;
      breakAll();
    },
    suffer(next) {
      fault = next;
      // Requests without an answer are dropped.
      breakAll();
    },
    close: () => server.close(),
  };
}

async function genuine(chain: Devnode, path: string): Promise<Answer> {
  const answer = await fetch(chain.externalUrl + path);
  return { status: answer.status, text: await answer.text() };
}

const send = (response: ServerResponse, { status, text }: Answer): void => {
  if (!response.destroyed) reply(response, status, text);
};

const pick = <T>(random: Choices, items: readonly T[]): T => items[random.int(0, items.length - 1)]!;

/** A random fault. `chains`: other chains that the node may serve. */
export function drawFault(random: Choices, chains: readonly Devnode[]): Fault {
  const draw = pick(random, KINDS);
  return random.chance(0.15) ? flapping(random, draw(random, chains), chains) : draw(random, chains);
}

/** Some requests have the fault; others are honest or have another fault. */
function flapping(random: Choices, one: Fault, chains: readonly Devnode[]): Fault {
  const other = random.chance(0.5) ? undefined : pick(random, KINDS)(random, chains);
  const every = random.int(1, 12);
  let asked = 0;
  return {
    name: `${one.name} or ${other?.name ?? 'honest'} every ${every}`,
    answer(request) {
      const fault = Math.floor(asked++ / every) % 2 === 0 ? one : other;
      return fault === undefined ? honest(request) : fault.answer(request);
    },
  };
}

const honest = async ({ path, chain, response }: Asked): Promise<void> => send(response, await genuine(chain, path));

type Draw = (random: Choices, chains: readonly Devnode[]) => Fault;

/** A fault that affects only some requests. */
function sometimes(name: string, random: Choices, answer: Fault['answer']): Fault {
  const share = pick(random, [1, 1, 0.5, 0.1]);
  const paths = pick(random, [/./, /./, /transactions/, /micro-blocks/, /height/, /current|status/]);
  return {
    name: `${name} ${share} ${paths.source}`,
    answer: (asked) => (paths.test(asked.path) && random.chance(share) ? answer(asked) : honest(asked)),
  };
}

/** Faults that change answers about blocks. */
const lying =
  (name: string, where: RegExp, alter: (text: string, random: Choices) => string): Draw =>
  (random) =>
    sometimes(name, random, async ({ path, chain, response }) => {
      const { status, text } = await genuine(chain, path);
      send(response, { status, text: status === 200 && where.test(path) ? alter(text, random) : text });
    });

/** Faults with missing or incomplete answers. */
const breaking =
  (name: string, answer: (asked: Asked, random: Choices) => Promise<void> | void): Draw =>
  (random) =>
    sometimes(name, random, (asked) => answer(asked, random));

const BLOCKS = /\/(key-blocks|generations|micro-blocks)\//;
const TRANSACTIONS = /\/transactions$/;
const GENERATIONS = /\/generations\//;
const HEADERS = /\/(key-blocks|generations)\/|\/header$/;
const IDENTIFIER = /(?<=")(?:ak|bs|bx|cb|ch|ct|kh|mh|nm|ok|oq|sg|th|tx)_\w+/g;
/** Members except versions: blocks of a later version are believed, see docs/trust.md. */
const NUMBER = /(?<!"version":)(?<=[:[,])\d+(?=[,\]}])/g;

const LIES: Draw[] = [
  lying('alters a digit', BLOCKS, (text, random) =>
    alterOne(text, NUMBER, random, (number) => {
      const at = random.int(0, number.length - 1);
      return number.slice(0, at) + ((Number(number[at]) + random.int(1, 9)) % 10) + number.slice(at + 1);
    }),
  ),
  lying('alters an amount', TRANSACTIONS, (text, random) =>
    alterOne(text, /(?<="(?:amount|fee|deposit|nonce)":)\d+/g, random, (number) => `${random.int(1, 9)}${number}`),
  ),
  lying('exchanges an identifier', BLOCKS, (text, random) => {
    const known = text.match(IDENTIFIER) ?? [];
    return alterOne(text, IDENTIFIER, random, (id) => {
      const others = known.filter((other) => other !== id && other.slice(0, 2) === id.slice(0, 2));
      return others.length > 0 ? pick(random, others) : `${id.slice(0, -1)}${id.endsWith('1') ? '2' : '1'}`;
    });
  }),
  lying('empties micro blocks', TRANSACTIONS, () => '{"transactions":[]}'),
  lying('leaves out, doubles or moves a transaction', TRANSACTIONS, (text, random) => {
    const parts = text.slice('{"transactions":['.length, -2).split(/,(?=\{"block_hash":)/);
    const at = random.int(0, parts.length - 1);
    const [part] = parts.splice(at, 1);
    if (random.chance(0.6)) parts.splice(random.int(0, parts.length), 0, part!, ...(random.chance(0.5) ? [part!] : []));
    return `{"transactions":[${parts.join(',')}]}`;
  }),
  lying('adds a member', TRANSACTIONS, (text, random) =>
    alterOne(
      text,
      /"tx":\{/g,
      random,
      (start) => `${start}"${pick(random, ['recipient_id', 'amount', 'of_its_own'])}":1,`,
    ),
  ),
  lying('gives a header another hash', HEADERS, (text, random) =>
    text.replace(
      /(?<="hash":"[km]h_)\w+/,
      pick(
        random,
        (text.match(IDENTIFIER) ?? ['kh_1']).map((id) => id.slice(3)),
      ),
    ),
  ),
  lying('gives another txs_hash', /\/header$/, (text, random) =>
    text.replace(
      /(?<="txs_hash":"bx_)\w+/,
      pick(
        random,
        (text.match(IDENTIFIER) ?? ['bx_1']).map((id) => id.slice(3)),
      ),
    ),
  ),
  lying('leaves out or moves a micro block', GENERATIONS, (text, random) => {
    const { microHashes } = readGeneration(text);
    const [hash] = microHashes.splice(random.int(0, Math.max(0, microHashes.length - 1)), 1);
    if (hash !== undefined && random.chance(0.5)) microHashes.unshift(hash);
    return text.replace(/(?<="micro_blocks":)\[.*?\]/, JSON.stringify(microHashes));
  }),
  (random) =>
    sometimes('gives another height', random, async ({ path, chain, response }) => {
      const other = path.replace(/(?<=\/height\/)\d+/, (height) =>
        String(Math.max(0, Number(height) - random.int(1, 3))),
      );
      send(response, await genuine(chain, other));
    }),
];

const BREAKS: Draw[] = [
  breaking('is slow', async (asked, random) => {
    await pause(random.int(20, 400));
    await honest(asked);
  }),
  breaking('stalls', () => undefined),
  breaking('resets connections', ({ response }) => void response.socket?.resetAndDestroy()),
  breaking('answers 500', ({ response }) => send(response, { status: 500, text: '{"reason":"Internal error"}' })),
  breaking('answers 503', ({ response }) => reply(response, 503, '', { 'retry-after': '0' })),
  breaking('gives half of the JSON', async ({ path, chain, response }, random) => {
    const { status, text } = await genuine(chain, path);
    send(response, { status, text: text.slice(0, random.int(0, text.length - 1)) });
  }),
  breaking('breaks off', async ({ path, chain, response }) => {
    const { text } = await genuine(chain, path);
    response.writeHead(200, { 'content-length': text.length + 10 }).write(text, () => response.destroy());
  }),
];

/** The chain as a node serves it: up to a height, with its own key blocks. */
interface View {
  top: number;
  own: ReadonlyMap<number, string>;
}

async function shown({ top, own }: View, { path, chain }: Asked): Promise<Answer> {
  const generation = (height: number): Promise<Answer> => {
    const block = own.get(height);
    if (block !== undefined) return Promise.resolve({ status: 200, text: `{"key_block":${block},"micro_blocks":[]}` });
    if (height > top) return Promise.resolve({ status: 404, text: '{"reason":"Chain too short"}' });
    return genuine(chain, `/v3/generations/height/${height}`);
  };
  const [, kind, height] = /\/(generations|key-blocks)\/(?:current|height\/(\d+))$/.exec(path) ?? [];
  if (kind !== undefined) {
    const answer = await generation(height === undefined ? top : Number(height));
    if (kind === 'generations' || answer.status !== 200) return answer;
    return { status: 200, text: readGeneration(answer.text).keyBlock.body };
  }
  const answer = await genuine(chain, path);
  if (!path.endsWith('/status')) return answer;
  const { status, text } = await generation(top);
  if (status !== 200) return answer;
  const { hash } = readGeneration(text).keyBlock;
  return {
    status: 200,
    text: answer.text
      .replace(/(?<="top_block_height":)\d+/, String(top))
      .replace(/(?<="top_key_block_hash":")\w+/, hash),
  };
}

/** Serves a view of the chain that is fixed at the first request. */
const showing =
  (name: string, view: (chain: Devnode, random: Choices) => Promise<View> | View): Draw =>
  (random) => {
    let seen: Promise<View> | undefined;
    return {
      name,
      async answer(asked) {
        seen ??= Promise.resolve(view(asked.chain, random));
        send(asked.response, await shown(await seen, asked));
      },
    };
  };

const VIEWS: Draw[] = [
  (random) => {
    const behind = random.int(1, 6);
    return {
      name: `lags by ${behind}`,
      answer: async (asked) =>
        send(asked.response, await shown({ top: Math.max(0, asked.chain.height() - behind), own: new Map() }, asked)),
    };
  },
  showing('goes back', (chain, random) => ({ top: random.int(0, chain.height()), own: new Map() })),
  showing('claims millions', async (chain, random) => {
    const top = random.int(1_000_000, 9_000_000);
    const text = await forged(chain, chain.height(), { height: top, kind: pick(random, FORGERIES), random });
    return { top, own: new Map([[top, random.chance(0.5) ? text : text.replace('"nonce":', '"nonce":1')]]) };
  }),
  lying('says that it is millions high', /\/status$/, (text, random) =>
    text.replace(/(?<="top_block_height":)/, String(random.int(1, 9_999))),
  ),
  showing('forges key blocks', forgery),
  showing('forges key blocks', forgery),
  (random, chains) => {
    const other = pick(random, chains);
    const every = random.int(1, 5);
    let asked = 0;
    return {
      name: `shows another branch every ${every}`,
      answer: async ({ path, chain, response }) =>
        send(response, await genuine(asked++ % every === 0 ? other : chain, path)),
    };
  },
];

const KINDS: Draw[] = [...LIES, ...BREAKS, ...VIEWS, ...VIEWS];

/** What is wrong with a key block that has a correct hash. */
type Forgery = 'no cycle' | 'proof of another block' | 'target not met';
const FORGERIES: readonly Forgery[] = ['no cycle', 'proof of another block', 'target not met'];
/** More work than any honest chain of these tests has. */
const HEAVY_TARGET = 0x1c00ffff;

async function forgery(chain: Devnode, random: Choices): Promise<View> {
  const base = Math.max(0, chain.height() - random.int(0, 3));
  const own = new Map<number, string>();
  const kind = pick(random, FORGERIES);
  let before: string | undefined;
  for (let height = base + 1; height <= base + random.int(1, 3); height++) {
    before = await forged(chain, base, { height, kind, random, ...(before !== undefined && { before }) });
    own.set(height, before);
  }
  return { top: base + own.size, own };
}

interface Forging {
  height: number;
  kind: Forgery;
  random: Choices;
  /** The previous key block, if it is forged, too. */
  before?: string;
}

/** A key block after generation `base` of the chain, or after a forged one. Everything is correct except the proof of work. */
async function forged(chain: Devnode, base: number, { height, kind, random, before }: Forging): Promise<string> {
  const { keyBlock, microHashes } = readGeneration((await genuine(chain, `/v3/generations/height/${base}`)).text);
  const template = parseExact(keyBlock.body);
  const parent =
    before === undefined ? { hash: microHashes.at(-1) ?? keyBlock.hash, key: keyBlock.hash } : hashesOf(before);
  if (!isObject(template)) throw new Error('no key block');
  const { hash: _, ...members } = template;
  const target = kind === 'target not met' || random.chance(0.7) ? HEAVY_TARGET : HIGHEST_TARGET;
  const candidate = { nonce: 1, ...members, height, prev_hash: parent.hash, prev_key_hash: parent.key, target };
  const block = { ...candidate, ...proofOf(candidate, kind) };
  return stringifyExact({ ...block, hash: keyBlockHash(block)! });
}

function hashesOf(text: string): { hash: string; key: string } {
  const { hash } = parseExact(text) as { hash: string };
  return { hash, key: hash };
}

function proofOf(candidate: JsonObject, kind: Forgery): JsonObject {
  const imitated = Array.from({ length: 42 }, (_, i) => i * 40 + 7);
  if (kind === 'no cycle') return { nonce: 1, pow: imitated };
  if (kind === 'proof of another block') return { pow: candidate['pow'] ?? imitated };
  const header = miningHash(candidate);
  const cycles = createCycleFinder(EDGE_BITS);
  for (let nonce = 0n; ; nonce++) {
    const pow = cycles.find(graphKeys(header, nonce)).find((cycle) => !meetsTarget(cycle, HEAVY_TARGET));
    if (pow !== undefined) return { nonce, pow };
  }
}

/** Replaces one random match. */
function alterOne(text: string, what: RegExp, random: Choices, other: (found: string) => string): string {
  const matches = [...text.matchAll(what)];
  if (matches.length === 0) return text;
  const { index, 0: found } = pick(random, matches);
  return text.slice(0, index) + other(found) + text.slice(index + found.length);
}
