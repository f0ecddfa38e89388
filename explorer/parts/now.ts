import { useEffect, useRef, useState } from 'preact/hooks';
import { isOffline } from '../trouble.js';

/** The current time, ms. It changes each second. */
export function useClock(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  return now;
}

/** The same, but it stands still without a connection: what is shown is of then. */
export function useNow(): number {
  const clock = useClock();
  const last = useRef(clock);
  if (!isOffline()) last.current = clock;
  return last.current;
}
