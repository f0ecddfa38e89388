import { dirname, relative, resolve, sep } from 'node:path';
import ts from 'typescript';

/** The source of the repository for the structure checks. Paths are relative to the root, with `/`. */
export interface Modules {
  root: string;
  checker: ts.TypeChecker;
  /** Every file of the program except declaration files and packages. */
  files: Map<string, ts.SourceFile>;
}

/** Reads all files of a tsconfig. */
export function readModules(tsconfig: string): Modules {
  const root = dirname(resolve(tsconfig));
  const { config } = ts.readConfigFile(tsconfig, ts.sys.readFile) as { config: unknown };
  const { fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(fileNames, { ...options, noEmit: true });
  const files = program
    .getSourceFiles()
    .filter((file) => !file.isDeclarationFile && !file.fileName.includes('/node_modules/'))
    .map((file): [string, ts.SourceFile] => [pathIn(root, file.fileName), file]);
  return { root, checker: program.getTypeChecker(), files: new Map(files) };
}

/** For each file the files that it imports, including types and `import()`. */
export function importsOf({ root, files }: Modules): Map<string, Set<string>> {
  const imports = new Map<string, Set<string>>();
  for (const [path, file] of files) {
    const to = new Set<string>();
    const visit = (node: ts.Node): void => {
      const target = importTarget(node);
      if (target?.startsWith('.')) {
        const found = pathIn(root, resolve(dirname(file.fileName), target)).replace(/\.js$/, '.ts');
        if (files.has(found)) to.add(found);
      }
      ts.forEachChild(node, visit);
    };
    visit(file);
    imports.set(path, to);
  }
  return imports;
}

function importTarget(node: ts.Node): string | undefined {
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
