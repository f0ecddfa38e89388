import { createLogger } from '../../src/observe/logger.js';
import type { Answerer } from '../support/http-server.js';
import { reply } from '../support/http-server.js';
import { recorded, recording } from '../support/recording.js';

export const silent = createLogger({ level: 'silent' });

// Read before any test begins: the server shares this process, and a silence while it reads is no silence of a node.
const answers = recording();

/** Answers as the recorded node did, `/v2` and `/v3`; a path that was not recorded is unknown. */
export const asRecorded: Answerer = ({ method, url }, response) => {
  const answer = answers.get(`${method} ${url}`);
  reply(response, answer?.status ?? 404, answer?.body ?? '');
};

/** The recorded status with some members changed. */
export const statusWith = (members: Record<string, unknown>): string =>
  JSON.stringify({ ...(JSON.parse(recorded('/v3/status')) as object), ...members });
