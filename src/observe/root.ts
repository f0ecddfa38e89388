/** The folder of the package. The sources are in `src` of it, the program is in `dist/src`. */
export const ROOT = new URL(import.meta.url.endsWith('.ts') ? '../../' : '../../../', import.meta.url);
