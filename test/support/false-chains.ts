/** False chains that a malicious node shows: what it adds, replaces, leaves out or signs itself. Each hash fits its block if nothing else is said. */
import { setImmediate } from 'node:timers/promises';
import { decodeId, encodeId, hash } from '../../src/chain/encoding/encoding.js';
import { parseExact, stringifyExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { microHeaderBytes } from '../../src/chain/serialize/headers.js';
import { serializeTransaction, wrapSigned } from '../../src/chain/serialize/transactions.js';
import { transactionsRoot } from '../../src/chain/serialize/txs-root.js';
import { keyBlockHash } from '../../src/chain/serialize/verify-hash.js';
import { graphKeys, meetsTarget, miningHash } from '../../src/chain/work/cuckoo.js';
import { createCycleFinder } from '../../src/chain/work/cycles.js';
import { RULES_READ } from '../../src/chain/work/key-block-rules.js';
import { HIGHEST_TARGET } from '../../src/chain/work/target.js';
import { sealed } from './cheap-chain.js';
import { THIEF, forgeOn, leaderKey } from './forged-head.js';
import type { ForgeOptions } from './forged-head.js';
import type { Choices } from './histories.js';
import { EDGE_BITS, INTERVAL_MS, dueTarget } from './mined-chain.js';
import { heightOf } from './shown-chain.js';
import type { ShownChain } from './shown-chain.js';

/** The chain about which a node lies. */
export interface World {
  /** Seed of the simulated node, from which the keys of its leaders follow; undefined for a recording. */
  seed: string | undefined;
  states: readonly ShownChain[];
  /** A chain of the same network with another genesis block. */
  foreign: ShownChain;
  /** Mined blocks by what they are made for: mining takes the most time. */
  mined: Map<string, JsonObject>;
}

/** A false chain, made from the honest one. */
export interface FalseChain {
  name: string;
  of: (honest: ShownChain) => ShownChain | Promise<ShownChain>;
}

type Draw = (random: Choices, world: World) => FalseChain;

const pick = <T>(random: Choices, items: readonly T[]): T => items[random.int(0, items.length - 1)]!;
const THIEF_ID = encodeId('ak', THIEF.publicKey);
const finder = createCycleFinder(EDGE_BITS);
/** More work than any honest chain of these tests has. */
const HEAVY_TARGET = 0x1c00ffff;

const headerIn = ({ blocks }: ShownChain, id: string): JsonObject => parseExact(blocks.get(id)!.header) as JsonObject;
const envelopesIn = ({ blocks }: ShownChain, id: string): JsonObject[] =>
  blocks.get(id)!.transactions!.map((text) => parseExact(text) as JsonObject);
const lastOf = ({ keys, micros }: ShownChain, height: number): string => micros[height]!.at(-1) ?? keys[height]!;

interface Made {
  key: JsonObject;
  micros?: { header: JsonObject; transactions: string[] }[];
}

/** The chain with other generations from a height on. */
function replacedFrom(shown: ShownChain, height: number, made: readonly Made[]): ShownChain {
  const blocks = new Map(shown.blocks);
  for (const { key, micros = [] } of made) {
    blocks.set(key['hash'] as string, { header: stringifyExact(key) });
    for (const { header, transactions } of micros)
      blocks.set(header['hash'] as string, { header: stringifyExact(header), transactions });
  }
  return {
    ...shown,
    blocks,
    keys: [...shown.keys.slice(0, height), ...made.map(({ key }) => key['hash'] as string)],
    micros: [
      ...shown.micros.slice(0, height),
      ...made.map(({ micros = [] }) => micros.map(({ header }) => header['hash'] as string)),
    ],
  };
}

const withMicros = (shown: ShownChain, height: number, hashes: readonly string[]): ShownChain => ({
  ...shown,
  micros: shown.micros.map((own, at) => (at === height ? hashes : own)),
});

const withBlock = (
  shown: ShownChain,
  id: string,
  header: JsonObject,
  transactions?: readonly JsonObject[],
): ShownChain => ({
  ...shown,
  blocks: new Map(shown.blocks).set(id, {
    header: stringifyExact(header),
    ...(transactions !== undefined && { transactions: transactions.map((one) => stringifyExact(one)) }),
  }),
});

/** Envelope of a payment of the chain. */
function anySpend(shown: ShownChain): JsonObject | undefined {
  for (const hashes of [...shown.micros].reverse())
    for (const id of hashes) {
      const spend = envelopesIn(shown, id).find(({ tx }) => (tx as JsonObject)['type'] === 'SpendTx');
      if (spend !== undefined) return spend;
    }
  return undefined;
}

type Proof = 'mined' | 'no cycle' | 'proof of another block' | 'target not met';

/** Key blocks of the thief on a generation of the chain. */
async function keyBlocks(
  world: World,
  shown: ShownChain,
  base: number,
  count: number,
  { proof = 'mined', changes }: { proof?: Proof; changes: (due: JsonObject) => JsonObject },
): Promise<JsonObject[]> {
  const below = shown.keys.slice(Math.max(0, base + 1 - RULES_READ), base + 1).map((id) => headerIn(shown, id));
  const blocks: JsonObject[] = [];
  for (let i = 0; i < count; i++) {
    const before = below.at(-1)!;
    const due: JsonObject = {
      nonce: 1,
      pow: [],
      ...before,
      miner: THIEF_ID,
      beneficiary: THIEF_ID,
      height: Number(before['height']) + 1,
      prev_hash: i === 0 ? lastOf(shown, base) : before['hash']!,
      prev_key_hash: before['hash']!,
      time: Number(before['time']) + INTERVAL_MS,
      target: dueTarget(below),
    };
    const block = withProof(world, { ...due, ...changes(due) }, proof);
    blocks.push(block);
    below.push(block);
    // Mining must not keep the program under test from its connections.
    await setImmediate();
  }
  return blocks;
}

function withProof({ mined }: World, block: JsonObject, proof: Proof): JsonObject {
  const { hash: _, ...plain } = block;
  const what = `${proof} ${stringifyExact(plain)}`;
  const known = mined.get(what);
  if (known !== undefined) return known;
  const made = proof === 'mined' ? sealed(plain, finder) : sealed({ ...plain, ...falseProof(plain, proof) }, undefined);
  mined.set(what, made);
  return made;
}

function falseProof(block: JsonObject, proof: Exclude<Proof, 'mined'>): JsonObject {
  const imitated = { nonce: 1, pow: Array.from({ length: 42 }, (_, i) => i * 40 + 7) };
  if (proof === 'no cycle') return imitated;
  if (proof === 'proof of another block') return (block['pow'] as unknown[]).length === 42 ? {} : imitated;
  const header = miningHash(block);
  const target = block['target'] as number;
  for (let nonce = 0; ; nonce++) {
    // Each cycle meets the easiest target, which breaks the rules.
    const [pow] = finder
      .find(graphKeys(header, BigInt(nonce)))
      .filter((cycle) => target === HIGHEST_TARGET || !meetsTarget(cycle, target));
    if (pow !== undefined) return { nonce, pow };
  }
}

/** A payment that nobody signed, in a micro block that the miner of the key block, the thief, signs. */
function withPayment(shown: ShownChain, key: JsonObject): Made {
  const spend = anySpend(shown);
  if (spend === undefined) return { key };
  const forged = forgeOn(key, undefined, spend, {
    signsBlock: (message) => THIEF.sign(message),
    signsPayment: () => [],
  });
  const { transactions } = parseExact(forged.transactions) as { transactions: JsonObject[] };
  return { key, micros: [{ header: forged.header, transactions: transactions.map((one) => stringifyExact(one)) }] };
}

const easiest = (): JsonObject => ({ target: HIGHEST_TARGET });

/** Really mined key blocks of the easiest target. */
const cheap: Draw = (random, world) => {
  const where = pick(random, ['on top', 'beside', 'below'] as const);
  const depth = { 'on top': 0, beside: random.int(1, 4), below: random.int(14, 18) }[where];
  const more = where === 'below' ? 8 : random.int(1, 6);
  const pays = random.chance(0.5);
  return {
    name: `${more} cheap blocks ${where}${pays ? ' with a payment' : ''}`,
    async of(honest) {
      const base = Math.max(1, heightOf(honest) - depth);
      const count = heightOf(honest) - base + more;
      const [first, ...rest] = await keyBlocks(world, honest, base, count, { changes: easiest });
      if (!pays)
        return replacedFrom(
          honest,
          base + 1,
          [first!, ...rest].map((key) => ({ key })),
        );
      const made = withPayment(honest, first!);
      const onMicro = replacedFrom(honest, base + 1, [made]);
      const above = count === 1 ? [] : await keyBlocks(world, onMicro, base + 1, count - 1, { changes: easiest });
      return replacedFrom(
        onMicro,
        base + 2,
        above.map((key) => ({ key })),
      );
    },
  };
};

const unmined: Draw = (random, world) => {
  const proof = pick(random, ['no cycle', 'proof of another block', 'target not met'] as const);
  // Blocks of the due target break no other rule.
  const target = pick(random, [undefined, undefined, undefined, HEAVY_TARGET, HIGHEST_TARGET]);
  const [depth, count] = [random.int(0, 3), random.int(1, 5)];
  return {
    name: `${count} blocks with ${proof} of target ${target ?? 'due'}, ${depth} below the head`,
    async of(honest) {
      const base = Math.max(1, heightOf(honest) - depth);
      const changes = (): JsonObject => (target === undefined ? {} : { target });
      const keys = await keyBlocks(world, honest, base, count, { proof, changes });
      return replacedFrom(
        honest,
        base + 1,
        keys.map((key) => ({ key })),
      );
    },
  };
};

/** Mined key blocks that break a rule of the protocol. */
const BREACHES: Record<string, (due: JsonObject) => JsonObject> = {
  'an older version': ({ version }) => ({ version: Number(version) - 1 }),
  'version 7': () => ({ version: 7 }),
  'a time in the past': ({ time }) => ({ time: Number(time) - 40 * INTERVAL_MS }),
  'a time in the future': () => ({ time: 4_000_000_000_000 }),
  'a harder target': ({ target }) => ({ target: Number(target) - 0x8000 }),
};
const breach: Draw = (random, world) => {
  const what = pick(random, Object.keys(BREACHES));
  return {
    name: `a mined block with ${what}`,
    async of(honest) {
      const top = heightOf(honest);
      const [key] = await keyBlocks(world, honest, top, 1, { changes: BREACHES[what]! });
      return replacedFrom(honest, top + 1, [{ key: key! }]);
    },
  };
};

const distant: Draw = (random, world) => {
  const up = random.int(50, 2_000);
  return {
    name: `a block ${up} heights above the head`,
    async of(honest) {
      const top = heightOf(honest);
      const [key] = await keyBlocks(world, honest, top, 1, { changes: () => ({ height: top + up }) });
      const shown = replacedFrom(honest, top + 1, [{ key: key! }]);
      const filled = Array.from({ length: up - 1 }, () => 'kh_none');
      return {
        ...shown,
        keys: [...honest.keys, ...filled, key!['hash'] as string],
        micros: [...honest.micros, ...filled.map(() => []), []],
      };
    },
  };
};

const byThief = (message: Uint8Array): Uint8Array => THIEF.sign(message);

/** A micro block on the head generation. */
const forgedHead: Draw = (random, { seed }) => {
  const byLeader = (message: Uint8Array, miner: string): Uint8Array => leaderKey(seed!, miner).sign(message);
  const kinds: Record<string, ForgeOptions> = {
    'nobody signed': { signsBlock: () => new Uint8Array(64), signsPayment: () => [] },
    'the thief signed': { signsBlock: byThief, signsPayment: (message) => [byThief(message)] },
    'the leader signed, with an unsigned payment': { signsBlock: byLeader, signsPayment: () => [] },
    'the leader signed, with a badly signed payment': {
      signsBlock: byLeader,
      signsPayment: (message) => [byThief(message)],
    },
    'the leader signed, with a payment that is stored': {
      signsBlock: byLeader,
      signsPayment: () => [],
      repeats: 'stored',
    },
    'the leader signed, with a payment twice': {
      signsBlock: byLeader,
      signsPayment: (message) => [byThief(message)],
      repeats: 'itself',
    },
  };
  const names = Object.keys(kinds).filter((name) => seed !== undefined || !name.includes('leader'));
  const name = pick(random, names);
  return {
    name: `a micro block at the head that ${name}`,
    of(honest) {
      const top = heightOf(honest);
      const spend = anySpend(honest);
      if (spend === undefined || top === 0) return honest;
      const { header, transactions } = forgeOn(
        headerIn(honest, honest.keys[top]!),
        honest.micros[top]!.at(-1),
        spend,
        kinds[name]!,
      );
      const envelopes = (parseExact(transactions) as { transactions: JsonObject[] }).transactions;
      const id = header['hash'] as string;
      return withMicros(withBlock(honest, id, header, envelopes), top, [...honest.micros[top]!, id]);
    },
  };
};

/** A micro block of which a payment is altered, with hashes that fit, and a signature of somebody. */
const rewritten: Draw = (random, { seed }) => {
  const signs = pick(random, seed === undefined ? ['kept', 'thief'] : ['kept', 'thief', 'leader']);
  const [deep, amount] = [random.int(0, 5), BigInt(random.int(1, 1_000_000))];
  const keepsHash = random.chance(0.3);
  return {
    name: `a payment altered ${deep} generations below the head, signature: ${signs}${keepsHash ? ', under its hash' : ''}`,
    of(honest) {
      for (let height = Math.max(1, heightOf(honest) - deep); height > 0; height--)
        for (const id of honest.micros[height]!) {
          const envelopes = envelopesIn(honest, id);
          const at = envelopes.findIndex(({ tx }) => (tx as JsonObject)['type'] === 'SpendTx');
          if (at < 0) continue;
          const altered = paying(envelopes[at]!, amount);
          const signed = envelopes.map((one, i) => decodeId((i === at ? altered : one)['encoded_tx'] as string));
          const unsigned = { ...headerIn(honest, id), txs_hash: encodeId('bx', transactionsRoot(signed)) };
          const miner = headerIn(honest, honest.keys[height]!)['miner'] as string;
          const header = signedMicro(unsigned, signs, seed, miner);
          const name = keepsHash ? id : encodeId('mh', hash(microHeaderBytes(header)));
          const block = { ...header, hash: name };
          const inBlock = envelopes.map((one, i): JsonObject => ({ ...(i === at ? altered : one), block_hash: name }));
          const hashes = honest.micros[height]!.map((one) => (one === id ? name : one));
          return withMicros(withBlock(honest, name, block, inBlock), height, hashes);
        }
      return honest;
    },
  };
};

function paying(envelope: JsonObject, amount: bigint): JsonObject {
  const tx: JsonObject = { ...(envelope['tx'] as JsonObject), amount, recipient_id: THIEF_ID };
  const signatures = (envelope['signatures'] as string[]).map((text) => decodeId(text, 'sg'));
  const signed = wrapSigned(signatures, serializeTransaction(tx));
  return { ...envelope, encoded_tx: encodeId('tx', signed), hash: encodeId('th', hash(signed)), tx };
}

function signedMicro(header: JsonObject, signs: string, seed: string | undefined, miner: string): JsonObject {
  if (signs === 'kept') return header;
  const { signature: _, ...plain } = header;
  const bytes = microHeaderBytes(plain);
  const signature = signs === 'thief' || seed === undefined ? THIEF.sign(bytes) : leaderKey(seed, miner).sign(bytes);
  return { ...header, signature: encodeId('sg', signature) };
}

/** Another version hides that nothing of a block fits its hash. */
const version7: Draw = (random) => {
  const [deep, ofKey] = [random.int(0, 4), random.chance(0.3)];
  return {
    name: `version 7 ${deep} generations below the head${ofKey ? ', of the key block, too' : ''}`,
    of(honest) {
      const height = Math.max(1, heightOf(honest) - deep);
      const [id] = honest.micros[height]!;
      const key = honest.keys[height]!;
      const shown = ofKey ? withBlock(honest, key, { ...headerIn(honest, key), version: 7 }) : honest;
      if (id === undefined) return shown;
      const envelopes = envelopesIn(honest, id).map((one) =>
        (one['tx'] as JsonObject)['type'] === 'SpendTx' ? paying(one, 10n ** 24n) : one,
      );
      const root = transactionsRoot(envelopes.map((one) => decodeId(one['encoded_tx'] as string)));
      const header = { ...headerIn(honest, id), version: 7, txs_hash: encodeId('bx', root) };
      return withBlock(shown, id, header, envelopes);
    },
  };
};

/** Another list of micro blocks. */
const LISTS: Record<string, (own: readonly string[], shown: ShownChain, height: number) => readonly string[]> = {
  'a micro block twice': (own) => [...own, ...own.slice(-1)],
  'no micro blocks': () => [],
  'the last micro block missing': (own) => own.slice(0, -1),
  'the first micro block missing': (own) => own.slice(1),
  'its micro blocks reversed': (own) => [...own].reverse(),
  'the micro blocks of the generation before': (_, { micros }, height) => micros[height - 1] ?? [],
  'those of the generation before, too': (own, { micros }, height) => [...(micros[height - 1] ?? []), ...own],
  '300 unknown micro blocks': (own) => [...own, ...Array.from({ length: 300 }, (_, i) => `mh_${i}`)],
};
const listed: Draw = (random) => {
  const [what, deep] = [pick(random, Object.keys(LISTS)), random.int(0, 6)];
  return {
    name: `a generation with ${what}, ${deep} below the head`,
    of(honest) {
      const height = Math.max(0, heightOf(honest) - deep);
      return withMicros(honest, height, LISTS[what]!(honest.micros[height]!, honest, height));
    },
  };
};

const otherGenesis: Draw = (random, { foreign }) => {
  if (random.chance(0.5)) return { name: 'a chain with another genesis block', of: () => foreign };
  return {
    name: 'another genesis block',
    of(honest) {
      const { hash: _, ...genesis } = headerIn(honest, honest.keys[0]!);
      const block = { ...genesis, time: Number(genesis['time']) + 1 };
      const id = keyBlockHash(block)!;
      const shown = withBlock(honest, id, { ...block, hash: id });
      return { ...shown, keys: [id, ...honest.keys.slice(1)] };
    },
  };
};

const behind: Draw = (random) => {
  const by = random.int(1, 12);
  return {
    name: `lags by ${by}`,
    of: (honest) => {
      const until = Math.max(1, honest.keys.length - by);
      return { ...honest, keys: honest.keys.slice(0, until), micros: honest.micros.slice(0, until) };
    },
  };
};

const earlier: Draw = (random, { states }) => {
  const at = random.int(0, states.length - 1);
  return { name: `shows state ${at}`, of: (honest) => (states.indexOf(honest) >= at ? states[at]! : honest) };
};

/** Only with proofs of work: elsewhere nothing but other nodes tells which key blocks count. */
const WITH_WORK: readonly Draw[] = [cheap, cheap, unmined, unmined, unmined, breach, breach, breach, distant];
const ALWAYS: readonly Draw[] = [
  ...[forgedHead, forgedHead, rewritten, rewritten],
  ...[version7, version7, listed, otherGenesis, behind, earlier],
];

export function drawFalseChain(random: Choices, world: World): FalseChain {
  const { name, of } = pick(random, world.seed === undefined ? ALWAYS : [...ALWAYS, ...WITH_WORK])(random, world);
  const shown = new Map<ShownChain, ShownChain | Promise<ShownChain>>();
  return {
    name,
    of(honest) {
      const known = shown.get(honest) ?? of(honest);
      shown.set(honest, known);
      return known;
    },
  };
}
