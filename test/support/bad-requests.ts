/** Handwritten requests, each wrong in one way, with the statuses that the description of the API defines for them. */
import { madeHash } from './seed.js';

export interface BadRequest {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  body?: string;
  status: number;
  /** Text that the reason must contain. */
  names?: string;
}

const ACCOUNT = madeHash('ak', 'somebody');

/** Texts that are not identifiers: code of other languages, wrong alphabets, lengths, checksums, prefixes and encodings. */
const NOT_IDS = [
  'abc',
  '0',
  '-1',
  'null',
  'undefined',
  'NaN',
  'ak_',
  'ak_0OIl',
  `${ACCOUNT}x`,
  ACCOUNT.slice(0, -1),
  ACCOUNT.toUpperCase(),
  `x${ACCOUNT}`,
  `${ACCOUNT}%00`,
  `${ACCOUNT}%20`,
  `%0a${ACCOUNT}`,
  "'",
  "ak_'%20OR%20'1'='1",
  `${ACCOUNT}'--`,
  '%27;DROP%20TABLE%20transactions;--',
  '1;SELECT%20pg_sleep(10)',
  '$$;$1',
  '%22%7D%7B',
  '%3Cscript%3Ealert(1)%3C%2Fscript%3E',
  '%7B%7B7*7%7D%7D',
  '$%7Bjndi:ldap:x%7D',
  '%zz',
  '%',
  '%ff%fe',
  '%c0%ae',
  '%ed%a0%80',
  '%F0%9F%92%A9',
  '*',
  '%25',
  'ak_%E2%80%AEabc',
  'a'.repeat(4000),
];

const ID_PATHS: [before: string, after: string, name: string][] = [
  ['/middleware/transactions/account/', '', 'account'],
  ['/middleware/transactions/account/', '/count', 'account'],
  ['/middleware/transactions/account/', `/to/${ACCOUNT}`, 'sender'],
  [`/middleware/transactions/account/${ACCOUNT}/to/`, '', 'receiver'],
  ['/middleware/accounts/', '/ledger', 'account'],
  ['/middleware/accounts/', '/balance', 'account'],
  ['/middleware/contracts/transactions/address/', '', 'address'],
  ['/middleware/contracts/calls/address/', '', 'address'],
  ['/middleware/contracts/transactions/creation/address/', '', 'address'],
  ['/middleware/channels/transactions/address/', '', 'address'],
  ['/middleware/names/reverse/', '', 'account'],
  ['/middleware/names/hash/', '', 'hash'],
  ['/middleware/names/auctions/bids/account/', '', 'account'],
  ['/middleware/oracles/', '', 'oracle'],
];

/** Below `/oracles/` there are also fixed segments. None of these texts is one. */
const ids: BadRequest[] = ID_PATHS.flatMap(([before, after, names], i) =>
  // The first path gets all texts, every other path some of them.
  NOT_IDS.filter((_, n) => i === 0 || n % 3 === i % 3 || n < 4).map((id) => ({
    path: `${before}${id}${after}`,
    status: 400,
    names,
  })),
);

const NOT_INTEGERS = [
  'abc',
  '1.5',
  '1e3',
  '0x10',
  '%20',
  '1%20',
  '--1',
  '+',
  '-',
  'NaN',
  "1'",
  '1;--',
  '%00',
  '1,2',
  '%D9%A1',
  'Infinity',
];

const HEIGHT_PATHS: [before: string, after: string, name: string][] = [
  ['/middleware/size/height/', '', 'height'],
  ['/middleware/count/height/', '', 'height'],
  ['/middleware/reward/height/', '', 'height'],
  ['/middleware/height/at/', '', 'milliseconds'],
  ['/middleware/generations/', '/5', 'from'],
  ['/middleware/generations/1/', '', 'to'],
  ['/middleware/new/generations/1/', '', 'to'],
  ['/middleware/transactions/interval/', '/5', 'from'],
  ['/middleware/transactions/interval/1/', '', 'to'],
];

const heights: BadRequest[] = HEIGHT_PATHS.flatMap(([before, after, names]) =>
  NOT_INTEGERS.map((text) => ({ path: `${before}${text}${after}`, status: 400, names })),
);

