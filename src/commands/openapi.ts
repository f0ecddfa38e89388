import { Flags } from '@oclif/core';
import { BaseCommand } from '../cli/base-command.js';

export default class OpenApi extends BaseCommand {
  static override summary = 'Print the description of the API (OpenAPI 3.1)';
  static override examples = ['mdw openapi > openapi.json', 'mdw openapi --swagger'];
  static override flags = {
    swagger: Flags.boolean({ summary: 'Print the older description for wallets instead (Swagger 2.0)' }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(OpenApi);
    const [{ createOpenApi }, { createSwagger }, { endpoints }] = await Promise.all([
      import('../api/descriptions/openapi.js'),
      import('../api/descriptions/swagger.js'),
      import('../api/endpoints.js'),
    ]);
    const text = JSON.stringify(flags.swagger ? createSwagger(endpoints) : createOpenApi(endpoints), null, 2);
    // The text is larger than the buffer of a pipe, and the process ends when this function returns.
    await new Promise((resolve) => process.stdout.write(`${text}\n`, resolve));
  }
}
