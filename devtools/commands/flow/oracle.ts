import { Flags } from '@oclif/core';
import { FLOW_FLAGS, FlowCommand, aettos } from '../../cli/flow-command.js';

export default class FlowOracle extends FlowCommand {
  static override summary = 'Take an oracle through its life: register, extend, query, respond';
  static override description =
    "The account of the key becomes the oracle and queries itself. At the end, prints what the middleware answers about the oracle. The node's transaction builders must be switched on.";
  static override examples = ['mdw flow oracle --key-file key', 'mdw flow oracle --question "How are you?"'];
  static override flags = {
    ttl: Flags.integer({ default: 500, min: 1, helpValue: 'N', summary: 'Generations until the oracle expires' }),
    extension: Flags.integer({ default: 100, min: 1, helpValue: 'N', summary: 'Generations of its extension' }),
    'query-ttl': Flags.integer({ default: 50, min: 1, helpValue: 'N', summary: 'Generations of query and response' }),
    'query-fee': Flags.string({ default: '4', helpValue: 'AETTOS', summary: 'Price of a query' }),
    question: Flags.string({ default: 'How are you?', helpValue: 'TEXT', summary: 'Text of the query' }),
    answer: Flags.string({ default: 'I am fine, thanks!', helpValue: 'TEXT', summary: 'Text of the response' }),
    ...FLOW_FLAGS,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(FlowOracle);
    const { ttl, extension, question, answer } = flags;
    const queryFee = aettos(flags['query-fee'], '--query-fee');
    const { oracleFlow } = await import('../../flow/oracle.js');
    await oracleFlow(await this.wallet(flags), {
      ...{ ttl, extension, question, answer },
      queryTtl: flags['query-ttl'],
      queryFee,
    });
  }
}