/** Numbers below or above every block. They are not errors. */
const numbers: BadRequest[] = [
  '9'.repeat(300),
  '-9223372036854775809',
  '9223372036854775808',
  '18446744073709551616',
  '-1',
].flatMap((number): BadRequest[] => [
  { path: `/middleware/size/height/${number}`, status: 200 },
  { path: `/middleware/count/height/${number}`, status: 200 },
  { path: `/middleware/reward/height/${number}`, status: 404 },
  { path: `/middleware/height/at/${number}`, status: number.startsWith('-') ? 200 : 404 },
  { path: `/middleware/generations/${number}/${number}`, status: 200 },
  { path: `/middleware/transactions/interval/${number}/${number}`, status: 200 },
  { path: `/middleware/transactions/interval/${number}/-5`, status: 200 },
]);

const days: BadRequest[] = [
  '20190230',
  '2019',
  '00000101',
  '20191301',
  '2019-1-1',
  "20190101'",
  '%00',
  '99999999',
  '201901011',
  'today',
].flatMap((day): BadRequest[] => [
  { path: `/middleware/transactions/rate/${day}/20200101`, status: 400, names: 'from' },
  { path: `/middleware/transactions/rate/20190101/${day}`, status: 400, names: 'to' },
]);

const LIST = `/middleware/transactions/account/${ACCOUNT}`;

const queries: BadRequest[] = [
  ...[
    'limit=-1',
    'limit=-99999999999999999999',
    'limit=-1&limit=5',
    'limit=5&page=0',
    'limit=5&page=-1',
    'limit=5&page=-99999999999999999999',
  ].flatMap((query): BadRequest[] =>
    ['/middleware/names', '/middleware/contracts/all', '/middleware/oracles/list', LIST].map((path) => ({
      path: `${path}?${query}`,
      status: 400,
      names: query.includes('page') ? 'page' : 'limit',
    })),
  ),
  // A value that is not an integer counts as absent, and unknown parameters are ignored.
  ...[
    'limit=abc',
    'limit=1;DROP',
    'limit[]=1',
    'limit=%00',
    'limit=%zz',
    'page=-3',
    'limit=0',
    'limit=99999999999999999999',
    '__proto__=1',
    'constructor=1',
    'toString',
    '&&&==&',
    'limit=5&page=99999999999999999999',
  ].map((query) => ({ path: `${LIST}?${query}`, status: 200 })),
  ...["x'--", '%25', '_', '%F0%9F%92%A9', 'SpendTx%27', 'a'.repeat(3000)].map((type) => ({
    path: `${LIST}?txtype=${type}`,
    status: 200,
  })),
  { path: `${LIST}?txtype=%00`, status: 400, names: 'txtype' },
  { path: `${LIST}/count?txtype=a%00b`, status: 400, names: 'txtype' },
  { path: `/middleware/transactions/interval/1/2?tx_type=%00`, status: 400, names: 'tx_type' },
  ...[
    'x',
    '-1',
    'th_abc-1',
    `th_${'1'.repeat(50)}-5`,
    "'",
    '%00',
    `${madeHash('th', 'x')}-`,
    `${madeHash('th', 'x')}--1`,
    `${madeHash('th', 'x')}-9999999999999999999`,
    `${madeHash('kh', 'x')}-5`,
    `${madeHash('th', 'x')}-1e3`,
  ].flatMap((cursor): BadRequest[] => [
    { path: `${LIST}?cursor=${cursor}`, status: 400, names: 'cursor' },
    { path: `/middleware/transactions/interval/1/9?limit=2&cursor=${cursor}`, status: 400, names: 'cursor' },
  ]),
  { path: `${LIST}?limit=2&page=-1&cursor=${madeHash('th', 'x')}-5`, status: 400, names: 'page' },
  ...['1', 'yes', '', '%00', 'true%00', "true'"].map((value) => ({
    path: `/middleware/count/current?int-as-string=${value}`,
    status: 400,
    names: 'int-as-string',
  })),
  ...['abc', "'", ACCOUNT.slice(0, -1), '%00', '%ff'].flatMap((owner): BadRequest[] => [
    { path: `/middleware/names?owner=${owner}`, status: 400, names: 'owner' },
    { path: `/middleware/names/active?owner=${owner}`, status: 400, names: 'owner' },
  ]),
  ...['x', '-1', '1.5', '%00'].map((lag) => ({ path: `/readyz?max-lag=${lag}`, status: 400, names: 'max-lag' })),
  ...["'", 'x;DROP', '%00', '__proto__'].map((sort) => ({
    path: `/middleware/names/auctions/active?sort=${sort}`,
    status: 200,
  })),
  ...['x', '-1', '99999999999999999999', "'"].map((length) => ({
    path: `/middleware/names/auctions/active?length=${length}`,
    status: 200,
  })),
];

