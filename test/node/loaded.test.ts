import { execFileSync } from 'node:child_process';
import { expect } from 'chai';

/** Prints the files of undici that are loaded with the client of nodes. */
const PRINT = `
  import { createRequire } from 'node:module';
  await import('./src/node/exchange.ts');
  const files = Object.keys(createRequire(process.cwd() + '/package.json').cache);
  console.log(JSON.stringify(files.flatMap((file) => file.split('/node_modules/undici/')[1] ?? [])));`;

describe('the modules loaded with the client of nodes', () => {
  it('are only the pool of undici, because all of undici slows each start', () => {
    const args = ['--import', 'tsx', '--input-type=module', '--eval', PRINT];
    const files = JSON.parse(execFileSync(process.execPath, args, { encoding: 'utf8' })) as string[];

    expect(files).to.include('lib/dispatcher/pool.js');
    expect(files).not.to.include('index.js');
  });
});
