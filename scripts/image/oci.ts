import { createHash } from 'node:crypto';
import { tarOfContents } from './tar.js';

export interface ImageConfig {
  user: string;
  workdir: string;
  entrypoint: readonly string[];
  env: Readonly<Record<string, string>>;
  labels: Readonly<Record<string, string>>;
  ports: readonly string[];
}

/** Node's name of an architecture in the words of the image format. */
const ARCHITECTURE: Partial<Record<NodeJS.Architecture, string>> = { x64: 'amd64', arm64: 'arm64' };

/** Programs take the first part for a host only when it looks like one; otherwise each completes the name in its way. */
const WHOLE_NAME = /^(localhost|[^/@]+[.:][^/@]+)(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+:\w[\w.-]*$/;

/**
 * An OCI image archive of uncompressed layers (tar archives, lowest first), which `podman load`, `docker load`,
 * `skopeo copy` and `ctr images import` take. No time of day is in it.
 */
export function imageArchive(name: string, layers: readonly Buffer[], config: ImageConfig): Buffer {
  if (!WHOLE_NAME.test(name)) {
    throw new Error(`The kubelet would not find an image of the name ${name}: HOST/REPOSITORY:TAG is needed`);
  }
  const blobs: Record<string, Buffer> = {};
  const put = (mediaType: string, data: Buffer) => {
    const hash = createHash('sha256').update(data).digest('hex');
    blobs[`blobs/sha256/${hash}`] = data;
    return { mediaType, digest: `sha256:${hash}`, size: data.length };
  };
  const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

  const layerBlobs = layers.map((layer) => put('application/vnd.oci.image.layer.v1.tar', layer));
  const platform = { architecture: ARCHITECTURE[process.arch] ?? process.arch, os: 'linux' };
  const configBlob = put(
    'application/vnd.oci.image.config.v1+json',
    json({
      ...platform,
      created: '1970-01-01T00:00:00Z',
      config: {
        User: config.user,
        WorkingDir: config.workdir,
        Entrypoint: config.entrypoint,
        Env: Object.entries(config.env).map(([variable, value]) => `${variable}=${value}`),
        Labels: config.labels,
        ExposedPorts: Object.fromEntries(config.ports.map((port) => [`${port}/tcp`, {}])),
        StopSignal: 'SIGTERM',
      },
      rootfs: { type: 'layers', diff_ids: layerBlobs.map(({ digest }) => digest) },
    }),
  );
  const manifest = put(
    'application/vnd.oci.image.manifest.v1+json',
    json({
      schemaVersion: 2,
      mediaType: 'application/vnd.oci.image.manifest.v1+json',
      config: configBlob,
      layers: layerBlobs,
    }),
  );
  const index = json({
    schemaVersion: 2,
    mediaType: 'application/vnd.oci.image.index.v1+json',
    manifests: [
      {
        ...manifest,
        platform,
        annotations: {
          'io.containerd.image.name': name,
          'org.opencontainers.image.ref.name': name.slice(name.lastIndexOf(':') + 1),
        },
      },
    ],
  });
  // Docker without containerd's store reads this alone.
  const path = ({ digest }: { digest: string }): string => `blobs/${digest.replace(':', '/')}`;
  const docker = json([{ Config: path(configBlob), RepoTags: [name], Layers: layerBlobs.map(path) }]);
  return tarOfContents({
    'oci-layout': json({ imageLayoutVersion: '1.0.0' }),
    'index.json': index,
    'manifest.json': docker,
    ...blobs,
  });
}