/** Text is searched literally. Only text that the database cannot store is refused. */
const texts: BadRequest[] = [
  ...[
    "'",
    '%25',
    '_',
    "x'%20OR%20'1'='1",
    '%5C',
    '$1',
    '%F0%9F%92%A9',
    '%ed%a0%80',
    '%zz',
    '(((',
    '.*',
    'a'.repeat(3000),
  ].flatMap((text): BadRequest[] => [
    { path: `/middleware/names/${text}`, status: 200 },
    { path: `/middleware/names/auctions/${text}/info`, status: 404 },
    { path: `/middleware/names/auctions/bids/${text}`, status: 200 },
  ]),
  { path: '/middleware/names/%00', status: 400, names: 'name' },
  { path: '/middleware/names/a%00b', status: 400, names: 'name' },
  { path: '/middleware/names/auctions/%00/info', status: 400, names: 'name' },
  { path: '/middleware/names/auctions/bids/%00', status: 400, names: 'name' },
  { path: '/middleware/names/hash', status: 404 },
  { path: '/middleware/names/reverse', status: 404 },
  { path: '/middleware/names/auctions', status: 404 },
];

const OWN = [
  '/middleware/status',
  '/middleware/count/current',
  LIST,
  '/middleware/names',
  '/middleware/compilers',
  '/healthz',
  '/openapi.json',
];

const methods: BadRequest[] = [
  ...OWN.flatMap((path): BadRequest[] =>
    ['POST', 'PUT', 'DELETE', 'PATCH', 'PROPFIND', 'TRACE'].map((method) => ({ method, path, status: 405 })),
  ),
  ...['GET', 'PUT', 'DELETE', 'PATCH'].map((method) => ({ method, path: '/middleware/contracts/verify', status: 405 })),
  ...['GET', 'POST', 'DELETE'].flatMap((method): BadRequest[] =>
    [
      '/middleware',
      '/middleware/',
      '/middleware/nothing',
      '/middleware/status/more',
      '/middleware/names/active/x/y',
      '/middleware/transactions',
      '/middleware/generations/1',
    ].map((path) => ({ method, path, status: 404 })),
  ),
];

const VERIFY = '/middleware/contracts/verify';
const json = { 'content-type': 'application/json' };

const bodies: BadRequest[] = [
  ...[
    '',
    '{',
    '[]',
    'null',
    '1',
    '"x"',
    '{"a":}',
    "{'a':1}",
    '\xff\xfe',
    '{"contract_id":"x"',
    '[[[[',
    '{"a":1}{}',
    'undefined',
  ].map((body) => ({
    method: 'POST',
    path: VERIFY,
    headers: json,
    body,
    status: 400,
    names: 'body',
  })),
  ...[
    '{}',
    '{"contract_id":1,"source":"","compiler":""}',
    '{"contract_id":"x","source":null,"compiler":""}',
    '{"contract_id":"x","source":"x"}',
    '{"contract_id":["x"],"source":"x","compiler":"x"}',
    '{"__proto__":{"contract_id":"x","source":"x","compiler":"x"}}',
  ].map((body) => ({ method: 'POST', path: VERIFY, headers: json, body, status: 422 })),
  ...[
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/jsonx',
    'json',
    '',
  ].map((type) => ({
    method: 'POST',
    path: VERIFY,
    headers: { 'content-type': type },
    body: '{}',
    status: 415,
  })),
  { method: 'POST', path: VERIFY, body: '{}', status: 415 },
  { method: 'POST', path: VERIFY, headers: { ...json, 'content-encoding': 'gzip' }, body: '{}', status: 415 },
  { method: 'POST', path: VERIFY, headers: { ...json, 'content-length': '1048577' }, body: '{', status: 413 },
  {
    method: 'POST',
    path: '/v2/transactions',
    headers: { ...json, 'content-length': '5242881' },
    body: '{',
    status: 413,
  },
];

