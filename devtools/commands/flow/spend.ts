import { Flags } from '@oclif/core';
import { isId } from '../../../src/chain/encoding/encoding.js';
import { nameFault } from '../../../src/chain/protocol/name-check.js';
import { FLOW_FLAGS, FlowCommand, aettos } from '../../cli/flow-command.js';
import { MiddlewareError } from '../../../src/observe/errors.js';

export default class FlowSpend extends FlowCommand {
  static override summary = 'Make a spend step by step: build, sign, post, wait for its block';
  static override description =
    "At the end, prints what the middleware answers about the spend. The node's transaction builders must be switched on.";
  static override examples = ['mdw flow spend --to ak_… --amount 1000000000000000000 --key-file key'];
  static override flags = {
    to: Flags.string({ required: true, helpValue: 'ID', summary: 'Recipient: ak_…, ok_…, ct_…, nm_… or a name' }),
    amount: Flags.string({ default: '1', helpValue: 'AETTOS', summary: 'Amount' }),
    payload: Flags.string({ default: '', helpValue: 'TEXT', summary: 'Text in the payload' }),
    ...FLOW_FLAGS,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(FlowSpend);
    const { to, payload } = flags;
    if (!isId(to, 'ak', 'ok', 'ct', 'nm') && nameFault(to) !== undefined)
      throw new MiddlewareError('usage', `--to: neither identifier nor name: ${to}`);
    const amount = aettos(flags.amount, '--amount');
    const { spendFlow } = await import('../../flow/spend.js');
    await spendFlow(await this.wallet(flags), { to, amount, payload });
  }
}
