/**
 * SQL expression for the code of a transaction type; null when no such transaction is stored. `names` is a parameter with
 * the spellings of the type in small letters.
 */
export const TYPE_CODE = (names: string): string =>
  `(SELECT code FROM types WHERE lower(name) = ANY (${names}::text[]) ORDER BY code LIMIT 1)`;
