import { expect } from 'chai';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cycles, folderGraph } from '../../lint/cycles.js';
import { importsOf, readModules } from '../../lint/modules.js';
import type { Modules } from '../../lint/modules.js';
import { unusedExports } from '../../lint/unused-exports.js';

describe('the check of the structure of the source', () => {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'mdw-lint-'))));
  afterEach(() => rmSync(folder, { recursive: true }));

  const modules = (files: Record<string, string>): Modules => {
    const compilerOptions = { module: 'NodeNext', target: 'ES2022', lib: ['ES2022'], types: [] };
    const config = {
      'package.json': '{"type":"module"}',
      'tsconfig.json': JSON.stringify({ compilerOptions }),
    };
    for (const [path, text] of Object.entries({ ...config, ...files })) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return readModules(join(folder, 'tsconfig.json'));
  };

  it('reports exports that no production code uses, both values and types', () => {
    const found = unusedExports(
      modules({
        'src/a.ts': `
          export const used = 1;
          export const ownUse = used;
          export const tested = ownUse;
          export const dead = 1;
          export interface Shape { a: number }
          export type Inner = Shape;
        `,
        'src/b.ts': "import { used, type Shape } from './a.js'; const b: Shape = { a: used };",
        'test/a.test.ts': "import { tested } from '../src/a.js'; tested;",
      }),
    );
    expect(found).to.deep.equal(['src/a.ts Inner', 'src/a.ts dead', 'src/a.ts ownUse', 'src/a.ts tested']);
  });

  it('counts every form of use of an export', () => {
    const found = unusedExports(
      modules({
        'src/a.ts': 'export const one = 1, two = 2, three = 3, four = 4, five = 5, seven = 7; export type Six = 6;',
        'src/b.ts': "export { one } from './a.js';",
        'src/c.ts': "import { one } from './b.js'; one;",
        'src/d.ts': "import * as a from './a.js'; a.two;",
        'src/e.ts': "const { three } = await import('./a.js'); (await import('./a.js')).four; export {};",
        'src/f.ts': "let six: import('./a.js').Six;",
        'src/h.ts': "const [, whole] = await Promise.all([1, import('./a.js')]); whole.seven;",
        'scripts/g.ts': "import { five as renamed } from '../src/a.js'; renamed;",
      }),
    );
    expect(found).to.deep.equal([]);
  });

  it('reports circular imports between files, including imports of types', () => {
    const imports = importsOf(
      modules({
        'src/a.ts': "import type { B } from './b.js'; export type A = B;",
        'src/b.ts': "export type B = 1; void import('./c.js');",
        'src/c.ts': "export * from './a.js';",
        'src/d.ts': "export { type A } from './a.js';",
      }),
    );
    expect(cycles(imports)).to.deep.equal([['src/a.ts', 'src/b.ts', 'src/c.ts', 'src/a.ts']]);
  });

  it('reports circular imports between folders', () => {
    const imports = importsOf(
      modules({
        'src/x/a.ts': "import '../y/a.js';",
        'src/x/b.ts': 'export {};',
        'src/y/a.ts': 'export {};',
        'src/y/b.ts': "import '../x/b.js';",
        'src/z.ts': "import './x/a.js';",
      }),
    );
    expect(cycles(imports)).to.deep.equal([]);
    expect(cycles(folderGraph(imports, 1))).to.deep.equal([['src/x', 'src/y', 'src/x']]);
  });

  it('reports circular imports between folders within a folder, and files beside them', () => {
    const imports = importsOf(
      modules({
        'src/x/y/a.ts': "import '../z.js';",
        'src/x/y/b.ts': 'export {};',
        'src/x/z.ts': "import './y/b.js';",
      }),
    );
    expect(cycles(folderGraph(imports, 1))).to.deep.equal([]);
    expect(cycles(folderGraph(imports, 2))).to.deep.equal([['src/x/y', 'src/x/z', 'src/x/y']]);
  });
});
