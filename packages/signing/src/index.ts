// For applications. Explanations are in the entry `@tillkit/signing/explain`: most programs never need them.

export { fromMinorUnits, toMinorUnits } from './amount.js'
export { type AuthorizationHeaderOptions, authorizationHeader } from './authorization-header.js'
export { compareAmounts, sameAmount } from './compare-amounts.js'
export { type ControlItem, controlItems } from './control-items.js'
export type { ControlKey, ControlKeys } from './control-keys.js'
export { type ControlEncoding, type ControlValues, controlString, controlValue } from './control-value.js'
export { type CurrencyDigits, currencyCodes, currencyDigits } from './currency.js'
export {
  type AnySigningError,
  InvalidInputError,
  InvalidKeyError,
  SigningError,
  type SigningErrorCode,
} from './errors.js'
export { type KeyMaterial, spokenFingerprint } from './key-material.js'
export { generateKeyPair, type KeyPair } from './key-pair.js'
export type { NonceStore, UsedNonce } from './nonce-store.js'
export { type ImportPrivateKeyOptions, importPrivateKey, type KeyLabel, type PrivateKey } from './private-key.js'
export { importPublicKey, type PublicKey } from './public-key.js'
export type { AuthorizationRefusal, Refused } from './refusal.js'
export {
  createRequestSigner,
  type RequestSigner,
  type RequestSignerOptions,
  type RequestToSign,
  type SynchronousRequestSigner,
} from './request-signer.js'
export {
  type HmacSecrets,
  hmacSha1Signer,
  type RsaSignerOptions,
  rsaSha256Signer,
  type SignatureMethod,
  type Signer,
  type SynchronousSigner,
} from './signers.js'
export {
  type AuthorizationVerification,
  type VerificationKeys,
  type VerificationPolicy,
  type VerifyAuthorizationOptions,
  verifyAuthorization,
} from './verify-authorization.js'
export {
  type ControlRefusal,
  type ControlVerification,
  type VerifyControlValueOptions,
  verifyControlValue,
} from './verify-control-value.js'

// For other packages here, and for whoever signs step by step.

export { baseStringUri } from './base-string-uri.js'
export { type FormBodyField, formBody, formBodyField } from './form-body.js'
export type { GivenParameter, Parameter, ParametersInput, ParameterValue } from './parameter-values.js'
export { type ParsedAuthorization, parseAuthorizationHeader } from './parse-authorization-header.js'
export { percentEncode } from './percent-encoding.js'
export { decodeForm, encodeForm, normalizeParameters } from './request-parameters.js'
export { type SignableRequest, signatureBaseString } from './signature-base-string.js'
export {
  type AssumedScheme,
  defaultSigningProfile,
  type HmacKeyEncoding,
  type MinorUnits,
  type ProfileEntry,
  type SigningProfile,
} from './signing-profile.js'
