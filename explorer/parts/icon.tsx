const PATHS = {
  done: 'M3 8.5l3.2 3.2L13 4.8',
  failed: 'M4 4l8 8M12 4l-8 8',
  waiting: 'M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  unknown: 'M6 6a2 2 0 1 1 3 1.8c-.7.5-1 .9-1 1.7M8 11.8v.2',
  copy: 'M5.5 5.5h8v8h-8zM2.5 10.5v-8h8',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6L14 14',
  save: 'M8 2v8M4.5 6.5L8 10l3.5-3.5M2.5 13.5h11',
} as const;

export type IconName = keyof typeof PATHS;

/** A decoration: the word beside it says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="ico" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
