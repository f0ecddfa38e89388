import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

/** Prints the files of undici that are loaded with what asks nodes. */
const PRINT = `
  import { createRequire } from 'node:module';
  await import('./src/node/exchange.ts');
  const files = Object.keys(createRequire(process.cwd() + '/package.json').cache);
  console.log(JSON.stringify(files.flatMap((file) => file.split('/node_modules/undici/')[1] ?? [])));`;

describe('what a process loads to ask nodes', () => {
  it('is the pool of undici alone, because the whole of it slows each start', () => {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', PRINT];
    const files = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];

    expect(files).to.include('lib/dispatcher/pool.js');
    expect(files).not.to.include('index.js');
  });
});
