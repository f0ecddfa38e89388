import { readConfig, readEnvironment } from '../config.js';
import type { Config, Environment, Role } from '../config.js';
import { PlainCommand } from './plain-command.js';

/** Base of the commands that read settings from the environment. */
export abstract class BaseCommand extends PlainCommand {
  protected environment(): Environment {
    return readEnvironment(process.env, process.cwd());
  }

  protected settings(...roles: Role[]): Config {
    return readConfig(this.environment(), roles);
  }
}
