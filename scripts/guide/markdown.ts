/** Reads Markdown documents: headings with their anchors, links, blocks of code. */
import { lexer, walkTokens } from 'marked';
import type { Token, Tokens } from 'marked';

export interface Block {
  language: string;
  text: string;
}

/** Fenced blocks of code, in order. */
export const blocksOf = (markdown: string): Block[] =>
  tokensOf(markdown, 'code').map(({ lang = '', text }) => ({ language: lang, text: `${text}\n` }));

/** Inline code of sentences and tables. */
export const namesOf = (markdown: string): string[] => tokensOf(markdown, 'codespan').map(({ text }) => text);

/** Targets of links and images. */
export const linksOf = (markdown: string): string[] => [
  ...tokensOf(markdown, 'link').map(({ href }) => href),
  ...tokensOf(markdown, 'image').map(({ href }) => href),
];

/** Anchors of the headings, in the form that GitHub uses. */
export function anchorsOf(markdown: string): string[] {
  const anchor = createAnchors();
  return tokensOf(markdown, 'heading').map(anchor);
}

/** Returns a function that gives each heading of a document a unique anchor. */
export function createAnchors(): (heading: Tokens.Heading) => string {
  const times = new Map<string, number>();
  return ({ tokens }) => {
    const plain = plainText(tokens)
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replace(/\s/g, '-');
    const count = times.get(plain) ?? 0;
    times.set(plain, count + 1);
    return count === 0 ? plain : `${plain}-${count}`;
  };
}

/** Text without markup. */
export const plainText = (tokens: readonly Token[]): string =>
  tokens
    .map((token) => ('tokens' in token && token.tokens !== undefined ? plainText(token.tokens) : textOf(token)))
    .join('');

const textOf = (token: Token): string => ('text' in token ? String(token.text) : '');

interface Kinds {
  code: Tokens.Code;
  codespan: Tokens.Codespan;
  heading: Tokens.Heading;
  image: Tokens.Image;
  link: Tokens.Link;
}

function tokensOf<Kind extends keyof Kinds>(markdown: string, kind: Kind): Kinds[Kind][] {
  const found: Kinds[Kind][] = [];
  void walkTokens(lexer(markdown), (token) => {
    if (token.type === kind) found.push(token as Kinds[Kind]);
  });
  return found;
}
