/**
 * Time of the proof of a transaction by step, beside the serializer of the commit before in the same run. Processor time, which the load of
 * the machine changes less than the clock's. Writes its part of bench/README.md.
 *
 *   make bench-proof                  beside the commit before this one
 *   BASE=<commit> make bench-proof
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { parseExact } from '../src/chain/encoding/json.js';
import type { JsonObject } from '../src/chain/encoding/json.js';
import { encodeId, hash } from '../src/chain/encoding/encoding.js';
import { readGeneration, readMicroBlock } from '../src/chain/facts.js';
import { proveKeyBlock, proveMicroBlock } from '../src/chain/proof/block.js';
import type { ProofLevel } from '../src/chain/proof/level.js';
import { createCachedDecode } from '../src/chain/proof/decode.js';
import { serializeSigned } from '../src/chain/serialize/transactions.js';
import { transactionsRoot } from '../src/chain/serialize/txs-root.js';
import { startDevnode } from '../devtools/devnode/start.js';
import { writeSection } from './readme.js';

const TRANSACTIONS = Number(process.env.TRANSACTIONS ?? 20_000);
const BASE = process.env.BASE ?? 'HEAD^';
const ROUNDS = 5;
const GOAL = 40;

interface Generation {
  generation: string;
  microBlocks: { header: string; transactions: string }[];
}

const chain = await generate();
const envelopes = chain.flatMap(({ microBlocks }) =>
  microBlocks.flatMap(({ transactions }) => (parseExact(transactions) as { transactions: JsonObject[] }).transactions),
);
const blocks = chain.flatMap(({ microBlocks }) => microBlocks.map((b) => readMicroBlock(b.header, b.transactions)));
const keyBlocks = chain.map(({ generation }) => readGeneration(generation).keyBlock);
const before = await serializerOf(BASE);

const decode = createCachedDecode();
const signed = envelopes.map((envelope) => serializeSigned(envelope));
const roots = blocks.map(({ transactions }) => transactions.length);

const prove = (level: ProofLevel) => (): void => {
  for (const block of keyBlocks) mustBeProven(proveKeyBlock(block, level));
  for (const block of blocks) mustBeProven(proveMicroBlock(block, level));
};
const steps: Record<string, () => void> = {
  [`serialise and hash, commit before (${execFileSync('git', ['rev-parse', '--short', BASE]).toString().trim()})`]:
    () => {
      for (const envelope of envelopes) mustBe(before.hashOf(before.serializeSigned(envelope)), envelope['hash']);
    },
  'serialise and hash': () => {
    for (const envelope of envelopes) {
      mustBe(encodeId('th', hash(serializeSigned(envelope, { decode }))), envelope['hash']);
    }
  },
  'of it: serialise': () => {
    for (const envelope of envelopes) serializeSigned(envelope, { decode });
  },
  'of it: hash': () => {
    for (const bytes of signed) encodeId('th', hash(bytes));
  },
  '`txs_hash` over them': () => {
    let from = 0;
    for (const count of roots) transactionsRoot(signed.slice(from, (from += count)));
  },
  'read the JSON (without proof)': () => {
    for (const { microBlocks } of chain) for (const b of microBlocks) readMicroBlock(b.header, b.transactions);
  },
  '`PROOF=headers`': prove('headers'),
  '`PROOF=hashes`': prove('hashes'),
  '`PROOF=full`': prove('full'),
};

const measured = new Map<string, number[]>(Object.keys(steps).map((name) => [name, []]));
for (const step of Object.values(steps)) step();
for (let round = 0; round < ROUNDS; round += 1) {
  for (const [name, step] of Object.entries(steps)) {
    const start = process.cpuUsage();
    step();
    const { user, system } = process.cpuUsage(start);
    measured.get(name)!.push((user + system) / envelopes.length);
  }
}
const rows = [...measured].map(([name, times]) => ({ name, micros: times.sort((a, b) => a - b)[ROUNDS >> 1]! }));
const serialised = rows.find(({ name }) => name === 'serialise and hash')!.micros;
writeSection('proof', [
  '## Proof (`make bench-proof`)',
  '',
  `${envelopes.length} generated transactions of every type, 65 a generation, on one machine with ${availableParallelism()} cores, Node ${process.versions.node}, ${new Date().toISOString().slice(0, 10)}. Microseconds of the processor a transaction, garbage collection included; the median of ${ROUNDS} rounds.`,
  '',
  '| Step | µs a transaction |',
  '|---|---|',
  ...rows.map(({ name, micros }) => `| ${name} | ${micros.toFixed(1)} |`),
  '',
  `Goal for serialise and hash: max ${GOAL} µs: ${serialised <= GOAL ? 'met' : 'not met'}.`,
]);
for (const { name, micros } of rows) console.log(`${micros.toFixed(1).padStart(7)} µs  ${name}`);

async function generate(): Promise<Generation[]> {
  const devnode = await startDevnode({
    external: '127.0.0.1:0',
    source: { generate: { seed: 'bench', transactions: TRANSACTIONS } },
  });
  const read = async (path: string): Promise<string> => (await fetch(`${devnode.externalUrl}/v3${path}`)).text();
  const generations: Generation[] = [];
  for (let height = 0; height <= devnode.height(); height += 1) {
    const generation = await read(`/generations/height/${height}`);
    const microBlocks = await Promise.all(
      readGeneration(generation).microHashes.map(async (id) => ({
        header: await read(`/micro-blocks/hash/${id}/header`),
        transactions: await read(`/micro-blocks/hash/${id}/transactions`),
      })),
    );
    generations.push({ generation, microBlocks });
  }
  await devnode.close();
  return generations;
}

/** As it was at a commit. Its sources are put beside those of today, where they find the same libraries. */
async function serializerOf(commit: string): Promise<{
  serializeSigned: (envelope: JsonObject) => Uint8Array;
  hashOf: (signed: Uint8Array) => string;
}> {
  mkdirSync('dist', { recursive: true });
  const folder = mkdtempSync(join('dist', 'bench-proof-'));
  try {
    execFileSync('sh', ['-c', 'git archive "$1" src/chain | tar -x -C "$2"', 'sh', commit, folder]);
    const at = (path: string): string => resolve(folder, 'src/chain', path);
    const encoding = (await import(at('encoding/encoding.js'))) as { encodeId: typeof encodeId; hash: typeof hash };
    const transactions = (await import(at('serialize/transactions.js'))) as { serializeSigned: typeof serializeSigned };
    return {
      serializeSigned: (envelope) => transactions.serializeSigned(envelope),
      hashOf: (bytes) => encoding.encodeId('th', encoding.hash(bytes)),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function mustBe(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${String(found)} instead of ${String(expected)}`);
}

function mustBeProven({ flaw, unproven }: ReturnType<typeof proveKeyBlock>): void {
  if (flaw !== undefined || unproven.length > 0) throw new Error(JSON.stringify({ flaw, unproven }));
}
