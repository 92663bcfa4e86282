// An entry apart: a program that only signs or verifies does not load it, adr/0008.

export { type ExplainBaseStringOptions, explainBaseString, isBaseString } from './base-string.js'
export type { ControlMistake } from './control/candidate.js'
export {
  type ControlExplanation,
  describeControl,
  explainControl,
} from './control.js'
export type { BaseStringDifference } from './oauth/difference.js'
export type { SignatureMistake } from './oauth/received.js'
export type { BaseStringParameter, ParameterMask } from './oauth/shown.js'
export type { ExplainControlOptions, ExplainSignatureOptions } from './options.js'
export { type CurlRequest, isCurl, type ReadCurl, readCurl } from './read-curl.js'
export { describeSignature, explainSignature, type SignatureExplanation } from './signature.js'
export { asCode } from './written/as-code.js'
export { asCurl } from './written/as-curl.js'
export { type ComparedLine, type CutTexts, cutAtDifference } from './written/compared.js'
export type { ControlToWrite, OAuthToWrite, RequestToWrite } from './written/request.js'
