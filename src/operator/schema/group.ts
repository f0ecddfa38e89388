/** How the API server names the resource. In its own file: the schema is slow to build, and most commands do not need it. */
export const GROUP = 'chain-middleware.io';
export const VERSION = 'v1alpha1';
export const API_VERSION = `${GROUP}/${VERSION}`;
export const KIND = 'Middleware';
export const PLURAL = 'middlewares';
