/** Back returns to the same place of a page: each entry of the history remembers how far the page was scrolled. */

const SAVE_MS = 100;
/** What ends an attempt to return: the reader has taken over. */
const TAKEN_OVER = ['wheel', 'touchstart', 'pointerdown', 'keydown'];

let stop: (() => void) | undefined;

export function keepPlaces(): void {
  history.scrollRestoration = 'manual';
  let timer: ReturnType<typeof setTimeout> | undefined;
  addEventListener(
    'scroll',
    () => {
      clearTimeout(timer);
      const at = location.hash;
      timer = setTimeout(() => {
        if (stop === undefined && location.hash === at) history.replaceState({ y: scrollY }, '');
      }, SAVE_MS);
    },
    { passive: true },
  );
}

/** Goes to the place where the present entry of the history was left; to the top if it is new. */
export function goToPlace(): void {
  stop?.();
  const y = (history.state as { y?: number } | null)?.y;
  scrollTo(0, y ?? 0);
  if (y === undefined || scrollY >= y) return;
  // The page is shorter until its rows are there.
  const resized = new ResizeObserver(() => {
    scrollTo(0, y);
    if (scrollY >= y - 1) stop?.();
  });
  stop = () => {
    resized.disconnect();
    for (const type of TAKEN_OVER) removeEventListener(type, stop!);
    stop = undefined;
  };
  for (const type of TAKEN_OVER) addEventListener(type, stop, { passive: true });
  resized.observe(document.body);
}
