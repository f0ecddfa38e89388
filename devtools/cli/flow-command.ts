import { Flags } from '@oclif/core';
import { maskLogins } from '../../src/config/masks.js';
import { PORT } from '../../src/config/ports.js';
import type { Reader } from '../flow/reader.js';
import type { Wallet } from '../flow/wallet.js';
import { MiddlewareError } from '../../src/observe/errors.js';
import { BaseCommand } from '../../src/cli/base-command.js';

const INTERNAL_PORT = '3113';
const MS = 1000;

/** Flags that name the node and the middleware of a flow. */
export const TARGET_FLAGS = {
  node: Flags.string({
    default: 'http://127.0.0.1:3013',
    helpValue: 'URL',
    summary: 'The node, or a middleware that forwards to it',
  }),
  internal: Flags.string({
    helpValue: 'URL',
    summary: "Interface of the node's operator, with the transaction builders [default: port 3113 of the same host]",
  }),
  middleware: Flags.string({
    default: `http://127.0.0.1:${PORT.http}`,
    helpValue: 'URL',
    summary: 'The middleware that is queried at the end',
  }),
  timeout: Flags.integer({ default: 600, min: 1, helpValue: 'SECONDS', summary: 'How long to wait for a block' }),
};

/** The same, and the key of the account. The key is never an argument: others could see it in the list of processes. */
export const FLOW_FLAGS = {
  ...TARGET_FLAGS,
  'key-file': Flags.string({
    helpValue: 'FILE',
    summary: 'File with the secret key (sk_…, or hexadecimal) [default: the variable MDW_SECRET_KEY]',
  }),
  fee: Flags.string({ default: '100000000000000', helpValue: 'AETTOS', summary: 'Fee of each transaction' }),
};

interface TargetFlags {
  node: string;
  internal: string | undefined;
  middleware: string;
  timeout: number;
}

interface FlowFlags extends TargetFlags {
  'key-file': string | undefined;
  fee: string;
}

/** Base of the commands that run a flow. */
export abstract class FlowCommand extends BaseCommand {
  protected async reader(flags: TargetFlags): Promise<Reader> {
    const { createReader } = await import('../flow/reader.js');
    const node = address(flags.node, '--node');
    return createReader({
      node,
      internal: internalAddress(flags.internal, node),
      middleware: address(flags.middleware, '--middleware'),
      timeoutMs: flags.timeout * MS,
      print: (line) => this.log(line),
    });
  }

  protected async wallet(flags: FlowFlags): Promise<Wallet> {
    const [{ readKey }, { createWallet: createWalk }] = await Promise.all([
      import('../key/key.js'),
      import('../flow/wallet.js'),
    ]);
    const key = readKey(flags['key-file'], process.env, '--key-file');
    const fee = aettos(flags.fee, '--fee');
    return createWalk(await this.reader(flags), key, fee);
  }
}

/** Reads a number of aettos. Throws a usage error that names the flag. */
export function aettos(text: string, flag: string): bigint {
  if (/^\d{1,40}$/.test(text)) return BigInt(text);
  throw new MiddlewareError('usage', `${flag}: not a number of aettos: ${text}`);
}

/** Reads an address and removes the slash at its end. Throws a usage error that names the flag. */
export function address(text: string, flag: string): string {
  if (/^https?:\/\//.test(text) && URL.canParse(text)) return text.replace(/\/+$/, '');
  throw new MiddlewareError('usage', `${flag}: not an address such as http://127.0.0.1:3013: ${maskLogins(text)}`);
}

/** The internal interface of a node: the given one, or its port of the same host. */
export function internalAddress(given: string | undefined, node: string): string {
  const other = new URL(node);
  other.port = INTERNAL_PORT;
  return address(given ?? other.origin, '--internal');
}
