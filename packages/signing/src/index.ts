// For applications. Explanations are in the entry `@tillkit/signing/explain`: most programs never need them.

export { type ControlItem, controlItems } from './control/items.js'
export { type ControlEncoding, type ControlValues, controlString, controlValue } from './control/value.js'
export {
  type ControlRefusal,
  type ControlVerification,
  type VerifyControlValueOptions,
  verifyControlValue,
} from './control/verify.js'
export {
  type AnySigningError,
  InvalidInputError,
  InvalidKeyError,
  SigningError,
  type SigningErrorCode,
} from './errors.js'
export { type KeyMaterial, spokenFingerprint } from './keys/key-material.js'
export {
  generateKeyPair,
  type ImportPrivateKeyOptions,
  importPrivateKey,
  type KeyLabel,
  type KeyPair,
  type PrivateKey,
} from './keys/private-key.js'
export { importPublicKey, type PublicKey } from './keys/public-key.js'
export { compareAmounts, fromMinorUnits, sameAmount, toMinorUnits } from './money/amount.js'
export { type CurrencyDigits, currencyCodes, currencyDigits } from './money/currency.js'
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
export type { NonceStore, UsedNonce } from './oauth/verify.js'
export {
  type AuthorizationVerification,
  type VerificationKeys,
  type VerificationPolicy,
  type VerifyAuthorizationOptions,
  verifyAuthorization,
} from './oauth/verify.js'
export type { ControlKey, ControlKeys, Refused } from './verification.js'

// For other packages here, and to sign step by step.

export {
  decodeForm,
  encodeForm,
  type GivenParameter,
  type Parameter,
  type ParametersInput,
  type ParameterValue,
} from './encoding/parameters.js'
export { percentEncode } from './encoding/percent-encoding.js'
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
