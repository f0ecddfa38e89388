import type { Router } from '@koa/router';
import { effectiveOf } from '../../chain/effective.js';
import { isId } from '../../chain/encoding.js';
import { readTransaction } from '../../chain/facts.js';
import { MiddlewareError } from '../../observe/errors.js';
import { contractCreationText } from '../../store/queries/contracts.js';
import type { ApiDeps } from '../deps.js';
import { jsonBody } from '../json-body.js';
import { nameTop, refuse, sendJson } from '../reply.js';

const FIELDS = ['contract_id', 'source', 'compiler'] as const;

/** What the compiler services can tell. Faults that are theirs are answers of status 200 with the single key `error`. */
export function verifyRoutes(router: Router, { db, compilers, logger }: ApiDeps): void {
  router.get('/middleware/compilers', async (ctx) => {
    const versions = await unlessUnavailable(compilers.versions());
    sendJson(ctx, JSON.stringify(versions === undefined ? NO_COMPILER : { compilers: versions }));
  });

  router.post('/middleware/contracts/verify', async (ctx) => {
    const body = await jsonBody(ctx);
    if (body === undefined) return;
    const faulty = FIELDS.find((field) => typeof body[field] !== 'string');
    if (faulty !== undefined) return refuse(ctx, 422, `Invalid input: ${faulty} must be a string`);
    const { contract_id: id, source, compiler: version } = body as Record<(typeof FIELDS)[number], string>;

    const compiler = await unlessUnavailable(compilers.ofVersion(version).then((one) => one ?? null));
    if (compiler === undefined) return sendJson(ctx, JSON.stringify(NO_COMPILER));
    if (compiler === null) return sendJson(ctx, '{"error":"invalid compiler version"}');
    const creation = isId(id) ? await contractCreationText(db, id) : { row: null, top: null };
    nameTop(ctx, creation);
    if (creation.row === null) return sendJson(ctx, '{"error":"contract not found"}');
    const bytecode = await unlessUnavailable(compiler.compile(source));
    if (bytecode === undefined) return sendJson(ctx, JSON.stringify(NO_COMPILER));
    if (bytecode === null) return sendJson(ctx, '{"error":"unable to compile the contract"}');
    const { code } = effectiveOf(readTransaction(creation.row.body)).tx;
    sendJson(ctx, JSON.stringify({ verified: bytecode === code }));
  });

  async function unlessUnavailable<T>(word: Promise<T>): Promise<T | undefined> {
    try {
      return await word;
    } catch (error) {
      if (!(error instanceof MiddlewareError) || error.fault !== 'unavailable') throw error;
      logger.debug({ reason: error.message }, 'Could not ask a compiler');
      return undefined;
    }
  }
}

const NO_COMPILER = { error: 'no compiler available' };
