import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { CallDecoder, ContractDecoder } from './decoder.js';

/** Decoders of the contracts that were called last, within bounded memory. Contracts with the same code share one. */
export interface DecoderCache {
  /** By the id of the code of a contract; undefined if it is not cached. */
  get(codeId: string): ContractDecoder | undefined;
  /** Parses the code (`cb_…`) unless that of another contract is the same; null for a contract whose code is not known. */
  add(codeId: string, code: string | null): ContractDecoder;
}

/** Max memory of the decoders, bytes. */
const MAX_BYTES = 16 * 1024 * 1024;
/** What a decoder takes in addition to its code, bytes. A short code takes far less than the names of functions that are found in it. */
const DECODER_BYTES = 1_024;
/** Max contracts whose code is remembered; each takes some 200 bytes. */
const MAX_CONTRACTS = 50_000;

const UNDECODABLE: ContractDecoder = {
  decodeCall: () => Promise.resolve(null),
  decodeResult: () => Promise.resolve(null),
};

export function createDecoderCache(decoder: CallDecoder): DecoderCache {
  // In place of a text, whose memory would not be bounded by the number of contracts.
  const hashes = new LRUCache<string, string>({ max: MAX_CONTRACTS });
  const decoders = new LRUCache<string, ContractDecoder>({ maxSize: MAX_BYTES });
  return {
    get(codeId) {
      const hash = hashes.get(codeId);
      return hash === undefined ? undefined : decoders.get(hash);
    },
    add(codeId, code) {
      const hash = createHash('sha256')
        .update(code ?? '')
        .digest('base64');
      hashes.set(codeId, hash);
      const known = decoders.get(hash);
      if (known !== undefined) return known;
      const contract = code === null ? UNDECODABLE : decoder(code);
      decoders.set(hash, contract, { size: DECODER_BYTES + (code?.length ?? 0) });
      return contract;
    },
  };
}
