/**
 * What this package takes from `node:crypto`, in one import: a bundle otherwise repeats the statement for every file.
 *
 * @module
 */
export {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  hash,
  type JsonWebKey,
  KeyObject,
  sign,
  timingSafeEqual,
  verify,
  X509Certificate,
} from 'node:crypto'