/** Paths that try to leave the API, and targets with hosts. */
const targets: BadRequest[] = [
  ...[
    '/middleware/..%2f..%2fetc/passwd',
    '/v2/..%2f..%2fadmin',
    '/v2/..%5cadmin',
    '/middleware/x%2f..%2f..',
    '/v2/%2e%2e%2fx',
    '/..%2f',
    '/v2/%zz%2f..%2fx',
    '/middleware/%2e%2e%5cx',
    'ftp://host/middleware/status',
    'file:///etc/passwd',
    '*',
  ].map((path) => ({ path, status: 400, names: 'target' })),
  { path: 'javascript:alert(1)', status: 400 },
  { path: 'host:80', status: 400 },
  ...[
    '/middleware/../../etc/passwd',
    '/middleware/%2e%2e/middleware/nothing',
    '/docs/../middleware/none',
    'http://other.example/middleware/none',
    'https://user:pw@other.example/middleware/none',
    '//middleware//none//',
    '/healthz/x',
    '/docs/nothing',
    '/docs/..%2e/x',
  ].map((path) => ({ path, status: 404 })),
  ...[8193, 9000, 15_000].map((length) => ({ path: `/middleware/names/${'a'.repeat(length - 18)}`, status: 414 })),
  { path: `/v2/x?${'a'.repeat(8200)}`, status: 414 },
  { path: `${LIST}?${'limit=1&'.repeat(1100)}`, status: 414 },
];

export const badRequests: readonly BadRequest[] = [
  ...ids,
  ...heights,
  ...numbers,
  ...days,
  ...queries,
  ...texts,
  ...methods,
  ...bodies,
  ...targets,
];

/** Bytes that are not HTTP, or that one reader takes for two requests and another one for one, with the status of the only answer. */
export const badBytes: readonly [bytes: string, status: number][] = [
  ['NONSENSE\r\n\r\n', 400],
  ['GET\r\n\r\n', 400],
  ['GET /middleware/status HTTP/9.9\r\nhost: x\r\n\r\n', 400],
  ['GET /middleware/ status HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['get /middleware/status HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['GET /middleware/status HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
  ['GET /v2/x HTTP/1.1\r\nhost: x\r\nexpect: magic\r\nconnection: close\r\n\r\n', 417],
  ['GET /middleware/status HTTP/1.1\r\nhost x\r\n\r\n', 400],
  ['GET /middleware/status HTTP/1.1\r\nhost: x\r\na b: c\r\n\r\n', 400],
  ['GET /middleware/status HTTP/1.1\r\nhost: x\r\na: b\x00c\r\n\r\n', 400],
  ['GET /middleware/status HTTP/1.1\r\nhost: x\r\n folded: 1\r\n\r\n', 400],
  ['GET /v2/\x00 HTTP/1.1\r\nhost: x\r\n\r\n', 400],
  ['POST /v2/x HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n', 400],
  ['POST /v2/x HTTP/1.1\r\nhost: x\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\nabcde', 400],
  ['POST /v2/x HTTP/1.1\r\nhost: x\r\ncontent-length: 5, 5\r\n\r\nabcde', 400],
  ['POST /v2/x HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n', 400],
  ['POST /v2/x HTTP/1.1\r\nhost: x\r\ncontent-length: 0x5\r\n\r\nabcde', 400],
  ['POST /v2/x HTTP/1.1\r\nhost: x\r\ncontent-length : 5\r\n\r\nabcde', 400],
  ['POST /v2/x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked, identity\r\n\r\n0\r\n\r\n', 400],
  ['POST /v2/x HTTP/1.1\r\nhost: x\r\ntransfer-encoding: xchunked\r\n\r\n0\r\n\r\n', 400],
  ['POST /v2/x HTTP/1.1\r\nhost: x\r\ntransfer-encoding:\x0bchunked\r\n\r\n0\r\n\r\n', 400],
  [`GET /middleware/status HTTP/1.1\r\nhost: x\r\na: ${'b'.repeat(20_000)}\r\n\r\n`, 431],
  [`GET /middleware/${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 414],
];
