/** Endpoints that use the compiler services. Their faults are answered with status 200 and the single key `error`. */
import { effectiveOf } from '../../chain/effective.js';
import { isId } from '../../chain/encoding/encoding.js';
import { readTransaction } from '../../chain/facts.js';
import { MiddlewareError } from '../../observe/errors.js';
import type { Logger } from '../../observe/logger.js';
import { contractCreationText } from '../../store/queries/contracts.js';
import { endpoint } from '../endpoint.js';
import { bodyOf } from '../json-body.js';
import { requireHead, refuse, sendJson } from '../reply.js';
import { compilers, verified, verifyRequest } from '../schemas/service.js';

const FIELDS = ['contract_id', 'source', 'compiler'] as const;

const NO_CONTRACT = '{"error":"contract not found"}';
const NO_COMPILER = { error: 'no compiler available' };

export const verifyContract = endpoint({
  method: 'post',
  path: '/middleware/contracts/verify',
  operationId: 'verifyContract',
  tag: 'contracts',
  summary: 'Whether a source compiles to the code of a contract',
  description: 'What keeps the compiler from answering is reported with status 200 as `error`.',
  body: verifyRequest,
  answer: verified,
  refusals: [413, 415, 422],
  wallets: true,
  cost: 'compile',
  cache: 'never',
  evidence: {
    source: 'a real compiler',
    test: 'api/real-compiler',
    plan: 'the text of the creation of a contract',
  },
  async handle({ ctx }, { db, compilers, logger }) {
    const body = bodyOf(ctx);
    const faulty = FIELDS.find((field) => typeof body[field] !== 'string');
    if (faulty !== undefined) return refuse(ctx, 422, `Invalid input: ${faulty} must be a string`);
    const { contract_id: id, source, compiler: version } = body as Record<(typeof FIELDS)[number], string>;

    const compiler = await unlessUnavailable(
      compilers.ofVersion(version).then((one) => one ?? null),
      logger,
    );
    if (compiler === undefined) return sendJson(ctx, JSON.stringify(NO_COMPILER));
    if (compiler === null) return sendJson(ctx, '{"error":"invalid compiler version"}');
    if (!isId(id)) return sendJson(ctx, NO_CONTRACT);
    const creation = await contractCreationText(db, id);
    requireHead(ctx, creation);
    if (creation.row === null) return sendJson(ctx, NO_CONTRACT);
    const bytecode = await unlessUnavailable(compiler.compile(source), logger);
    if (bytecode === undefined) return sendJson(ctx, JSON.stringify(NO_COMPILER));
    if (bytecode === null) return sendJson(ctx, '{"error":"unable to compile the contract"}');
    const { code } = effectiveOf(readTransaction(creation.row.body)).tx;
    sendJson(ctx, JSON.stringify({ verified: bytecode === code }));
  },
});

export const compilerVersions = endpoint({
  method: 'get',
  path: '/middleware/compilers',
  operationId: 'getCompilers',
  tag: 'contracts',
  summary: 'Versions of the compiler',
  description: 'Those that can be given to `verifyContract`; `error` while no compiler answers.',
  answer: compilers,
  fixed: true,
  wallets: true,
  cost: 'compile',
  cache: 'short',
  evidence: { source: 'a real compiler', test: 'api/real-compiler', plan: null },
  async handle({ ctx }, { compilers, logger }) {
    const versions = await unlessUnavailable(compilers.versions(), logger);
    sendJson(ctx, JSON.stringify(versions === undefined ? NO_COMPILER : { compilers: versions }));
  },
});

async function unlessUnavailable<T>(reply: Promise<T>, logger: Logger): Promise<T | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (!(error instanceof MiddlewareError) || error.fault !== 'unavailable') throw error;
    logger.debug({ reason: error.message }, 'Compiler is unavailable');
    return undefined;
  }
}
