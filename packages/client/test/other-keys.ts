/** A key pair unlike that of the fake gateway. Making a pair takes up to a second, so tests share this one. */
export { otherPrivateKey, otherPublicKey } from '../../testing/test/other-keys.js'
