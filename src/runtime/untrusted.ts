/** Error codes of Node.js for a certificate that is not accepted: https://nodejs.org/api/tls.html#x509-certificate-error-codes */
const CODES = new Set([
  ...['CERT_CHAIN_TOO_LONG', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID', 'CERT_REJECTED', 'CERT_REVOKED'],
  ...['CERT_SIGNATURE_FAILURE', 'CERT_UNTRUSTED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'ERR_TLS_CERT_ALTNAME_INVALID'],
  ...['HOSTNAME_MISMATCH', 'INVALID_CA', 'INVALID_PURPOSE', 'PATH_LENGTH_EXCEEDED', 'SELF_SIGNED_CERT_IN_CHAIN'],
  ...['UNABLE_TO_DECRYPT_CERT_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
  ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
]);

/** Whether a connection failed because the certificate of the other side is not accepted. */
export const isUntrusted = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && CODES.has(error.code);
