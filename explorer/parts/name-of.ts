import { useEffect, useState } from 'preact/hooks';
import { read } from '../api.js';

/** Names by their hashes, as far as they were asked for: a hash always has the same name. */
const known = new Map<string, Promise<string | undefined>>();

/** The name with this hash; undefined if nobody claimed it, and for other identifiers. */
export function nameOf(id: string): Promise<string | undefined> {
  if (!id.startsWith('nm_')) return Promise.resolve(undefined);
  const asked = known.get(id);
  if (asked !== undefined) return asked;
  const found = read('/middleware/names/hash/{hash}', { hash: id }).then(
    ({ body }) => body.name.name,
    () => {
      known.delete(id);
      return undefined;
    },
  );
  known.set(id, found);
  return found;
}

/** The same; undefined until it was read. */
export function useName(id: string): string | undefined {
  const [found, setFound] = useState<{ id: string; name: string | undefined }>();
  useEffect(() => {
    let ended = false;
    void nameOf(id).then((name) => !ended && setFound({ id, name }));
    return () => {
      ended = true;
    };
  }, [id]);
  return found?.id === id ? found.name : undefined;
}
