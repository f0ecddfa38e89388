import { codesFrom } from './errors.js';
import { createInstruments } from './instruments.js';
import { version } from './version.js';

export type Metrics = ReturnType<typeof createMetrics>;

/** What became of a statement that was sent to a replica. */
export const REPLICA_OUTCOMES = ['answered', 'behind', 'failed'] as const;

/**
 * Creates all metrics of the service in a new registry; a process calls it once. Names end in their unit, those of counters in `_total`.
 * Label values come from small fixed sets, never from a request.
 */
export function createMetrics() {
  const { registry, labelValues, fact, gauge, counter, labelledCounter, histogram } = createInstruments();
  const buildInfo = fact('mdw_build_info', 'Always 1; the labels say what runs', 'version', 'node_version');
  buildInfo.set({ version, node_version: process.versions.node }, 1);

  return {
    registry,
    labelValues,
    buildInfo,

    nodeHeight: gauge('mdw_node_height', 'Height of the newest key block of the followed node'),
    databaseHeight: gauge('mdw_database_height', 'Height of the newest key block in the database'),
    lagBlocks: gauge('mdw_lag_blocks', 'Key blocks that the database is behind the node'),
    lagSeconds: gauge('mdw_lag_seconds', 'Age of the newest key block in the database'),
    nodeState: gauge('mdw_node_state', '1 for the current state of the followed node, 0 for the others', 'state'),

    heightsLoaded: counter('mdw_heights_loaded_total', 'Generations written to the database'),
    transactionsLoaded: counter('mdw_transactions_loaded_total', 'Transactions written to the database'),
    loadRate: gauge(
      'mdw_load_transactions_per_second',
      'Transactions written per second, over the last ten seconds; 0 when none are written',
    ),
    undecodableTransactions: counter(
      'mdw_undecodable_transactions_total',
      'Transactions that could not be decoded: they are stored unchanged and marked as not valid',
    ),
    unproven: labelledCounter(
      'mdw_unproven_transactions_total',
      'Stored transactions and blocks that could not be proven, because their type is not known',
      { type: 'as the node names it' },
    ),
    extraMembers: counter(
      'mdw_extra_members_total',
      'Members of blocks and transactions that nodes printed although the bytes do not contain them: they are not stored',
    ),
    provenHeight: gauge('mdw_proven_height', 'Height up to which everything stored is proven by its hashes'),
    verifiedTransactions: counter(
      'mdw_verified_transactions_total',
      'Transactions that were verified again in the background',
    ),
    differences: labelledCounter(
      'mdw_differences_total',
      'Rows that the background verification found wrong: mended, or left because they could not be mended',
      { outcome: ['mended', 'left'] },
    ),
    differingRows: gauge(
      'mdw_differing_rows',
      'Rows that the background verification found wrong and could not mend, since the process started and in the last pass over the copy',
    ),
    decodeBacklog: gauge(
      'mdw_decode_backlog_calls',
      'Contract calls waiting to be decoded, and other transactions whose call information is to be read',
    ),
    backfillHeight: gauge(
      'mdw_backfill_height',
      'Height up to which a table that is filled in the background has its rows; absent when it has all',
      'table',
    ),
    ledgerHeight: gauge(
      'mdw_ledger_height',
      'Height up to which it is written what changed each balance; it follows the stored blocks and their call information',
    ),
    accountsVerified: gauge(
      'mdw_verified_accounts',
      'Accounts whose balance was compared with that of the node, and was the same',
    ),
    accountsVerifiedShare: gauge('mdw_verified_accounts_ratio', 'The same as a part of all accounts with movements'),
    accountMismatches: gauge(
      'mdw_differing_accounts',
      'Accounts whose balance is not that of the node: the node is asked again what changed it, or a row is made of the difference',
    ),
    accountMismatchHeight: gauge('mdw_differing_account_height', 'The lowest height of such a difference'),
    rosettaWaiting: gauge(
      'mdw_rosetta_waiting_generations',
      'Generations of which the node has not answered what changed balances, by what became of the last request',
      'state',
    ),
    rosettaAnswers: labelledCounter(
      'mdw_rosetta_answers_total',
      'Answers of the Rosetta interface of the node, by what became of them',
      { outcome: ['ok', 'refused', 'no_state', 'failed', 'malformed', 'other_block', 'contradicts', 'disputed'] },
    ),
    tokens: gauge(
      'mdw_tokens',
      'Contracts by what is known of them: their code is asked for, what they say of themselves, or what they hold (for the first time); checked; invalid: their events do not tell what they hold; refused: no token',
      'state',
    ),
    tokenChecks: labelledCounter(
      'mdw_token_checks_total',
      'Tokens that were asked what they hold: the same as by their events, something different, told again after that, or unanswered',
      { outcome: ['same', 'different', 'told', 'unanswered'] },
    ),
    tokenMetadataWaiting: gauge(
      'mdw_waiting_metadata_tokens',
      'Single tokens of collections whose metadata is not known yet: their collections are asked for it',
    ),
    tokenMetadata: labelledCounter(
      'mdw_token_metadata_total',
      'Single tokens whose collections were asked for their metadata: it was told, the call failed, it returned something else, or no node answered',
      { outcome: ['ok', 'failed', 'malformed', 'unanswered'] },
    ),
    tokenAllowancesWaiting: gauge(
      'mdw_waiting_allowance_calls',
      'Allowances of tokens about which their tokens have not told yet',
    ),
    tokenAllowances: labelledCounter(
      'mdw_token_allowances_total',
      'Allowances about which tokens were asked after an event: it was told, the call failed, it returned something else, or no node answered',
      { outcome: ['ok', 'failed', 'malformed', 'unanswered'] },
    ),
    replaysWaiting: gauge(
      'mdw_waiting_replay_calls',
      'Contract calls whose replay a node has not answered yet (due), and those that cannot be replayed, by why',
      'state',
    ),
    replays: labelledCounter(
      'mdw_replays_total',
      'Contract calls that nodes were asked to replay: it ended as the call did, or differs from it; the node refused it, has not the state or needs too much gas for it; no request can be made of it; or no node answered',
      { outcome: ['ok', 'differs', 'refused', 'no_state', 'too_much_gas', 'unsupported', 'unanswered'] },
    ),
    unknownInfos: gauge(
      'mdw_unknown_info_calls',
      'Stored transactions whose call information no node answers: the nodes are asked again',
    ),
    differingRecords: gauge(
      'mdw_differing_records',
      'Names, auctions and oracles of which the node has another record than follows from transactions: served as the node has them',
      'kind',
    ),
    secondOpinions: labelledCounter(
      'mdw_second_opinions_total',
      'Questions to another node about what no proof covers: same, different, unanswered, gone (no longer stored), or left_out because too many waited',
      { outcome: ['same', 'different', 'unanswered', 'gone', 'left_out'] },
    ),
    differingOpinions: gauge(
      'mdw_differing_opinions',
      'Transactions and blocks about which two nodes contradict each other, although no proof decides between them',
    ),
    forks: labelledCounter('mdw_forks_total', 'Reorgs: stored blocks were replaced by another branch', {
      kind: ['micro', 'key'],
    }),
    forkDepth: histogram(
      'mdw_fork_depth_blocks',
      'Key blocks that a reorg removed; 0 is a micro reorg',
      [0, 1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000],
    ),
    heldReorg: gauge('mdw_held_reorg_blocks', 'Key blocks that the held reorg would remove; 0 if there is none'),
    writerEpoch: gauge('mdw_writer_epoch', 'Epoch of the lease under which this process writes'),
    writerRole: gauge('mdw_writer_role', '1 for the role of this process, 0 for the other role', 'role'),

    nodeRequests: labelledCounter('mdw_node_requests_total', 'Requests to nodes by outcome', {
      outcome: ['ok', 'refused', ...codesFrom('node')],
    }),
    nodeRequestSeconds: histogram(
      'mdw_node_request_seconds',
      'Time until a node answered',
      [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
      'outcome',
    ),

    httpRequests: labelledCounter('mdw_http_requests_total', 'HTTP requests answered, by route pattern', {
      route: 'patterns of paths, and words such as `forward`',
      method: 'of the request',
      status: 'of the answer',
    }),
    httpRequestSeconds: histogram(
      'mdw_http_request_seconds',
      'Time until an HTTP answer was sent, by route pattern',
      [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
      'route',
      'method',
    ),
    cacheHits: labelledCounter(
      'mdw_cache_hits_total',
      'Requests of the node API answered from the database (hit), or forwarded because the data is not stored yet (miss)',
      { result: ['hit', 'miss'] },
    ),
    websocketConnections: gauge('mdw_websocket_connections', 'Connected clients of the events'),
    websocketSubscriptions: gauge('mdw_websocket_subscriptions', 'Subscriptions of all clients'),
    websocketFramesSent: counter('mdw_websocket_frames_sent_total', 'Replies, errors and events sent to clients'),
    websocketErrors: counter('mdw_websocket_errors_total', 'Client messages that were answered with an error'),
    websocketClosed: labelledCounter(
      'mdw_websocket_closed_total',
      'Connections that were closed or refused, by reason',
      { reason: ['slow', 'connections', 'address', 'lost', 'drain', 'client', 'refused', 'dead', 'frame', 'error'] },
    ),
    eventDelaySeconds: histogram(
      'mdw_event_delay_seconds',
      'Time from the commit of an event to its push',
      [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    ),

    poolConnections: gauge('mdw_pool_connections', 'Connections to the database by state', 'state'),
    replicaInUse: fact('mdw_replica_in_use', '1 while clients are answered from the replica, otherwise 0', 'replica'),
    replicaLeftOut: labelledCounter(
      'mdw_replica_left_out_total',
      'Times that reads from a replica stopped, by reason',
      { replica: 'as configured', reason: '`behind`, `not_standby`, `other_copy`, or an error code' },
    ),
    replicaReads: labelledCounter(
      'mdw_replica_reads_total',
      'Statements sent to a replica: answered, or repeated on the primary because it was behind or failed',
      { replica: 'as configured', outcome: REPLICA_OUTCOMES },
    ),
  };
}

/** Sets the gauge of the database pool: connections by state. */
export function showPool({ poolConnections }: Metrics, pool: Readonly<Record<string, number>>): void {
  for (const [state, connections] of Object.entries(pool)) poolConnections.set({ state }, connections);
}
