/** The coin of the network. It is set once, before what it changes is drawn again. */
export const coin = { symbol: 'AE', subunit: 'aetto', digits: 18 };

/** Sets the coin, as the server says it. Returns whether it is another one than before. */
export function setCoin({ symbol, subunit, digits }: { symbol: string; subunit: string; digits: number }): boolean {
  const isOther = symbol !== coin.symbol || subunit !== coin.subunit || digits !== coin.digits;
  Object.assign(coin, { symbol, subunit, digits });
  return isOther;
}
