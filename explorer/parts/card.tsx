import type { ComponentChildren } from 'preact';
import { Copy } from './copy.js';

/** A part of a page. `more` is on the right of its head: the count, or the one link. */
export function Card(props: { title: string; more?: ComponentChildren; children: ComponentChildren }) {
  const { title, more, children } = props;
  return (
    <section class="card" aria-label={title}>
      <header>
        <h2>{title}</h2>
        {more !== undefined && <span class="more">{more}</span>}
      </header>
      {children}
    </section>
  );
}

/** The head of a page: state, one sentence, identifier. */
export function Head(props: { eyebrow?: ComponentChildren; title: ComponentChildren; id?: string | undefined }) {
  const { eyebrow, title, id } = props;
  return (
    <div class="head">
      {eyebrow !== undefined && <p class="eyebrow">{eyebrow}</p>}
      <h1>{title}</h1>
      {id !== undefined && (
        <p class="idline">
          <code>{id}</code>
          <Copy text={id} what="identifier" />
        </p>
      )}
    </div>
  );
}

/** A few numbers of the thing that the page is about, at most five. */
export const Figures = ({ children }: { children: ComponentChildren }) => <dl class="figures">{children}</dl>;

export function Figure({ name, sub, children }: { name: string; sub?: string; children: ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
      {sub !== undefined && <dd class="sub">{sub}</dd>}
    </div>
  );
}

/** In place of a list without rows: what is missing, and one way on. */
export const Empty = ({ title, children }: { title: string; children?: ComponentChildren }) => (
  <p class="empty">
    <b>{title}</b>
    {children}
  </p>
);

/** A notice about the whole page. */
export function Note({ tone = '', children }: { tone?: 'bad' | 'wait' | ''; children: ComponentChildren }) {
  return (
    <div class={`note ${tone}`} role="status">
      <div>{children}</div>
    </div>
  );
}
