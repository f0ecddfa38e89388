import { Args, Flags } from '@oclif/core';
import { isId } from '../../../src/chain/encoding/encoding.js';
import { FLOW_FLAGS, FlowCommand, aettos } from '../../cli/flow-command.js';
import { MiddlewareError } from '../../../src/observe/errors.js';

export default class FlowName extends FlowCommand {
  static override summary = 'Take a name through its life: preclaim, claim, update, spend to it, transfer, revoke';
  static override description =
    "If the name is so short that it is auctioned, only the first bid is made. At the end, prints what the middleware answers about the name. The node's transaction builders must be switched on.";
  static override examples = ['mdw flow name middleware-flow.chain --key-file key', 'mdw flow name foobar.test --keep'];
  static override args = { name: Args.string({ required: true, description: 'Such as foobar.test' }) };
  static override flags = {
    'point-to': Flags.string({
      helpValue: 'ak_…',
      summary: 'Account that the name points to [default: that of the key]',
    }),
    'transfer-to': Flags.string({
      helpValue: 'ak_…',
      summary: 'Account that gets the name, which is then not revoked',
    }),
    amount: Flags.string({ default: '1', helpValue: 'AETTOS', summary: 'Amount of the spend to the name' }),
    keep: Flags.boolean({ summary: 'Do not revoke the name at the end' }),
    ...FLOW_FLAGS,
  };

  async run(): Promise<void> {
    const { flags, args } = await this.parse(FlowName);
    const { 'point-to': pointTo, 'transfer-to': transferTo, keep } = flags;
    for (const [flag, id] of Object.entries({ '--point-to': pointTo, '--transfer-to': transferTo }))
      if (id !== undefined && !isId(id, 'ak'))
        throw new MiddlewareError('usage', `${flag}: not an account (ak_…): ${id}`);
    const amount = aettos(flags.amount, '--amount');
    const { nameFlow } = await import('../../flow/name.js');
    await nameFlow(await this.wallet(flags), { name: args.name, pointTo, transferTo, amount, keep });
  }
}
