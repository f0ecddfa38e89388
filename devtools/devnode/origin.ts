/** The origin of a transaction: the account that sends it. */
import { transactionType } from '../../src/chain/transactions/catalogue.js';

/** Member that contains the origin of transactions of a type. */
export const originMember = (type: string): string => transactionType(type)?.valueFlow?.roles[0].account ?? 'from_id';

/** `ak_` of an account, an oracle or a contract. */
export const accountOf = (id: string): string => (id.startsWith('ak_') ? id : `ak_${id.slice(3)}`);
