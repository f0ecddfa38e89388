/** Sets of URLs, a power of two. The last bits of the hash of a URL give its set. */
const SETS = 512;
/** URLs in a set. In sets of one, two popular URLs of the same set would replace each other, and neither would be cached. */
const WAYS = 16;

/**
 * The URLs that were requested recently, about as many as the cache holds answers: what is requested less often would have left the
 * cache before its next request. Only a hash of each is stored.
 */
interface RequestedUrls {
  /** Whether the URL was requested before, as far as known. A URL that replaces the oldest one of its set makes it new again. */
  checkAndAdd(url: string): boolean;
}

export function createRequestedUrls(): RequestedUrls {
  const hashes = new Int32Array(SETS * WAYS);
  return {
    checkAndAdd(url) {
      // FNV-1a.
      let hash = 0x811c9dc5 | 0;
      for (let i = 0; i < url.length; i++) hash = Math.imul(hash ^ url.charCodeAt(i), 0x01000193);
      const first = (hash & (SETS - 1)) * WAYS;
      let at = first;
      while (at < first + WAYS - 1 && hashes[at] !== hash) at++;
      const isKnown = hashes[at] === hash;
      // The set is in the order of the last requests.
      for (; at > first; at--) hashes[at] = hashes[at - 1]!;
      hashes[first] = hash;
      return isKnown;
    },
  };
}
