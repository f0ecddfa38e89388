import { parseExact } from '../../src/chain/encoding/json.js';
import type { JsonObject } from '../../src/chain/encoding/json.js';
import { startDevnode } from '../../devtools/devnode/start.js';
import type { Devnode, DevnodeOptions, GenerateOptions } from '../../devtools/devnode/start.js';

const started: Devnode[] = [];

/** Starts a node on a free port; `closeDevnodes` ends it. */
export async function open(options: Partial<DevnodeOptions> & Pick<DevnodeOptions, 'source'>): Promise<Devnode> {
  const devnode = await startDevnode({ external: '127.0.0.1:0', ...options });
  started.push(devnode);
  return devnode;
}

/** A small generated chain. */
export const generated = (generate: Partial<GenerateOptions> = {}): Promise<Devnode> =>
  open({
    source: {
      generate: { seed: 'test', generations: 6, txsPerGeneration: 20, accounts: 20, ...generate },
    },
  });

export async function closeDevnodes(): Promise<void> {
  await Promise.all(started.splice(0).map((devnode) => devnode.close()));
}

export interface Reply {
  status: number;
  headers: Headers;
  body: string;
}

export async function ask(devnode: Devnode, path: string, init?: RequestInit): Promise<Reply> {
  const response = await fetch(devnode.externalUrl + path, init);
  return { status: response.status, headers: response.headers, body: await response.text() };
}

/** The object answered with status 200. */
export async function read(devnode: Devnode, path: string): Promise<JsonObject> {
  const { status, body } = await ask(devnode, path);
  if (status !== 200) throw new Error(`${path}: ${status} ${body}`);
  return parseExact(body) as JsonObject;
}

export interface ReadGeneration {
  keyBlock: JsonObject;
  microBlocks: { header: JsonObject; transactions: JsonObject[] }[];
}

export async function readGenerationAt(devnode: Devnode, height: number): Promise<ReadGeneration> {
  const { key_block, micro_blocks } = (await read(devnode, `/v2/generations/height/${height}`)) as {
    key_block: JsonObject;
    micro_blocks: string[];
  };
  const microBlocks = await Promise.all(
    micro_blocks.map(async (hash) => ({
      header: await read(devnode, `/v2/micro-blocks/hash/${hash}/header`),
      transactions: (await read(devnode, `/v2/micro-blocks/hash/${hash}/transactions`))['transactions'] as JsonObject[],
    })),
  );
  return { keyBlock: key_block, microBlocks };
}

export async function readChain(devnode: Devnode): Promise<ReadGeneration[]> {
  const generations: ReadGeneration[] = [];
  for (let height = 0; height <= devnode.height(); height += 1)
    generations.push(await readGenerationAt(devnode, height));
  return generations;
}

export const hashesOf = (generations: ReadGeneration[]): string[] =>
  generations.flatMap(({ microBlocks }) => microBlocks.flatMap(({ transactions }) => transactions.map(hashOf)));

export const hashOf = (object: JsonObject): string => object['hash'] as string;
