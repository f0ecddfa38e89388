import { expect } from 'chai';
import { statusSchema } from '../../src/operator/schema/status.js';
import { OperatorModel } from '../support/operator-model.js';
import type { JobEnd } from '../support/operator-model.js';
import { shareOf } from '../support/share.js';

const long = 'x'.repeat(4_000);
const wrong = { a: [1] };
/** What a program may write that is not ours: its image, or what it read, is somebody else's. */
const REPORTS: Record<string, Record<string, unknown>> = {
  'fields of other types': { ok: wrong, code: wrong, message: wrong, database: wrong, copies: wrong, serving: wrong },
  'numbers for texts': { ok: 1, code: 2, message: 3, database: 4, copies: [5, null], differing: 6, failing: 7 },
  'long texts': { ok: true, code: long, message: long, database: long, copies: [long], differing: long, failing: long },
  'known codes with other details': { code: 'heights_failed', failing: 'x-y', branch: 'no' },
  'heights that are none': { code: 'differs', differing: '9-1,-5,1e999', cut: 'no', message: '' },
};
const COMMANDS = ['copies', 'migrate', '-H', '-v', 'record', 'drop'];

describe('a Job that reports what is no report', () => {
  for (const [what, report] of shareOf(Object.entries(REPORTS))) {
    for (const command of COMMANDS) {
      for (const exitCode of [0, 1]) {
        it(`such as ${what}, from ${command} with status ${exitCode}: the status stays valid, and no pass fails`, () => {
          let isHostile = command === 'copies' || command === 'migrate';
          const model = new OperatorModel({
            job: ([first]): JobEnd | undefined =>
              isHostile && first === command ? { exitCode, report, isLost: true } : undefined,
          });
          const { now } = model;
          const settle = (): void => model.settle(() => model.now > now + 3_600_000);
          settle();
          isHostile = true;
          model.reload({ id: 'one', verify: 'all' });
          settle();
          const parsed = statusSchema.safeParse(model.status);
          expect(parsed.error?.issues ?? []).to.deep.equal([]);
        });
      }
    }
  }
});
