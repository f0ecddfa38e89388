import { MiddlewareError } from '../observe/errors.js';

/** Address of an HTTP service. */
export interface ServiceAddress {
  /** Origin and path prefix, without a slash at the end and without credentials. Used for requests, logs and reports. */
  readonly url: string;
  /** Value of the `authorization` header, if the address has a user and password. */
  readonly authorization: string | undefined;
}

/**
 * Parses an address, for example `localhost:3013` or `https://user:secret@node.example/prefix/`. Query and fragment are dropped. Throws
 * `invalid_url`; the message does not repeat the text, which may contain a secret.
 */
export function serviceAddress(text: string): ServiceAddress {
  const trimmed = text.trim();
  let url: URL;
  let credentials: string;
  try {
    url = new URL(/^[a-z][a-z0-9+.-]*:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`);
    credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
  } catch {
    throw new MiddlewareError('invalid_url', 'an address is not a URL');
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new MiddlewareError('invalid_url', `an address must be http or https, not ${url.protocol}`);
  }
  return {
    url: url.origin + url.pathname.replace(/\/+$/, ''),
    authorization: credentials === ':' ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`,
  };
}
