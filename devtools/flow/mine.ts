import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { graphKeys, meetsTarget, miningHash } from '../../src/chain/work/cuckoo.js';
import { createCycleFinder } from '../../src/chain/work/cycles.js';
import type { CycleFinder } from '../../src/chain/work/cycles.js';
import type { Json, JsonObject } from '../../src/chain/encoding/json.js';
import { keyBlockHash } from '../../src/chain/serialize/verify-hash.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { ask } from './http.js';
import type { Reader } from './reader.js';

interface MineOptions {
  blocks: number;
  edgeBits: number;
}

/** Mines key blocks: gets the candidate, finds the proof of work and posts the block, until `blocks` are accepted. */
export async function mineFlow(reader: Reader, { blocks, edgeBits }: MineOptions): Promise<void> {
  const finder = createCycleFinder(edgeBits);
  let block: JsonObject = {};
  for (let i = 0; i < blocks; i += 1) block = await mineOne(reader, finder);
  const height = `${block['height'] as number}`;
  const beneficiary = block['beneficiary'] as string;
  await reader.printAnswers(beneficiary, `/middleware/reward/height/${height}`, `/v2/key-blocks/height/${height}`);
}

async function mineOne(reader: Reader, finder: CycleFinder): Promise<JsonObject> {
  const candidate = await reader.read('/v2/key-blocks/pending');
  const height = candidate['height'] as number;
  reader.print(`Candidate for height ${height}, target ${candidate['target'] as number}`);
  const solved = await solve(reader, candidate, finder);
  const block = { ...solved, hash: keyBlockHash(solved)! };
  reader.print(`Found nonce ${solved['nonce'] as number}`);
  await ask(`${reader.internal}/v2/key-blocks`, block);
  const stored = await reader.read(`/v2/key-blocks/hash/${block.hash}`);
  reader.print(`Block ${height} ${block.hash} accepted, rewards go to ${stored['beneficiary'] as string}`);
  return block;
}

async function solve(reader: Reader, candidate: JsonObject, finder: CycleFinder): Promise<JsonObject> {
  const header = miningHash(candidate);
  const end = Date.now() + reader.timeoutMs;
  for (let nonce = 0; Date.now() < end; nonce += 1) {
    for (const pow of finder.find(graphKeys(header, BigInt(nonce)))) {
      if (meetsTarget(pow, candidate['target'] as number)) return { ...candidate, nonce, pow: pow as Json[] };
    }
    await yieldToEventLoop();
  }
  throw new MiddlewareError('timeout', `no proof of work found in ${reader.timeoutMs / 1000} s`);
}
