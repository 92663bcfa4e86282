export { type ControlItem, controlItems } from './control-items.js'
export { type AnySigningError, InvalidInputError, InvalidKeyError, SigningError, type SigningErrorCode } from './errors.js'
export type { Parameter } from './request-parameters.js'
export type { SignatureMethod, Signer } from './signers.js'
export {
  type AssumedScheme,
  defaultSigningProfile,
  type MinorUnits,
  type ProfileEntry,
  type SigningProfile,
} from './signing-profile.js'
