import { sha256, sha512Of } from '../image/hash.js';
import { ARCHITECTURES, ARCHIVES, PINS } from '../image/pins.js';
import type { Architecture } from '../image/pins.js';
import { ABOUT } from './about.js';
import type { Places } from './about.js';

export interface Origin {
  /** Commit of the source. */
  commit: string;
  /** URI of the builder. */
  builder: string;
  /** Content of package-lock.json. */
  lock: Buffer;
}

interface Subject {
  name: string;
  digest: { sha256: string };
}

/**
 * Sources and builder of the files, as an in-toto statement with an SLSA predicate. It contains no time, so that two builds of
 * the same commit give the same statement, except for the builder.
 */
export function provenance(subjects: readonly Subject[], places: Places, { commit, builder, lock }: Origin) {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: subjects,
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `urn:${ABOUT.name}:make-release:v1`,
        externalParameters: { version: ABOUT.version, ...places },
        resolvedDependencies: [
          { name: 'source', digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: sha256(lock) } },
          ...ARCHITECTURES.flatMap(pinned),
        ],
      },
      runDetails: { builder: { id: builder } },
    },
  };
}

const pinned = (architecture: Architecture): object[] => {
  const { debian, node } = PINS[architecture];
  return [
    ...debian.map(({ path, sha256 }) => ({ uri: `${ARCHIVES[0]}/${path}`, digest: { sha256 } })),
    {
      uri: `pkg:npm/${node.name}@${node.version}`,
      digest: { sha512: sha512Of(node.integrity) },
    },
  ];
};
