/** The account from which a transaction is. */
import { transactionType } from '../chain/transactions/catalogue.js';

/** Member with the account whose transaction one of that type is. */
export const originMember = (type: string): string => transactionType(type)?.valueFlow?.roles[0].account ?? 'from_id';

/** `ak_` of an oracle or a contract. */
export const accountOf = (id: string): string => (id.startsWith('ak_') ? id : `ak_${id.slice(3)}`);
