import { X509Certificate } from 'node:crypto';

const BEGIN = '-----BEGIN CERTIFICATE-----';
const END = '-----END CERTIFICATE-----';

/** Whether a text contains one or more certificates in PEM format, all of them well-formed. */
export function areCertificates(text: string): boolean {
  const [, ...parts] = text.split(BEGIN);
  return parts.length > 0 && parts.every((part) => part.includes(END) && isCertificate(`${BEGIN}${part}`));
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0;
  } catch {
    return false;
  }
}
