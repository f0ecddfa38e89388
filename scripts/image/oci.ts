import { sha256 } from './hash.js';
import type { Architecture } from './pins.js';
import { tarOfContents } from './tar.js';

export interface ImageConfig {
  user: string;
  workdir: string;
  entrypoint: readonly string[];
  env: Readonly<Record<string, string>>;
  labels: Readonly<Record<string, string>>;
  ports: readonly string[];
}

/** Uncompressed layers (tar archives), lowest first. */
export interface PlatformImage {
  architecture: Architecture;
  layers: readonly Buffer[];
}

interface Descriptor {
  mediaType: string;
  digest: string;
  size: number;
  platform?: { architecture: Architecture; os: string };
  annotations?: Record<string, string>;
}

/** A complete image name. If the first part does not look like a host, programs complete the name in different ways. */
const WHOLE_NAME = /^(localhost|[^/@]+[.:][^/@]+)(\/[a-z0-9]+([._-]+[a-z0-9]+)*)+:\w[\w.-]*$/;

/**
 * An OCI image archive, for `podman load`, `skopeo copy` and `ctr images import`, and its digest in a registry. It contains an
 * image for one architecture, which `docker load` accepts too, or an index of several. It contains no time of the build.
 */
export function imageArchive(
  name: string,
  images: readonly PlatformImage[],
  config: ImageConfig,
): { archive: Buffer; digest: string } {
  if (!WHOLE_NAME.test(name)) {
    throw new Error(`The kubelet would not find an image of the name ${name}: HOST/REPOSITORY:TAG is needed`);
  }
  const blobs: Record<string, Buffer> = {};
  const put = (mediaType: string, data: Buffer): Descriptor => {
    const hash = sha256(data);
    blobs[`blobs/sha256/${hash}`] = data;
    return { mediaType, digest: `sha256:${hash}`, size: data.length };
  };
  const index = (manifests: readonly Descriptor[]): Buffer => json({ schemaVersion: 2, mediaType: INDEX, manifests });

  const made = images.map((image) => putImage(put, image, config));
  const [only] = made;
  const top = made.length === 1 ? only!.manifest : put(INDEX, index(made.map(({ manifest }) => manifest)));
  const annotations = {
    'io.containerd.image.name': name,
    'org.opencontainers.image.ref.name': name.slice(name.lastIndexOf(':') + 1),
  };
  const files = {
    'oci-layout': json({ imageLayoutVersion: '1.0.0' }),
    'index.json': index([{ ...top, annotations }]),
    // Docker without the containerd image store reads only this file, which can describe only one architecture.
    ...(made.length === 1 && { 'manifest.json': json([{ RepoTags: [name], ...only!.docker }]) }),
    ...blobs,
  };
  return { archive: tarOfContents(files), digest: top.digest };
}

const INDEX = 'application/vnd.oci.image.index.v1+json';
const json = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

function putImage(
  put: (mediaType: string, data: Buffer) => Descriptor,
  { architecture, layers }: PlatformImage,
  config: ImageConfig,
): { manifest: Descriptor; docker: object } {
  const platform = { architecture, os: 'linux' };
  const layerBlobs = layers.map((layer) => put('application/vnd.oci.image.layer.v1.tar', layer));
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
  const mediaType = 'application/vnd.oci.image.manifest.v1+json';
  const manifest = put(mediaType, json({ schemaVersion: 2, mediaType, config: configBlob, layers: layerBlobs }));
  const path = ({ digest }: Descriptor): string => `blobs/${digest.replace(':', '/')}`;
  return {
    manifest: { ...manifest, platform },
    docker: { Config: path(configBlob), Layers: layerBlobs.map(path) },
  };
}
