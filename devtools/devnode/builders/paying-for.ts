/** The builder of PayingForTx. */
import { decodeId, encodeId, isId, withPrefix } from '../../../src/chain/encoding/encoding.js';
import type { JsonObject } from '../../../src/chain/encoding/json.js';
import { isObject } from '../../../src/chain/encoding/json.js';
import { serializeTransaction } from '../../../src/chain/serialize/transactions.js';
import type { Answer } from '../wire/answer.js';
import { ok, refused } from '../wire/answer.js';
import type { HttpRequest } from '../wire/request.js';
import { innerNetwork, signedMessage } from '../../../src/chain/protocol/signing.js';
import { verifySignature } from '../generate/signing.js';
import { originOf, printed } from '../ledger/members.js';
import type { Builder } from './builders.js';
import { BUILDERS } from './builders.js';
import { buildTransaction } from './build-transaction.js';
import type { BuildContext, BuiltTransaction } from './build-transaction.js';
import { CRASH, readBody, readInteger } from './schema.js';

const SCHEMA = {
  members: { payer_id: 'text', fee: 'uint', nonce: 'uint64', tx: 'object' },
  required: ['payer_id', 'fee', 'tx'],
} as const;

const BUILDER_OF: ReadonlyMap<string, Builder> = new Map(Object.values(BUILDERS).map((each) => [each.type, each]));

/** In the body, `tx` is the inner transaction: `{tx, signatures}`. Its `tx` has a `type` and the members for the builder of this type. */
export function payFor({ body, contentType, api }: HttpRequest, context: BuildContext, networkId: string): Answer {
  const read = readBody(body, contentType, SCHEMA, api);
  if ('answer' in read) return read.answer;
  const { payer_id: payer, fee, nonce: given, tx: signed } = read.value;
  if (!isId(payer as string, 'ak')) return refused(400, 'Invalid hash: payer_id');
  const nonce = given === undefined ? context.nextNonce(payer as string) : readInteger(given);
  if (nonce === undefined) return given === undefined ? refused(404, 'Account of payer_id not found') : CRASH;
  const exactFee = readInteger(fee!);
  const { tx: inner, signatures } = signed as JsonObject;
  const builder = isObject(inner) ? BUILDER_OF.get(inner['type'] as string) : undefined;
  if (exactFee === undefined || builder === undefined || !isTexts(signatures)) return CRASH;
  const made = buildTransaction(builder, inner as JsonObject, context);
  if ('answer' in made) return innerRefusal(made.answer);
  if (!isInnerSigned(made, signatures, networkId)) return refused(400, 'Inner tx: invalid authentication');
  const paying: JsonObject = {
    type: 'PayingForTx',
    version: 1,
    payer_id: payer!,
    nonce: printed(nonce),
    fee: printed(exactFee),
    tx: { signatures, tx: made.tx },
  };
  return ok(`{"tx":"${encodeId('tx', serializeTransaction(paying))}"}`);
}

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((item) => typeof item === 'string');

function innerRefusal(answer: Answer): Answer {
  if (answer.status !== 400) return answer;
  const { reason } = JSON.parse(String(answer.body)) as { reason: string };
  return refused(400, `Inner tx: ${reason}`);
}

/** Whether the inner transaction is signed by its origin, with the network id for inner transactions. */
function isInnerSigned({ tx, bytes }: BuiltTransaction, signatures: readonly string[], networkId: string): boolean {
  const [signature, ...more] = signatures;
  if (signature === undefined || more.length > 0 || !isId(signature, 'sg')) return false;
  const key = decodeId(withPrefix('ak', originOf(tx)));
  return verifySignature(signedMessage(bytes, innerNetwork(networkId)), decodeId(signature), key);
}
