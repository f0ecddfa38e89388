import { Session } from 'node:inspector/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { decide } from '../../src/operator/decide/decide.js';
import { OperatorModel } from './operator-model.js';

const OPERATOR = join(dirname(fileURLToPath(import.meta.url)), '../../src/operator');

/** What somebody has to open who reads how one pass over a healthy resource decides. */
interface Walk {
  /** Files that have to be opened. */
  rooms: string[];
  /** Times that a function makes the reader go on in another file. */
  steps: number;
  /** Of them, times that the file was open before. */
  returns: number;
}

/** Words, not rules: names, times, constructors of values, and the schema of the resource. */
const WORDS = new Set(['names.ts', 'times.ts', 'resource.ts', 'condition-state.ts']);

/** The room of a file; undefined for words. Each builder of a manifest is a row of one table, so all are one room. */
function roomOf(file: string): string | undefined {
  if (WORDS.has(file) || file.startsWith('schema/')) return undefined;
  return file.startsWith('desired/') ? 'desired' : file;
}

/** A function, or a table of functions. */
type Code = ts.FunctionDeclaration | ts.ArrowFunction | ts.ArrayLiteralExpression;

/**
 * Walks from `decide` into every function of the operator that one pass over a healthy resource calls, in the order of the text. Each
 * function is read once. A step is counted once for each function and file.
 */
export async function walk(): Promise<Walk> {
  const called = await calledFunctions();
  const program = ts.createProgram(ts.sys.readDirectory(OPERATOR, ['.ts']), {
    ...{
      target: ts.ScriptTarget.ES2022,
      module: ts.ModuleKind.NodeNext,
      noEmit: true,
      skipLibCheck: true,
      strict: true,
    },
    types: ['node'],
  });
  const checker = program.getTypeChecker();
  const fileOf = (code: Code): string => relative(OPERATOR, code.getSourceFile().fileName);

  /** The code that an identifier stands for, if the pass runs it. */
  const codeOf = (identifier: ts.Identifier): Code | undefined => {
    const named = checker.getSymbolAtLocation(identifier);
    const symbol = named && named.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(named) : named;
    const declaration = symbol?.valueDeclaration;
    if (declaration === undefined || !declaration.getSourceFile().fileName.startsWith(OPERATOR)) return undefined;
    const code = ts.isVariableDeclaration(declaration) ? declaration.initializer : declaration;
    if (code === undefined) return undefined;
    if (ts.isArrayLiteralExpression(code)) return code;
    if (!ts.isFunctionDeclaration(code) && !ts.isArrowFunction(code)) return undefined;
    return called.has(`${fileOf(code)} ${symbol?.name}`) ? code : undefined;
  };

  const read = new Set<Code>();
  const rooms = new Set(['decide/decide.ts']);
  let [steps, returns] = [0, 0];
  const visit = (code: Code): void => {
    read.add(code);
    const opened = new Set([roomOf(fileOf(code))]);
    const look = (node: ts.Node): void => {
      const inner = ts.isIdentifier(node) ? codeOf(node) : undefined;
      if (inner !== undefined) {
        const room = roomOf(fileOf(inner));
        if (room !== undefined && !opened.has(room)) {
          steps++;
          if (rooms.has(room)) returns++;
          opened.add(room);
          rooms.add(room);
        }
        if (!read.has(inner)) visit(inner);
      }
      ts.forEachChild(node, look);
    };
    ts.forEachChild(code, look);
  };
  const start = program.getSourceFile(join(OPERATOR, 'decide/decide.ts'))!;
  visit(start.statements.find((one) => ts.isFunctionDeclaration(one) && one.name?.text === 'decide') as Code);
  return { rooms: [...rooms].sort(), steps, returns };
}

/** The functions of the operator that one pass over a healthy resource calls, each as file and name. */
async function calledFunctions(): Promise<Set<string>> {
  const model = new OperatorModel();
  model.settle();
  const observed = model.observed();
  const session = new Session();
  session.connect();
  try {
    await session.post('Debugger.enable');
    await session.post('Profiler.enable');
    await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
    decide(observed);
    const { result } = await session.post('Profiler.takePreciseCoverage');
    const called = new Set<string>();
    for (const { url, scriptId, functions } of result) {
      if (!url.includes('/src/operator/')) continue;
      const file = url.slice(url.indexOf('/src/operator/') + '/src/operator/'.length).replace(/\?.*$/, '');
      const { scriptSource } = await session.post('Debugger.getScriptSource', { scriptId });
      for (const { functionName, ranges } of functions) {
        const { count = 0, startOffset = 0 } = ranges[0] ?? {};
        // An arrow function has no name of its own in the compiled text: it is an argument of what names it.
        const before = scriptSource.slice(Math.max(0, startOffset - 200), startOffset);
        const name = functionName || /(\w+)\s*=\s*(?:\/\*.*?\*\/\s*)?__name\($/.exec(before)?.[1];
        if (count > 0 && name !== undefined) called.add(`${file} ${name}`);
      }
    }
    return called;
  } finally {
    session.disconnect();
  }
}
