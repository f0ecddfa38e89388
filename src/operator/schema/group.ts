/** How the API server names the resource. Apart from its schema, which takes its time to build, for those that only ask. */
export const GROUP = 'chain-middleware.io';
export const VERSION = 'v1alpha1';
export const API_VERSION = `${GROUP}/${VERSION}`;
export const KIND = 'Middleware';
export const PLURAL = 'middlewares';
