/** Keys that do something by themselves. They can be switched off: a letter may be spoken or hit by accident. */

export const KEYS: readonly { keys: readonly string[]; does: string }[] = [
  { keys: ['/'], does: 'Search' },
  { keys: ['j', 'k'], does: 'Next and previous row; Enter opens it' },
  { keys: ['n'], does: 'Show the new rows' },
  { keys: ['[', ']'], does: 'Generation before and after' },
  { keys: ['?'], does: 'This list' },
];

const STORED = 'keys';
let isOn = stored() !== 'off';

/** A browser may forbid to store anything. */
function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null;
  }
}

export const areKeysOn = (): boolean => isOn;

export function switchKeys(on: boolean): void {
  isOn = on;
  try {
    localStorage.setItem(STORED, on ? 'on' : 'off');
  } catch {
    // It is switched for this visit only.
  }
}

/** Calls back for a key of the list, until the returned function is called. Not while a field or a dialog has the focus. */
export function onKey(key: string, act: (event: KeyboardEvent) => void): () => void {
  const listener = (event: KeyboardEvent): void => {
    const { target, ctrlKey, metaKey, altKey } = event;
    if (event.key !== key || !isOn || ctrlKey || metaKey || altKey || event.defaultPrevented) return;
    if (target instanceof Element && target.closest('input, select, textarea, dialog') !== null) return;
    act(event);
  };
  addEventListener('keydown', listener);
  return () => removeEventListener('keydown', listener);
}
