// For applications. Operations, records and the wire profile are exported by `@tillkit/protocol`.

export {
  fromMinorUnits,
  generateKeyPair,
  importPrivateKey,
  type KeyPair,
  type PrivateKey,
  toMinorUnits,
} from '@tillkit/signing'
export type { PreparedRequest, SendOptions, SentRequest } from './call/prepare.js'
export type {
  CheckFinding,
  CheckOptions,
  CheckProbe,
  CheckReport,
  CheckSubject,
  CheckVerdict,
  ProbeAnswer,
  ProbeVariant,
} from './check/types.js'
export type { Client, ClientMethods, OperationMethods } from './client.js'
export {
  clientOptionsFromEnv,
  type EnvClientOptions,
  type EnvironmentVariables,
  profileFromEnv,
} from './config/env-options.js'
export type {
  CallOptions,
  ClientOptions,
  EndpointId,
  EndpointOptions,
  Environment,
  Merchant,
  PrepareOptions,
  RequestDispatcher,
} from './config/options.js'
export { createClient, createClientFromEnv } from './create-client.js'
export {
  type ClientObserver,
  type ClientWarning,
  type EndedRequest,
  type Ending,
  type Exchange,
  type Poll,
  type SignedRequest,
  type StartedRequest,
  spanAttributes,
} from './diagnostics/observer.js'
export {
  AlreadySentError,
  type AnyGatewayError,
  AuthenticationRefusedError,
  GatewayError,
  type GatewayErrorCode,
  GatewayFailureError,
  InvalidRequestError,
  isGatewayError,
  NotSentError,
  OpenChangeError,
  OutcomeUnknownError,
  type RequestDescription,
  RequestRefusedError,
  type SentDescription,
  TransportError,
  UnreadableReplyError,
} from './errors/errors.js'
export { type OrderOperationName, outcomeOf } from './outcomes/question.js'
export type { AwaitedOutcome, AwaitOutcomeOptions, OutcomeQuestion } from './outcomes/types.js'
export { connectionOptions } from './transport/connections.js'
