import { Args, Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';
import { detach, isDetached } from '../cli/daemon.js';
import { parseHeights } from '../config.js';
import type { Role } from '../config.js';
import type { Verification } from '../cli/roles.js';
import { schemaName } from '../config/checks.js';
import { MiddlewareError } from '../observe/errors.js';
import { createLogger } from '../observe/logger.js';
import { nameAndVersion } from '../observe/version.js';

/** `mdw` without a subcommand: the flags of the service itself. */
export default class Run extends BaseCommand {
  static override hidden = true;
  static override summary = 'Populate, serve, verify';
  static override flags = {
    populate: Flags.boolean({ char: 'p' }),
    server: Flags.boolean({ char: 's' }),
    heights: Flags.string({ char: 'H', multiple: true, multipleNonGreedy: true }),
    verify: Flags.boolean({ char: 'v' }),
    json: Flags.boolean(),
    quiet: Flags.boolean({ char: 'q' }),
    against: Flags.string(),
    daemonize: Flags.boolean({ char: 'd' }),
    'no-wait': Flags.boolean(),
    websocket: Flags.boolean({ char: 'w' }),
    version: Flags.boolean({ char: 'V' }),
  };
  static override args = { heights: Args.string() };

  async run(): Promise<void> {
    const { flags, args } = await this.parse(Run);
    if (flags.version) return this.log(nameAndVersion);
    const heights = flags.heights && parseHeights(flags.heights.join(','));
    const verify = verification(flags.verify, args.heights, flags.quiet, flags.against);
    if (flags.json && !flags.verify) throw new MiddlewareError('bad_request', 'usage', '--json goes with -v');
    const roles: Role[] = [
      ...(flags.populate ? ['populate' as const] : []),
      ...(flags.server ? ['serve' as const] : []),
      ...(heights ? ['heights' as const] : []),
      ...(verify ? ['verify' as const] : []),
    ];
    if (roles.length === 0) {
      process.stderr.write('mdw: nothing to do: give -p, -s, -H or -v, or a command (mdw --help)\n');
      return;
    }

    const config = this.settings(...roles);
    const logger = createLogger({ level: config.logLevel, dir: config.logDir, stream: verify ? 'stderr' : 'stdout' });
    if (flags.daemonize && !isDetached()) {
      process.exitCode = await detach(this.argv, config);
      return;
    }
    const { runRoles } = await import('../cli/roles.js');
    process.exitCode = await runRoles({
      work: { populate: flags.populate, serve: flags.server, heights, verify, json: flags.json },
      config,
      logger,
      wait: !flags['no-wait'],
      pidFile: flags.daemonize ? config.pidFile : undefined,
      currentDatabaseUrl: () => this.settings(...roles).databaseUrl,
    });
  }
}

function verification(
  asked: boolean,
  list: string | undefined,
  quiet: boolean,
  against: string | undefined,
): Verification | undefined {
  const wrong = (message: string): MiddlewareError => new MiddlewareError('bad_request', 'usage', message);
  if (!asked) {
    if (list !== undefined) throw wrong(`Unexpected argument: ${list}`);
    if (quiet || against !== undefined) throw wrong(`${quiet ? '--quiet' : '--against'} goes with -v`);
    return undefined;
  }
  const named = schemaName.optional().safeParse(against);
  if (!named.success)
    throw wrong(`--against ${against} is no name of a schema; it must be ${named.error.issues[0]?.message}`);
  return { heights: list === undefined ? undefined : parseHeights(list), quiet, against };
}
