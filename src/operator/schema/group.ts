/** How the API server names the resource. In its own file: the schema is slow to build, and most commands do not need it. */
export const GROUP = 'chain-middleware.io';
/** In which the operator reads and writes, and the API server stores. */
export const VERSION = 'v1alpha1';
/** All have the same fields, so that the API server converts them by itself. */
export const SERVED_VERSIONS: readonly string[] = [VERSION, 'v1beta1'];
export const API_VERSION = `${GROUP}/${VERSION}`;
export const KIND = 'Middleware';
export const PLURAL = 'middlewares';
