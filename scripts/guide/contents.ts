/** The guide: its pages in the order in which they are read. Everything that lists them is made from here. */

export interface Page {
  /** Address under `/guide`, and name of the file. */
  name: string;
  /** A document, or a folder of documents that make one page. */
  source: string;
  title: string;
  about: string;
}

interface Section {
  title: string;
  pages: readonly Page[];
}

const doc = (name: string, title: string, about: string): Page => ({ name, source: `docs/${name}.md`, title, about });
const folder = (name: string, title: string, about: string): Page => ({ name, source: `docs/${name}`, title, about });

export const SECTIONS: readonly Section[] = [
  {
    title: 'Begin',
    pages: [
      doc('introduction', 'What it is', 'what it does, what it is made of, and what it does not do'),
      doc('quick-start', 'Quick start', 'everything on this machine within minutes, with a chain that lives'),
      doc('own-node', 'Your node, your database', 'from the demo to a node and a PostgreSQL of your own'),
      doc('configuration', 'Configuration', 'every setting, and what stands behind it'),
      doc('commands', 'Commands', 'flags, commands, exit statuses, start and end of a process'),
    ],
  },
  {
    title: 'Use',
    pages: [
      doc('requests', 'Ask over HTTP', 'examples in curl, JavaScript and Python'),
      doc('accounts', 'Accounts and exports', 'what an account did, as JSON, CSV or NDJSON'),
      doc('following', 'Follow the chain', 'examples of events in curl, JavaScript and Python'),
      doc('sql', 'Ask in SQL', 'a role that only reads, and the views and tables it may rely on'),
      doc('http', 'HTTP in full', 'rules, exports and every endpoint'),
      doc('events', 'Events in full', 'messages, order, cursors and limits'),
      doc('errors', 'Errors', 'every error by its code, with what to do'),
    ],
  },
  {
    title: 'Run',
    pages: [
      doc('day-to-day', 'Day to day', 'health, logs, backups, disk, and what to do when something is wrong'),
      doc('upgrading', 'Upgrading', 'a newer release, and back'),
      doc('kubernetes', 'Kubernetes', 'image, operator, and the resource that runs it all'),
      doc('refusals', 'Refusals', 'what is refused in a resource or in values, and what is read then'),
      {
        name: 'chart',
        source: 'charts/chain-middleware/README.md',
        title: 'The chart',
        about: 'every value of the Helm chart',
      },
      doc('gitops', 'GitOps', 'Argo CD and Flux: when a change is done'),
      doc('reload', 'Reload', 'the chain loaded again while clients are served'),
      doc('operations', 'Operations', 'what is injected, what must hold, and the test that shows it'),
      doc('metrics', 'Metrics', 'everything that is measured'),
      folder('runbooks', 'Alerts', 'what each alert means, and what to do about it'),
      doc('trust', 'Trust', 'what is proven of the data of a node, and what is believed'),
      doc('security', 'Threat model', 'who may send what where, what stops abuse, and the test that shows it'),
      doc('scale', 'Scale', 'what it takes: time, disk, memory, replicas'),
    ],
  },
  {
    title: 'Understand',
    pages: [
      doc('glossary', 'Glossary', 'one word for one thing'),
      doc('architecture', 'Architecture', 'the parts, and the way of a block through them'),
      folder('protocol', 'Protocol', 'facts of the chain that the program follows'),
      folder('decisions', 'Decisions', 'each decision, with its reasons'),
      { name: 'measured', source: 'bench/README.md', title: 'Measured', about: 'what each benchmark measured' },
    ],
  },
  {
    title: 'Take part',
    pages: [
      doc('devnode', 'The simulated node', 'a node for development, and flows to walk on it'),
      {
        name: 'contributing',
        source: 'CONTRIBUTING.md',
        title: 'Contributing',
        about: 'run, test and change it',
      },
      doc('releasing', 'Releasing', 'what a release consists of, how it is made, signed and checked'),
      doc('dependencies', 'Dependencies', 'each package, its licence, what it is for, and the policy'),
      {
        name: 'security-policy',
        source: 'SECURITY.md',
        title: 'Security',
        about: 'what the service relies on, and how to report a fault',
      },
      { name: 'changelog', source: 'CHANGELOG.md', title: 'Changelog', about: 'what users notice of each release' },
    ],
  },
];

export const PAGES: readonly Page[] = SECTIONS.flatMap(({ pages }) => pages);

/** The list itself as a page. */
export const CONTENTS: Page = { name: 'contents', source: 'docs/README.md', title: 'Contents', about: 'all pages' };

/** Files beside the pages, by their names under `/guide`. */
export const FILES: Readonly<Record<string, string>> = { 'node.yaml': 'docs/samples/node.yaml' };

/** The list in Markdown, for a document in `docs`. */
export function contentsList(): string {
  const line = ({ source, title, about }: Page): string =>
    `- [${title}](${source.startsWith('docs/') ? source.slice('docs/'.length) : `../${source}`}): ${about}`;
  return SECTIONS.map((section) => `## ${section.title}\n\n${section.pages.map(line).join('\n')}`).join('\n\n');
}
