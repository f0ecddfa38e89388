/** The component that shows each page, by the first part of its address. Home is not among them: its code is loaded first. */
export const PAGES = {
  generation: 'GenerationPage',
  block: 'BlockPage',
  transaction: 'TransactionPage',
  account: 'AccountPage',
  contract: 'ContractPage',
  oracle: 'OraclePage',
  channel: 'ChannelPage',
  name: 'NamePage',
  names: 'NamesPage',
  transactions: 'TransactionsPage',
  contracts: 'ContractsPage',
  oracles: 'OraclesPage',
  channels: 'ChannelsPage',
  auctions: 'AuctionsPage',
  charts: 'ChartsPage',
  status: 'StatusPage',
} as const;
