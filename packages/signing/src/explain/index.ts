// Explanations have an entry of their own, so that whoever only signs or verifies does not load them: adr/0008.

export type { ControlMistake } from './control/control-search.js'
export {
  type ControlExplanation,
  describeControl,
  type ExplainControlOptions,
  explainControl,
} from './explain-control.js'
export {
  describeSignature,
  type ExplainSignatureOptions,
  explainSignature,
  type SignatureExplanation,
} from './explain-signature.js'
export type { BaseStringDifference } from './oauth/base-string-difference.js'
export type { BaseStringParameter, ParameterMask } from './oauth/base-string-parts.js'
export type { SignatureMistake } from './oauth/base-string-search.js'
