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
} from './express/customers.js'
export {
  type BrowserRequest,
  type CustomerBrowser,
  customerBrowser,
  customerBrowserScript,
  type RequestOrigin,
} from './http/customer-browser.js'
export type { NodeHandler } from './http/node-handler.js'
