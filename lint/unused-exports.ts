import ts from 'typescript';
import { importTarget, resolveImport } from './modules.js';
import type { Modules } from './modules.js';

/**
 * Finds exports of `src` and `devtools` that no other production file uses, both values and types, as `src/file.ts name`. A name
 * that only its own file uses needs no `export`. Code that only tests and benches use is not part of the product.
 */
export function unusedExports(modules: Modules): string[] {
  const used = new Set<string>();
  for (const [path, file] of modules.files) {
    if (!isProduction(path)) continue;
    for (const [target, name] of usesOf(modules, file)) used.add(`${target} ${name}`);
  }
  return [...modules.files]
    .filter(([path]) => isSource(path))
    .flatMap(([path, file]) => exportsOf(file).map((name) => `${path} ${name}`))
    .filter((name) => !used.has(name))
    .sort();
}

const isSource = (path: string): boolean => path.startsWith('src/') || path.startsWith('devtools/');

/** Production code is the program, and the scripts that make the image, the chart and the documents. */
const isProduction = (path: string): boolean => isSource(path) || path.startsWith('scripts/');

function exportsOf(file: ts.SourceFile): string[] {
  return file.statements.flatMap((statement) => {
    if (ts.isExportAssignment(statement)) return ['default'];
    if (ts.isExportDeclaration(statement)) {
      const { exportClause } = statement;
      if (exportClause === undefined) return [];
      return ts.isNamedExports(exportClause)
        ? exportClause.elements.map(({ name }) => name.text)
        : [exportClause.name.text];
    }
    const modifiers = ts.canHaveModifiers(statement) ? (ts.getModifiers(statement) ?? []) : [];
    if (!modifiers.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return [];
    if (modifiers.some(({ kind }) => kind === ts.SyntaxKind.DefaultKeyword)) return ['default'];
    if (ts.isVariableStatement(statement)) {
      return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name));
    }
    const { name } = statement as ts.DeclarationStatement;
    return name === undefined ? [] : [name.text];
  });
}

const namesIn = (name: ts.BindingName): string[] =>
  ts.isIdentifier(name)
    ? [name.text]
    : name.elements.flatMap((element) => (ts.isBindingElement(element) ? namesIn(element.name) : []));

/** The exports of other files that a file uses: the path of the file, and the name. */
function usesOf(modules: Modules, file: ts.SourceFile): [string, string][] {
  const uses: [string, string][] = [];
  /** Files that are imported as a whole, by the name that they may have here. */
  const wholes = new Map<string, string[]>();
  const visit = (node: ts.Node): void => {
    const specifier = importTarget(node);
    const target = specifier === undefined ? undefined : resolveImport(modules, file, specifier);
    if (target !== undefined) {
      const { names, whole = [] } = importedNames(node);
      for (const name of names) uses.push([target, name]);
      for (const name of whole) wholes.set(name, [...(wholes.get(name) ?? []), target]);
    }
    const member = memberOf(node);
    for (const of of (member && wholes.get(member.of)) ?? []) uses.push([of, member!.name]);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return uses;
}

/** The names that an import or a re-export takes, and those that it may give to the file as a whole. */
function importedNames(node: ts.Node): { names: string[]; whole?: string[] } {
  if (ts.isImportDeclaration(node)) {
    const { name, namedBindings } = node.importClause ?? {};
    const own = name === undefined ? [] : ['default'];
    if (namedBindings === undefined) return { names: own };
    if (ts.isNamespaceImport(namedBindings)) return { names: own, whole: [namedBindings.name.text] };
    return { names: [...own, ...namedBindings.elements.map((one) => (one.propertyName ?? one.name).text)] };
  }
  if (ts.isExportDeclaration(node)) {
    const { exportClause } = node;
    if (exportClause === undefined || !ts.isNamedExports(exportClause)) return { names: [] };
    return { names: exportClause.elements.map((one) => (one.propertyName ?? one.name).text) };
  }
  if (ts.isImportTypeNode(node)) {
    let { qualifier } = node;
    while (qualifier !== undefined && ts.isQualifiedName(qualifier)) qualifier = qualifier.left;
    return { names: qualifier === undefined ? [] : [qualifier.text] };
  }
  return namesOfStatement(node);
}

/** What the statement of an `import()` takes out of objects, by `{ name }` or `.name`, and what it binds. */
function namesOfStatement(node: ts.Node): { names: string[]; whole: string[] } {
  let statement = node;
  while (!ts.isStatement(statement)) statement = statement.parent;
  const names: string[] = [];
  const whole: string[] = [];
  const visit = (part: ts.Node): void => {
    if (ts.isPropertyAccessExpression(part)) names.push(part.name.text);
    const isTaken = ts.isBindingElement(part) && ts.isObjectBindingPattern(part.parent);
    if ((ts.isVariableDeclaration(part) || ts.isBindingElement(part)) && !isTaken && ts.isIdentifier(part.name))
      whole.push(part.name.text);
    if (isTaken) {
      const name = part.propertyName ?? part.name;
      if (ts.isIdentifier(name)) names.push(name.text);
    }
    ts.forEachChild(part, visit);
  };
  visit(statement);
  return { names, whole };
}

/** `name` of `of.name`, in an expression or a type. */
function memberOf(node: ts.Node): { of: string; name: string } | undefined {
  if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression))
    return { of: node.expression.text, name: node.name.text };
  if (ts.isQualifiedName(node) && ts.isIdentifier(node.left)) return { of: node.left.text, name: node.right.text };
  return undefined;
}
