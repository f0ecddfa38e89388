/** Metadata of a single token, read on a click. Nothing that it names is loaded: a link says to which host it leads. */
import { orNothing, readNode } from '../api.js';
import { foreign } from '../format.js';
import { Shown, useRead } from './read.js';
import { Foreign } from './token.js';

/** Members and bytes of metadata that are shown. */
const MAX_MEMBERS = 30;
const MAX_LETTERS = 200;

export function Metadata({ contract, id }: { contract: string; id: string }) {
  const path = `/mdw/v3/aex141/${encodeURIComponent(contract)}/tokens/${encodeURIComponent(id)}`;
  const loaded = useRead((signal) => orNothing(readNode(path, signal)), [path]);
  return (
    <Shown of={loaded}>
      {(body) => {
        const rows = membersOf(body?.['metadata']);
        return rows.length === 0 ? (
          <span class="quiet">not known</span>
        ) : (
          <dl class="facts told">
            {rows.slice(0, MAX_MEMBERS).map(([name, text]) => (
              <div key={name}>
                <dt>
                  <Foreign text={name} most={24} />
                </dt>
                <dd>
                  <Linked text={text} />
                </dd>
              </div>
            ))}
          </dl>
        );
      }}
    </Shown>
  );
}

/** `{"url": …}`, `{"id": …}` or `{"map": {…}}`, as names and texts. */
function membersOf(metadata: unknown): [string, string][] {
  if (typeof metadata !== 'object' || metadata === null) return [];
  return Object.entries(metadata as Record<string, unknown>).flatMap(([name, value]): [string, string][] =>
    typeof value === 'object' && value !== null
      ? Object.entries(value as Record<string, unknown>).map(([key, text]) => [key, String(text)])
      : [[name, String(value)]],
  );
}

/** An address of the web as a link, which the reader follows or not; else text. */
function Linked({ text }: { text: string }) {
  const host = hostOf(text);
  if (host === undefined) return <Foreign text={text} most={MAX_LETTERS} />;
  return (
    <a href={text} rel="noopener noreferrer" target="_blank" title={foreign(text, 300)}>
      Open at {foreign(host)}
    </a>
  );
}

function hostOf(text: string): string | undefined {
  if (!/^https:\/\//i.test(text)) return undefined;
  try {
    return new URL(text).host;
  } catch {
    return undefined;
  }
}
