import type { Rule } from 'eslint';
import { sourcePath } from './import-arrows.js';

/** Methods that add a listener. */
const LISTENS = new Set(['on', 'once', 'addListener', 'prependListener', 'prependOnceListener']);
/** Names of responses to clients. */
const RESPONSE = /^(?:res|response)$/;
const HELPER = 'runtime/when-closed';

/**
 * Refuses listeners for `close` that may be added too late, because the event is not emitted again: to a response anywhere, because its
 * client may have left before, and to anything else after an `await` of the same function.
 */
export const whenClosedOnly: Rule.RuleModule = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      response: 'The response may be closed already: use whenClosed of src/runtime.',
      late: 'After an await it may be closed already: listen before it, or use whenClosed of src/runtime.',
    },
  },
  create(context) {
    const file = sourcePath(context.cwd, context.filename);
    if (file === undefined || file === HELPER) return {};
    /** The first `await` of each function. */
    const awaits = new Map<Rule.Node | undefined, Rule.Node>();
    const seeAwait = (node: Rule.Node): void => {
      const own = functionOf(node);
      if (!awaits.has(own)) awaits.set(own, node);
    };
    const isAfterAwait = (node: Rule.Node): boolean => {
      const own = functionOf(node);
      const first = awaits.get(own);
      // `await once(server, 'close')` alone is not late.
      if (first !== undefined && !isWithin(first, node)) return true;
      // The function that is given to a promise runs at once.
      return own?.parent?.type === 'NewExpression' && isAfterAwait(own.parent);
    };
    return {
      AwaitExpression: seeAwait,
      'ForOfStatement[await=true]': seeAwait,
      CallExpression(node) {
        const emitter = emitterOf(node);
        if (emitter === undefined) return;
        if (isResponse(emitter)) context.report({ node, messageId: 'response' });
        else if (isAfterAwait(node)) context.report({ node, messageId: 'late' });
      },
    };
  },
};

type Expression = Extract<Rule.Node, { type: 'CallExpression' }>['arguments'][number];

/** The emitter on which a call waits for `close`: `emitter.once('close', …)`, or `once(emitter, 'close')` of node:events. */
function emitterOf({ callee, arguments: [first, second] }: Extract<Rule.Node, { type: 'CallExpression' }>) {
  if (callee.type === 'MemberExpression' && callee.property.type === 'Identifier') {
    return LISTENS.has(callee.property.name) && isClose(first) ? callee.object : undefined;
  }
  return callee.type === 'Identifier' && callee.name === 'once' && isClose(second) ? first : undefined;
}

const isClose = (node: Expression | undefined): boolean => node?.type === 'Literal' && node.value === 'close';

/** `res`, `response`, or a property of this name. */
function isResponse(node: NonNullable<ReturnType<typeof emitterOf>>): boolean {
  const name = node.type === 'MemberExpression' ? node.property : node;
  return name.type === 'Identifier' && RESPONSE.test(name.name);
}

/** The function that contains the node; undefined at the top of a module. */
function functionOf(node: Rule.Node): Rule.Node | undefined {
  let one: Rule.Node | null = node.parent;
  while (one !== null && !/Function/.test(one.type)) one = one.parent;
  return one ?? undefined;
}

function isWithin(outer: Rule.Node, node: Rule.Node): boolean {
  for (let one: Rule.Node | null = node; one !== null; one = one.parent) if (one === outer) return true;
  return false;
}
