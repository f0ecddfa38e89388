/** `make chaos`: runs random faults for CHAOS_MINUTES (30), with the random seed CHAOS_SEED. */
import { chaos } from './chaos.js';

const { CHAOS_MINUTES = '30', CHAOS_SEED = String(Math.floor(Math.random() * 2 ** 31)) } = process.env;
const say = (line: string): void => void process.stdout.write(`${line}\n`);

say(`CHAOS_SEED=${CHAOS_SEED} CHAOS_MINUTES=${CHAOS_MINUTES}`);
const { broken, steps, figures } = await chaos({ minutes: Number(CHAOS_MINUTES), seed: Number(CHAOS_SEED), say });
if (broken.length > 0) {
  say(`The last steps:\n${steps.join('\n')}`);
  say(`Violated invariants (CHAOS_SEED=${CHAOS_SEED}):\n${broken.slice(0, 40).join('\n')}`);
}
say(JSON.stringify(figures, null, 2));
say(broken.length === 0 ? 'All invariants were kept' : `${broken.length} invariants were violated`);
process.exit(broken.length === 0 ? 0 : 1);
