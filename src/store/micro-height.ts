/**
 * SQL expression: the height that a row `m` of micro blocks says, as text. In a hyperchain it is that of the next key block, so it does not follow
 * from the position.
 */
export const microHeight = (m: string): string => `substring(${m}.body FROM '"height":\\s*(\\d+)')`;
