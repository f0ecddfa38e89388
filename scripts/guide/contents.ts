/** The pages of the guide, in reading order. Every list of pages is generated from this one. */

export interface Page {
  /** Path under `/guide`, and name of the file. */
  name: string;
  /** A document, or a folder whose documents form one page. */
  source: string;
  title: string;
  about: string;
  /** Which documents of the folder form the page, by the name of the file; all if it is absent. */
  documents?: (name: string) => boolean;
}

interface Section {
  title: string;
  pages: readonly Page[];
}

const doc = (name: string, title: string, about: string): Page => ({ name, source: `docs/${name}.md`, title, about });
const folder = (name: string, title: string, about: string): Page => ({ name, source: `docs/${name}`, title, about });

/** Some of the decisions: all of them would be too long a page. */
const decisions = (from: number, to: number): Page => ({
  ...folder('decisions', `Decisions ${from} to ${to}`, 'each decision, with its reasons'),
  name: from === 1 ? 'decisions' : `decisions-${from}`,
  documents: (name) => Number(name.slice(0, 4)) >= from && Number(name.slice(0, 4)) <= to,
});

export const SECTIONS: readonly Section[] = [
  {
    title: 'Begin',
    pages: [
      doc('introduction', 'What it is', 'what it does, what it is made of, and what it does not do'),
      doc('quick-start', 'Quick start', 'everything on this machine within minutes, with a chain that grows'),
      doc('own-node', 'Your node, your database', 'from the demo to a node and a PostgreSQL of your own'),
      doc('own-network', 'Your own network', 'hyperchains, private networks and development chains'),
      doc('configuration', 'Configuration', 'every setting, and how to use it'),
      doc('commands', 'Commands', 'flags, commands, exit statuses, start and end of a process'),
    ],
  },
  {
    title: 'Use',
    pages: [
      doc('requests', 'Ask over HTTP', 'examples in curl, JavaScript and Python'),
      doc('accounts', 'Accounts and exports', 'what an account did, as JSON, CSV or NDJSON'),
      doc('statement', 'A statement of a year', 'what came in and went out of one account in 2025, in a spreadsheet'),
      doc('following', 'Follow the chain', 'examples of events in curl, JavaScript and Python'),
      doc('sql', 'Ask in SQL', 'a role that only reads, and the views and tables that stay stable'),
      doc('explorer', 'The explorer', 'its pages, keys and states, with pictures'),
      doc('http', 'HTTP in full', 'rules, exports and every endpoint'),
      doc(
        'compatible-api',
        'The compatible API',
        'what explorers, wallets and the SDK of today call, and how to point them here',
      ),
      doc('events', 'Events in full', 'messages, order, cursors and limits'),
      doc('errors', 'Errors', 'every error code, with what to do'),
    ],
  },
  {
    title: 'Run',
    pages: [
      doc('day-to-day', 'Day to day', 'health, logs, backups, disk, and what to do when something is wrong'),
      doc('upgrading', 'Upgrading', 'to a newer release, and back'),
      doc('promises', 'Promises', 'what a release keeps, and how something is removed'),
      doc('kubernetes', 'Kubernetes', 'image, operator, and the resource that runs everything'),
      doc('refusals', 'Refusals', 'wrong resources and values, with the messages that you get'),
      {
        name: 'chart',
        source: 'charts/chain-middleware/README.md',
        title: 'The chart',
        about: 'every value of the Helm chart',
      },
      doc('gitops', 'GitOps', 'Argo CD and Flux: how they see that a change is done'),
      doc('reload', 'Reload', 'load the chain again while clients are served'),
      doc('operations', 'Operations', 'the failures that are tested, what must still work, and the test that shows it'),
      doc('metrics', 'Metrics', 'everything that is measured'),
      folder('runbooks', 'Alerts', 'what each alert means, and what to do about it'),
      doc('trust', 'Trust', 'which data of a node is proven, and which is believed'),
      doc('security', 'Threat model', 'who may send what where, what stops abuse, and the test that shows it'),
      doc('scale', 'Scale', 'the time, disk, memory and replicas that it needs'),
    ],
  },
  {
    title: 'Understand',
    pages: [
      doc('glossary', 'Glossary', 'one word for one thing'),
      doc('architecture', 'Architecture', 'the parts, and the path of a block through them'),
      folder('protocol', 'Protocol', 'facts of the chain that the program follows'),
      decisions(1, 19),
      decisions(20, 39),
      decisions(40, 59),
      decisions(60, 79),
      { name: 'measured', source: 'bench/README.md', title: 'Measured', about: 'what each benchmark measured' },
    ],
  },
  {
    title: 'Take part',
    pages: [
      doc('devnode', 'The simulated node', 'a node for development, and flows to run on it'),
      {
        name: 'contributing',
        source: 'CONTRIBUTING.md',
        title: 'Contributing',
        about: 'how to run, test and change the program',
      },
      doc('releasing', 'Releasing', 'the files of a release, and how to make, sign and check them'),
      doc('dependencies', 'Dependencies', 'each package, its licence, its purpose, and the policy'),
      {
        name: 'security-policy',
        source: 'SECURITY.md',
        title: 'Security',
        about: 'what the service relies on, and how to report a fault',
      },
      { name: 'changelog', source: 'CHANGELOG.md', title: 'Changelog', about: 'the changes of each release for users' },
    ],
  },
];

export const PAGES: readonly Page[] = SECTIONS.flatMap(({ pages }) => pages);

/** The page that lists all pages. */
export const CONTENTS: Page = { name: 'contents', source: 'docs/README.md', title: 'Contents', about: 'all pages' };

/** Files that are served in addition to the pages: name under `/guide`, and path. */
export const FILES: Readonly<Record<string, string>> = { 'node.yaml': 'docs/samples/node.yaml' };
