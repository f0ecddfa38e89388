/** All pages but home. Their code is loaded when one of them is opened: the first page does not need it. */
export { AccountPage } from './pages/account.js';
export { BlockPage } from './pages/block.js';
export { ChannelPage } from './pages/channel.js';
export { ChartsPage } from './pages/charts.js';
export { ContractPage } from './pages/contract.js';
export { GenerationPage } from './pages/generation.js';
export { AuctionsPage, ChannelsPage, ContractsPage, OraclesPage, TransactionsPage } from './pages/lists.js';
export { NamePage } from './pages/name.js';
export { NamesPage } from './pages/names.js';
export { OraclePage } from './pages/oracle.js';
export { StatusPage } from './pages/status.js';
export { TokenPage } from './pages/token.js';
export { TokensPage } from './pages/tokens.js';
export { TransactionPage } from './pages/transaction.js';
