/**
 * The items that each control value covers, in the order they are joined. The merchant control key always comes last
 * and is not listed.
 *
 * Values are joined without a separator, so moving a character across the border of two neighbours (`1` + `23`,
 * `12` + `3`) does not change the control value: the scheme cannot tell such requests apart.
 *
 * `amount` is in minor units. `orderId` or `clientOrderId` of `status`, and `amount` with `currency` of `capture` and
 * `return`, are empty when the request leaves them out; of `clientOrderId` that is assumed.
 * The specification shows none of the rows from `getCardInfo` on; see {@link defaultSigningProfile}.
 *
 * @see Interface specification, section 5.1
 */
export const controlItems = /* @__PURE__ */ frozen({
  sale: ['endpointId', 'clientOrderId', 'amount', 'email'],
  saleForm: ['endpointId', 'clientOrderId', 'amount', 'email'],
  preauth: ['endpointId', 'clientOrderId', 'amount', 'email'],
  preauthForm: ['endpointId', 'clientOrderId', 'amount', 'email'],
  accountVerification: ['endpointId', 'clientOrderId', 'email'],
  accountVerificationForm: ['endpointId', 'clientOrderId', 'email'],
  capture: ['login', 'clientOrderId', 'orderId', 'amount', 'currency'],
  return: ['login', 'clientOrderId', 'orderId', 'amount', 'currency'],
  makeRebill: ['login', 'clientOrderId', 'cardRefId', 'amount', 'currency'],
  createCardRef: ['login', 'clientOrderId', 'orderId'],
  void: ['login', 'clientOrderId', 'orderId'],
  status: ['login', 'clientOrderId', 'orderId'],
  uploadCresResult: ['login', 'clientOrderId', 'orderId'],
  uploadMethodUrlResult: ['login', 'clientOrderId', 'orderId'],
  uploadParesResult: ['login', 'clientOrderId', 'orderId'],
  getCardInfo: ['login', 'cardRefId'],
  paymentForm: ['endpointId', 'clientOrderId', 'amount', 'email'],
  callback: ['status', 'orderId', 'merchantOrderId'],
  browserReturn: ['status', 'orderId', 'clientOrderId'],
} as const)

/** What is signed cannot be changed, not even by accident. */
function frozen<const Table extends Record<string, readonly string[]>>(table: Table): Table {
  for (const row of Object.values(table)) Object.freeze(row)
  return Object.freeze(table)
}

/** Name of one thing a control value covers, as in section 5.1 in camel case. */
export type ControlItem = (typeof controlItems)[keyof typeof controlItems][number]
