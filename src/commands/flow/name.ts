import { Args, Flags } from '@oclif/core';
import { isId } from '../../chain/encoding/encoding.js';
import { FLOW_FLAGS, FlowCommand, aettos } from '../../cli/flow-command.js';
import { MiddlewareError } from '../../observe/errors.js';

export default class FlowName extends FlowCommand {
  static override summary = 'Walk the life of a name: preclaim, claim, update, spend to it, transfer, revoke';
  static override description =
    "Of a name short enough for an auction only the first bid is made. Ends with what the middleware answers about it. The node's builders must be switched on.";
  static override examples = ['mdw flow name middleware-flow.chain --key-file key', 'mdw flow name foobar.test --keep'];
  static override args = { name: Args.string({ required: true, description: 'Such as foobar.test' }) };
  static override flags = {
    'point-to': Flags.string({ helpValue: 'ak_…', summary: 'What it is to point to [default: the own account]' }),
    'transfer-to': Flags.string({ helpValue: 'ak_…', summary: 'Who gets it; it is not revoked then' }),
    amount: Flags.string({ default: '1', helpValue: 'AETTOS', summary: 'Amount of the spend to the name' }),
    keep: Flags.boolean({ summary: 'Do not revoke it in the end' }),
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
    await nameFlow(await this.walk(flags), { name: args.name, pointTo, transferTo, amount, keep });
  }
}
