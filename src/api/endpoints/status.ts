import { z } from 'zod';
import { version } from '../../observe/version.js';
import { heldReorgOf, statusFacts } from '../../store/queries/status.js';
import { endpoint } from '../endpoint.js';
import { sendJson, setHeadHeaders } from '../reply.js';
import * as s from '../schemas/service.js';

/** States of the node that are not shown to clients. */
const USUAL = ['ok', 'loading'];

export const status = endpoint({
  method: 'get',
  path: '/middleware/status',
  operationId: 'getMdwStatus',
  tag: 'service',
  summary: 'Whether the database keeps up with the chain',
  description: 'Status 503 with the same body when it does not.',
  answer: s.status,
  unavailable: z.union([s.status, s.error]),
  wallets: true,
  cost: 'light',
  cache: 'never',
  evidence: { source: 'the suite itself', test: 'api/status-and-health', plan: 'the status' },
  async handle({ ctx }, { db, config }) {
    const answer = await statusFacts(db);
    setHeadHeaders(ctx, answer);
    const facts = answer.row!;
    const height = answer.head?.height ?? -1;
    const ahead = facts.node_height === null ? 0 : Math.max(Number(facts.node_height) - height, 0);
    const queueLength = ahead + Number(facts.gaps);
    const age = facts.age === null ? null : Math.floor(Number(facts.age) / 1000);
    const ok = queueLength <= config.statusMaxQueueLength && age !== null && age < config.statusMaxBlockAge;
    const body = {
      OK: ok,
      queue_length: queueLength,
      seconds_since_last_block: age,
      errors_last_500_blocks: Number(facts.errors),
      proven_height: Number(facts.proven_height) < 0 ? null : Number(facts.proven_height),
      ...(facts.unproven !== null && { unproven_last_500_blocks: facts.unproven }),
      ...(facts.unknown_infos !== '0' && { unknown_call_infos_last_500_blocks: Number(facts.unknown_infos) }),
      ...(facts.backfills !== null && { backfills: facts.backfills }),
      ...(facts.records_of_node !== '0' && { records_of_node: Number(facts.records_of_node) }),
      ...(facts.opinions !== null && { second_opinion: facts.opinions }),
      version,
      // This and the state of the node explain to clients why the head does not change.
      held_reorg: heldReorgOf(facts),
      ...(facts.node_state !== null &&
        !USUAL.includes(facts.node_state) && {
          node_state: facts.node_state,
          ...(facts.node_reason !== null && { node_reason: facts.node_reason }),
        }),
    };
    sendJson(ctx, JSON.stringify(body), ok ? 200 : 503);
  },
});
