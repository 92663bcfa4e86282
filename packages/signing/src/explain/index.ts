// An entry apart: a program that only signs or verifies does not load it, adr/0008.

export { type ExplainBaseStringOptions, explainBaseString, isBaseString } from './base-string.js'
export { type ControlExplanation, type ExplainControlOptions, explainControl } from './control.js'
export {
  type ComparedLine,
  type CutTexts,
  cutAtDifference,
  type Mistake,
} from './lines.js'
export { type CurlRequest, isCurl, type ReadCurl, readCurl } from './read-curl.js'
export type { BaseStringParameter, ParameterMask } from './shown.js'
export { type ExplainSignatureOptions, explainSignature, type SignatureExplanation } from './signature.js'
