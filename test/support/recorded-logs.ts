/** The logs of a recorded chain, read from the answers of the node alone. */
import { parseExact } from '../../src/chain/encoding/json.js';
import { recordedGenerations, recording } from './recording.js';
import type { Recording } from './recording.js';

export interface RecordedLog {
  transaction_hash: string;
  block_hash: string;
  block_height: number;
  time: number;
  log_index: number;
  contract_id: string;
  called_id: string;
  topics: (number | bigint)[];
  data: string;
}

interface Call {
  contract_id: string;
  log: { address: string; topics: (number | bigint)[]; data: string }[];
}

interface Info {
  call_info?: Call;
  ga_info?: { inner_object?: Info };
}

/** In the order in which they were emitted. All contracts of the recordings are of the machine that shows the newest first. */
export function recordedLogs(of: Recording): RecordedLog[] {
  return recordedGenerations(of).flatMap(({ microBlocks }) =>
    microBlocks.flatMap(({ header, transactions }) => {
      const { time, height } = JSON.parse(header) as { time: number; height: number };
      const { transactions: all } = JSON.parse(transactions) as {
        transactions: { hash: string; block_hash: string; tx: { type: string } }[];
      };
      return all.flatMap(({ hash, block_hash, tx }) => {
        const answer = recording(of).get(`GET /v2/transactions/${hash}/info`);
        let info = answer?.status === 200 ? (parseExact(answer.body) as Info) : undefined;
        while (info?.ga_info !== undefined) info = info.ga_info.inner_object;
        const call = info?.call_info;
        const called = tx.type === 'ChannelForceProgressTx' ? undefined : call?.contract_id;
        return [...(call?.log ?? [])].reverse().map(({ address, topics, data }, log_index) => ({
          ...{ transaction_hash: hash, block_hash, block_height: height, time, log_index },
          ...{ contract_id: address, called_id: called ?? address, topics, data },
        }));
      });
    }),
  );
}
