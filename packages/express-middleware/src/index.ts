// The Express functions and their options. All the rest is in `@tillkit/express-middleware/core`.

export {
  type CallbackLocals,
  type ControlKeyLookup,
  type ReceiveCallbacksHandler,
  type ReceiveCallbacksOptions,
  receiveCallbacks,
  type VerifyCallbackOptions,
  verifyCallback,
} from './express/callbacks.js'
export {
  type CustomerReturnOptions,
  customerReturn,
  type FormFailure,
  type RedirectToHostedFormOptions,
  redirectToHostedForm,
  type ThreeDSecureOptions,
  type ThreeDSecureRouter,
  threeDSecure,
} from './express/customers.js'
export type { NodeHandler } from './http/node-handler.js'
export type { ThreeDSecureClient, ThreeDSecureProblem } from './three-d-secure/options.js'
export type { PageAccent } from './three-d-secure/pages/accent.js'
export {
  type BrowserRequest,
  type CustomerBrowser,
  customerBrowser,
  customerBrowserScript,
  type RequestOrigin,
} from './three-d-secure/pages/customer-browser.js'
export type { ThreeDSecurePages, ThreeDSecureTexts } from './three-d-secure/pages/document.js'
