import { Flags } from '@oclif/core';
import { schemaName } from '../config/checks.js';
import { MiddlewareError } from '../observe/errors.js';

/** A flag whose value is the name of a schema. */
export const schemaFlag = Flags.custom<string>({
  helpValue: '<schema>',
  parse(input) {
    const schema = schemaName.safeParse(input);
    if (schema.success) return Promise.resolve(schema.data);
    const message = `${input} is no name of a schema; it must be ${schema.error.issues[0]?.message}`;
    return Promise.reject(new MiddlewareError('usage', message));
  },
});
