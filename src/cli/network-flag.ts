import { Flags } from '@oclif/core';
import type { Consensus } from '../chain/protocol/generations.js';

/** Forms of a generated chain, as they are named on the command line. */
const FORMS: Readonly<Record<string, Consensus>> = { pow: 'pow', 'on-demand': 'on_demand', hyperchain: 'hyperchain' };

export const networkFlag = Flags.custom<Consensus>({
  options: Object.keys(FORMS),
  helpValue: 'FORM',
  summary: 'Form of the generated chain: pow, on-demand or hyperchain [default: pow]',
  parse: (name) => Promise.resolve(FORMS[name]!),
});
