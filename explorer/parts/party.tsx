import { pageOf } from '../address.js';
import { useName } from './name-of.js';
import { Id, NameLink } from './values.js';

/** Somebody or something in a row or a sentence: its name, or a short identifier. */
export function Party({ of }: { of: string }) {
  const name = useName(of);
  if (of.includes('.')) return <NameLink name={of} />;
  if (name === undefined) return <Id id={of} short />;
  if (of.startsWith('nm_')) return <NameLink name={name} />;
  return (
    <a class="nm" title={of} href={pageOf(of)}>
      {name}
    </a>
  );
}
