import ts from 'typescript';
import type { Modules } from './modules.js';

/**
 * Finds exports of `src` and `devtools` that no other production file uses, both values and types, as `src/file.ts name`. A name
 * that only its own file uses needs no `export`. Code that only tests and benches use is not part of the product.
 */
export function unusedExports({ checker, files }: Modules): string[] {
  const used = new Set<ts.Symbol>();
  for (const [path, file] of files) if (isProduction(path)) usedBy(checker, file, used);
  return [...files]
    .filter(([path]) => isSource(path))
    .flatMap(([path, file]) => {
      const module = checker.getSymbolAtLocation(file);
      if (module === undefined) return [];
      const exports = checker.getExportsOfModule(module);
      return exports.filter((symbol) => !used.has(symbol)).map(({ name }) => `${path} ${name}`);
    })
    .sort();
}

const isSource = (path: string): boolean => path.startsWith('src/') || path.startsWith('devtools/');

/** Production code is the program, and the scripts that make the image, the chart and the documents. */
const isProduction = (path: string): boolean => isSource(path) || path.startsWith('scripts/');

function usedBy(checker: ts.TypeChecker, file: ts.SourceFile, used: Set<ts.Symbol>): void {
  const add = (symbol: ts.Symbol | undefined): void => {
    if (symbol === undefined || used.has(symbol)) return;
    const isOwn = symbol.declarations?.every((declaration) => declaration.getSourceFile() === file) ?? false;
    // An imported or re-exported name counts as a use of the original symbol.
    if (symbol.flags & ts.SymbolFlags.Alias) add(checker.getImmediateAliasedSymbol(symbol));
    if (!isOwn) used.add(symbol);
  };
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node)) add(checker.getSymbolAtLocation(node));
    // `const { name } = await import(…)` uses the export `name`.
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent)) {
      const name = node.propertyName ?? node.name;
      if (ts.isIdentifier(name)) add(checker.getTypeAtLocation(node.parent).getProperty(name.text));
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
}
