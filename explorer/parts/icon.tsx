const PATHS = {
  done: 'M3 8.5l3.2 3.2L13 4.8',
  failed: 'M4 4l8 8M12 4l-8 8',
  waiting: 'M8 4.5V8l2.5 1.5M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z',
  unknown: 'M6 6a2 2 0 1 1 3 1.8c-.7.5-1 .9-1 1.7M8 11.8v.2',
  copy: 'M5.5 5.5h8v8h-8zM2.5 10.5v-8h8',
  search: 'M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM10.6 10.6L14 14',
  trouble: 'M8 2.2L14.5 13.5h-13zM8 6.5v3.2M8 11.6v.1',
  offline: 'M2 2l12 12M4.7 6.2A3.3 3.3 0 0 0 4.8 12.8h6.4M13.6 11.6a2.8 2.8 0 0 0-1.9-4.9A4.2 4.2 0 0 0 6.6 4',
  again: 'M13 8a5 5 0 1 1-1.5-3.5M13 2v3h-3',
  info: 'M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0zM8 7.3v3.5M8 5v.1',
  save: 'M8 2v8M4.5 6.5L8 10l3.5-3.5M2.5 13.5h11',
} as const;

export type IconName = keyof typeof PATHS;

/** A decoration: the word beside it says the same. */
export const Icon = ({ name }: { name: IconName }) => (
  <svg class="ico" viewBox="0 0 16 16" aria-hidden="true">
    <path d={PATHS[name]} />
  </svg>
);
