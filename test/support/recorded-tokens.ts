/** What the tokens of the recording `realnode-tokens` say of themselves; see its README. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';

const read = (name: string): string =>
  gunzipSync(readFileSync(new URL(`../fixtures/realnode-tokens/${name}.gz`, import.meta.url))).toString('utf8');

/** The state of a token after a micro block. */
export interface TokenState {
  /** Of the micro block. */
  hash: string;
  height: number;
  token: string;
  label: string;
  total_supply: string;
  /** Of AEX-9: amounts by account. */
  balances?: Record<string, string>;
  /** Of AEX-141: owners by token. */
  owners?: Record<string, string>;
}

/** In the order of the chain. */
export const tokenStates: readonly TokenState[] = read('token_balances.jsonl')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as TokenState);

/** As the functions of a collection print it: a text, constructors with a text or a map; an empty object where the token has none. */
export type RecordedMetadata = string | { MetadataIdentifier?: [string]; MetadataMap?: [Record<string, string>] };

interface RecordedToken {
  label: string;
  aex9_extensions?: string[];
  aex141_extensions?: string[];
  token_limit?: string;
  templates?: Record<string, { limit?: string; supply: string }>;
  tokens?: Record<string, { owner: string; metadata: RecordedMetadata }>;
  template_limit?: string;
  /** At the last block. */
  allowances?: [{ from_account: string; for_account: string }, string][];
  meta_info?:
    | { name: string; symbol: string; decimals?: string; base_url?: string | null; metadata_type?: object }
    | { failed: string };
}

/** By contract; also one that only looks like a token. */
export const recordedTokens = JSON.parse(read('tokens.json')) as Readonly<Record<string, RecordedToken>>;

/** Tokens whose events do not tell their balances. */
export const LIARS: readonly string[] = ['liar', 'noMeta'];
