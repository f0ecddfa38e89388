import type { Descriptions } from '../deps.js';
import { endpoints } from '../endpoints.js';
import { createDocument } from '../prepared.js';
import { withIntegersAsText } from './integers-as-text.js';
import { createOpenApi } from './openapi.js';
import { createSwagger } from './swagger.js';

/** Makes each description when it is first requested: making all of them at start would be the slowest part of it. */
export function createDescriptions(): Descriptions {
  return {
    openApi: json(() => createOpenApi(endpoints)),
    openApiOfText: json(() => withIntegersAsText(createOpenApi(endpoints))),
    swagger: json(() => createSwagger(endpoints)),
  };
}

const json = (make: () => unknown): ReturnType<typeof createDocument> =>
  createDocument('application/json', {}, () => JSON.stringify(make()));
