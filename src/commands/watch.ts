import { Args, Flags } from '@oclif/core';
import { isId } from '../chain/encoding/encoding.js';
import { TOPIC_KINDS } from '../chain/event-kinds.js';
import { maskLogins } from '../config/masks.js';
import { PORT } from '../config/ports.js';
import { BaseCommand } from '../cli/base-command.js';
import { MiddlewareError } from '../observe/errors.js';
import { print } from '../observe/print.js';
import { printable } from '../observe/printable.js';

const KINDS: string[] = TOPIC_KINDS.filter((kind) => kind !== 'object');

export default class Watch extends BaseCommand {
  static override summary = 'Print chain events as they happen';
  static override description =
    'Subscribes to a running server and prints one line for each event. Reconnects when the connection is lost, and continues after the last event; notices go to standard error. Ends on Ctrl-C.';
  static override examples = [
    'mdw watch key_blocks',
    'mdw watch key_blocks,transactions --json',
    'mdw watch object ak_22do7DzdcNknYKyFzKssjDicnH68nNYPUucozdA51o8rAtgX8y',
    'mdw watch transactions --from 100000',
  ];
  static override args = {
    what: Args.string({
      required: true,
      description: `${KINDS.join(', ')} (several separated by commas), or object`,
    }),
    id: Args.string({ description: 'With object: the identifier to follow' }),
  };
  static override flags = {
    url: Flags.string({
      default: `ws://127.0.0.1:${PORT.websocket}`,
      helpValue: 'URL',
      summary: 'Websocket of the server, or of several servers of the same chain, separated by commas',
    }),
    json: Flags.boolean({ summary: 'Print each event as it is received, one JSON object a line' }),
    since: Flags.string({
      helpValue: 'POINT',
      summary: 'Begin after the cursor of an event, or the hash of a block or transaction',
    }),
    from: Flags.integer({
      min: 0,
      helpValue: 'HEIGHT',
      exclusive: ['since'],
      summary: 'Begin with the stored chain from a height',
    }),
  };

  async run(): Promise<void> {
    const { flags, args } = await this.parse(Watch);
    const subscriptions = subscriptionsOf(args.what, args.id);
    const [{ watchEvents }, { eventLine }] = await Promise.all([
      import('../events/watch.js'),
      import('../events/event-line.js'),
    ]);
    const end = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end.abort());
    // The reader of the output has closed the pipe.
    process.stdout.once('error', () => end.abort());
    await watchEvents({
      urls: addressesOf(flags.url),
      subscriptions,
      since: flags.since,
      from: flags.from,
      onFrame: (frame) => print('stdout', printable(flags.json ? frame : eventLine(frame))),
      onNotice: (notice) => print('stderr', `mdw: ${printable(notice)}`),
      onConnected: (url) => print('stderr', `mdw: Connected to ${printable(url)}: ${subscriptions.join(', ')}`),
      signal: end.signal,
    });
  }
}

function addressesOf(text: string): string[] {
  const urls = text.split(',');
  if (urls.every((url) => /^(ws|http)s?:\/\/[^#]*$/.test(url) && URL.canParse(url))) return urls;
  const message = `--url: not the address of a websocket such as ws://127.0.0.1:${PORT.websocket}: ${maskLogins(text)}`;
  throw new MiddlewareError('usage', message);
}

function subscriptionsOf(what: string, id: string | undefined): string[] {
  if (what === 'object') {
    if (id !== undefined && isId(id)) return [id];
    throw new MiddlewareError('usage', 'object takes an identifier such as ak_…');
  }
  const kinds = what.split(',');
  const unknown = kinds.filter((kind) => !KINDS.includes(kind));
  if (id === undefined && unknown.length === 0) return kinds;
  throw new MiddlewareError(
    'usage',
    unknown.length > 0
      ? `Unknown kind of event: ${unknown.join(', ')} (known: ${KINDS.join(', ')}, object)`
      : `Unexpected argument: ${id}`,
  );
}
