/** Pages whose code is loaded when one of them is opened: the first page does not need it. */
export { ChannelPage } from './pages/channel.js';
export { ChartsPage } from './pages/charts.js';
export { OraclePage } from './pages/oracle.js';
export { StatusPage } from './pages/status.js';
