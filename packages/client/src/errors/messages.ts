import type { AnyOperation } from '@tillkit/protocol'

/** Why an option is missing, most of the time. */
export const unsetVariable = 'An environment variable that is not set is the usual cause.'

/** Ends a text that others wrote with a full stop, unless it ends a sentence already. */
export const sentence = (text: string): string =>
  /[.!?\u2026]["'\u201d\u2019)]?\s*$/.test(text) ? text.trimEnd() : `${text}.`

/** The request that a message is about. */
export interface RequestSubject {
  /** Name of the operation, e.g. `capture`. */
  readonly name: string
  readonly row: AnyOperation
  readonly clientOrderId: string | undefined
  readonly orderId: string | undefined
  /** Login of the merchant that the call is made for, once that is known. */
  readonly login?: string | undefined
}

/** Names a request: `The capture of order "o-1"`. */
export function nameRequest({ name, clientOrderId }: RequestSubject): string {
  return clientOrderId === undefined
    ? `The ${name} request`
    : `The ${name} request of order ${JSON.stringify(clientOrderId)}`
}

/** What to do about a request whose outcome is unknown. */
export function adviseUnknown(
  { row, clientOrderId, orderId }: RequestSubject,
  serialNumber: string | undefined,
): string {
  if (row.whenUnknown === 'profile') {
    return 'No status is known to find a subscription: a person must look it up at the gateway.'
  }
  if (clientOrderId === undefined) return 'A person must look it up at the gateway.'
  const ids = `clientOrderId ${JSON.stringify(clientOrderId)}${orderId === undefined ? '' : ` and orderId ${JSON.stringify(orderId)}`}`
  if (row.effect === 'creates')
    return `Ask status with ${ids} to learn what became of it, as client.resolve(error.attempt) does.`
  const bySerial =
    serialNumber === undefined
      ? 'and compare with the state before: this request has no id of its own'
      : `and byRequestSn ${JSON.stringify(serialNumber)}`
  return `Ask status with ${ids} ${bySerial}; client.resolve(error.attempt) does.`
}
