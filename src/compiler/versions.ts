import { MiddlewareError } from '../observe/errors.js';
import { createCompilerService } from './service.js';

/** A compiler of one version. */
interface Compiler {
  /** Bytecode (`cb_…`) of a source; null if the compiler refuses it. */
  compile(source: string): Promise<string | null>;
}

/** The compilers of several services with different versions. Throws the faults of `CompilerService`. */
export interface Compilers {
  /** All versions, in the order of the services. Versions of a service that does not answer are missing. */
  versions(): Promise<string[]>;
  /** Undefined if no service has the version. Throws if a service that may have it does not answer. */
  ofVersion(version: string): Promise<Compiler | undefined>;
  close(): void;
}

export function createCompilers(urls: readonly string[], timeoutMs: number, caFile?: string): Compilers {
  const services = urls.map((url) => createCompilerService({ urls: [url], timeoutMs, caFile }));

  /** Versions of each service that answered, and the fault of the first one that did not. */
  async function ask(): Promise<{ known: { at: number; versions: string[] }[]; fault: Error | undefined }> {
    const answers = await Promise.allSettled(services.map((service) => service.versions()));
    return {
      known: answers.flatMap((one, at) => (one.status === 'fulfilled' ? [{ at, versions: one.value }] : [])),
      fault:
        services.length === 0
          ? new MiddlewareError('compiler_unreachable', 'no compiler is configured')
          : (answers.find((one) => one.status === 'rejected')?.reason as Error | undefined),
    };
  }

  return {
    async versions() {
      const { known, fault } = await ask();
      if (known.length === 0 && fault !== undefined) throw fault;
      return [...new Set(known.flatMap(({ versions }) => versions))];
    },
    async ofVersion(version) {
      const { known, fault } = await ask();
      const service = services[known.find(({ versions }) => versions.includes(version))?.at ?? -1];
      if (service === undefined && fault !== undefined) throw fault;
      return service && { compile: (source) => service.compile(source, version) };
    },
    close() {
      for (const service of services) service.close();
    },
  };
}
