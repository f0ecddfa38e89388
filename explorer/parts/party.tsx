import { pageOf, pageOfName } from '../address.js';
import { useName } from './name-of.js';
import { Id, NameLink, Shortened } from './values.js';

/** Somebody or something in a row or a sentence: its name, or a short identifier. */
export function Party({ of }: { of: string }) {
  const name = useName(of);
  if (of.includes('.')) return <NameLink name={of} />;
  const page = name !== undefined && of.startsWith('nm_') ? pageOfName(name) : pageOf(of);
  if (page === undefined) return <Id id={of} short />;
  // One element before and after the name arrives, so that a focus on it stays.
  return (
    <a class={name === undefined ? 'id' : 'nm'} title={of} href={page}>
      {name ?? <Shortened id={of} />}
    </a>
  );
}
