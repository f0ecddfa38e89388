import { useState } from 'preact/hooks';
import { Icon } from './icon.js';

/** Time for which the copy button shows success, ms. */
const SHOWN_MS = 1_500;

export function Copy({ text, what }: { text: string; what: string }) {
  const [done, setDone] = useState(false);
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(() => {
      setDone(true);
      setTimeout(() => setDone(false), SHOWN_MS);
    });
  };
  return (
    <button type="button" class="copy" aria-label={`Copy ${what}`} title={`Copy ${what}`} onClick={copy}>
      <Icon name={done ? 'done' : 'copy'} />
    </button>
  );
}
