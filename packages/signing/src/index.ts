// For applications. Explanations are in the entry `@tillkit/signing/explain`: most programs never need them.

export { type ControlItem, controlItems } from './control/items.js'
export {
  type ControlEncoding,
  type ControlKey,
  type ControlKeys,
  type ControlRefusal,
  type ControlValues,
  type ControlVerification,
  controlString,
  controlValue,
  type VerifyControlValueOptions,
  verifyControlValue,
} from './control/value.js'
export {
  type AnySigningError,
  InvalidInputError,
  InvalidKeyError,
  type Refused,
  SigningError,
  type SigningErrorCode,
} from './errors.js'
export type { KeyMaterial } from './keys/key-material.js'
export {
  generateKeyPair,
  type ImportPrivateKeyOptions,
  importPrivateKey,
  type KeyLabel,
  type KeyPair,
  type PrivateKey,
} from './keys/private-key.js'
export { importPublicKey, type PublicKey, spokenFingerprint } from './keys/public-key.js'
export {
  type CurrencyDigits,
  compareAmounts,
  currencyCodes,
  currencyDigits,
  fromMinorUnits,
  sameAmount,
  toMinorUnits,
} from './money.js'
export {
  createRequestSigner,
  type RequestSigner,
  type RequestSignerOptions,
  type RequestToSign,
  type SynchronousRequestSigner,
} from './oauth/request-signer.js'
export {
  type HmacSecrets,
  hmacSha1Signer,
  type RsaSignerOptions,
  rsaSha256Signer,
  type SignatureMethod,
  type Signer,
  type SynchronousSigner,
} from './oauth/signers.js'
export {
  type AuthorizationVerification,
  type NonceStore,
  type UsedNonce,
  type VerificationKeys,
  type VerificationPolicy,
  type VerifyAuthorizationOptions,
  verifyAuthorization,
} from './oauth/verify.js'

// For other packages here, and to sign step by step.

export {
  decodeForm,
  encodeForm,
  type GivenParameter,
  type Parameter,
  type ParametersInput,
  type ParameterValue,
  percentEncode,
} from './encoding.js'
export { unseenProblem } from './keys/unseen.js'
export { baseStringUri, normalizeParameters, type SignableRequest, signatureBaseString } from './oauth/base-string.js'
export {
  type AuthorizationRefusal,
  type ParsedAuthorization,
  parseAuthorizationHeader,
} from './oauth/received-header.js'
export {
  type AssumedScheme,
  defaultSigningProfile,
  type HmacKeyEncoding,
  type MinorUnits,
  type ProfileEntry,
  type SigningProfile,
} from './profile.js'
