/** Group of the resource. In its own file because the schema is slow to build, and most commands do not need the schema. */
export const GROUP = 'chain-middleware.io';
/** Version that the operator reads and writes, and that the API server stores. */
export const VERSION = 'v1alpha1';
/** All served versions. They have the same fields, so the API server can convert between them. */
export const SERVED_VERSIONS: readonly string[] = [VERSION, 'v1beta1', 'v1'];
export const API_VERSION = `${GROUP}/${VERSION}`;
export const KIND = 'Middleware';
export const PLURAL = 'middlewares';
