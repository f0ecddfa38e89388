import { dirname, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/** The source of the repository for the structure checks. Paths are relative to the root, with `/`. */
export interface Modules {
  root: string;
  files: Map<string, ts.SourceFile>;
}

/** Parses all files of a tsconfig. Without types, which would take ten times as long. */
export function readModules(tsconfig: string): Modules {
  const root = dirname(resolve(tsconfig));
  const { config } = ts.readConfigFile(tsconfig, ts.sys.readFile) as { config: unknown };
  const { fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const files = fileNames
    .filter((name) => !name.endsWith('.d.ts'))
    .map((name): [string, ts.SourceFile] => [
      pathIn(root, name),
      ts.createSourceFile(name, ts.sys.readFile(name) ?? '', ts.ScriptTarget.Latest, true),
    ]);
  return { root, files: new Map(files) };
}

/** For each file the files that it imports, including types and `import()`. */
export function importsOf(modules: Modules): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const [path, file] of modules.files) {
    const to = new Set<string>();
    const visit = (node: ts.Node): void => {
      const specifier = importTarget(node);
      const target = specifier === undefined ? undefined : resolveImport(modules, file, specifier);
      if (target !== undefined) to.add(target);
      ts.forEachChild(node, visit);
    };
    visit(file);
    imports.set(path, to);
  }
  return imports;
}

/** Path of the file that a file imports by a relative path; undefined for others. */
export function resolveImport({ root, files }: Modules, from: ts.SourceFile, specifier: string): string | undefined {
  if (!specifier.startsWith('.')) return undefined;
  const path = pathIn(root, resolve(dirname(from.fileName), specifier)).replace(/\.js$/, '.ts');
  return files.has(path) ? path : undefined;
}

/** What an import or a re-export names; undefined for other code. */
export function importTarget(node: ts.Node): string | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return textOf(node.arguments[0]);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return textOf(node.argument.literal);
  return undefined;
}

const textOf = (node: ts.Node | undefined): string | undefined =>
  node !== undefined && ts.isStringLiteralLike(node) ? node.text : undefined;

const pathIn = (root: string, path: string): string => relative(root, path).split(sep).join('/');
