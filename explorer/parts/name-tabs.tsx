const TABS = { names: 'Active names', auctions: 'In auction' } as const;

export const NameTabs = ({ at }: { at: keyof typeof TABS }) => (
  <nav class="tabs" aria-label="Names">
    {Object.entries(TABS).map(([page, title]) => (
      <a key={page} href={`#/${page}`} aria-current={page === at ? 'page' : undefined}>
        {title}
      </a>
    ))}
  </nav>
);
