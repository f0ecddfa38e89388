import type { Middleware } from '../types.js';

/** Whether servers have a port whose root is the compatible API. */
export const hasCompatiblePort = ({ server, ingress, httpRoute }: Middleware['spec']): boolean =>
  server.compatibleApi || ingress?.compatibleHost !== undefined || httpRoute?.compatibleHostnames !== undefined;
