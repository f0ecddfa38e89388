import type { Descriptions } from './deps.js';
import { endpoints } from './endpoints.js';
import { withIntegersAsText } from './schemas/integers-as-text.js';
import { createOpenApi } from './schemas/openapi.js';
import { createSwagger } from './schemas/swagger.js';

/** Makes each description when it is first requested: making all of them at start would be the slowest part of it. */
export function createDescriptions(): Descriptions {
  return {
    openApi: once(() => bytes(createOpenApi(endpoints))),
    openApiOfText: once(() => bytes(withIntegersAsText(createOpenApi(endpoints)))),
    swagger: once(() => bytes(createSwagger(endpoints))),
  };
}

const bytes = (document: unknown): Buffer => Buffer.from(JSON.stringify(document));

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
