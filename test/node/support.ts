import { createLogger } from '../../src/observe/logger.js';
import type { Answerer } from '../support/http-server.js';
import { reply } from '../support/http-server.js';
import { recorded, recording } from '../support/recording.js';

export const silent = createLogger({ level: 'silent' });

// Read before any test begins: the server shares this process, and reading later would look like a node that does not answer.
const answers = recording();

/** Answers as the recorded node did, under `/v2` and `/v3`; 404 for a path that was not recorded. */
export const asRecorded: Answerer = ({ method, url }, response) => {
  const answer = answers.get(`${method} ${url}`);
  reply(response, answer?.status ?? 404, answer?.body ?? '');
};

/** The recorded status with some members changed. */
export const statusWith = (members: Record<string, unknown>): string =>
  JSON.stringify({ ...(JSON.parse(recorded('/v3/status')) as object), ...members });
