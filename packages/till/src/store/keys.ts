import { createHash } from 'node:crypto'

/** Which payment an order id belongs to. */
export interface OrderPlace {
  /** The merchant's name of the payment: the order id of its first order. */
  readonly reference: string
  /** Which try at the payment the order is, from 1 on. */
  readonly attempt: number
}

/** Longest reference, in characters. */
const longestReference = 100

/**
 * Reads which payment an order id belongs to: `basket-7` is the first order of the payment `basket-7`, `basket-7.2r` its second.
 * The ending is a letter, since control values put the next item right behind the id.
 */
export function orderPlace(clientOrderId: string): OrderPlace {
  const id = merchantIdOf(clientOrderId)
  const [, reference, digits] = /^(.+)\.([1-9]\d{0,3})r$/.exec(id) ?? []
  const attempt = Number(digits)
  if (reference === undefined || attempt < 2) return { reference: id, attempt: 1 }
  return { reference, attempt }
}

/**
 * The till's name of an order that the gateway made under the id of another one, such as `basket-7~78`: the gateway's own id comes behind.
 * No reference has a "~".
 */
export const nameOfAnother = ({
  clientOrderId,
  orderId,
}: {
  readonly clientOrderId: string
  readonly orderId: string
}): string => `${merchantIdOf(clientOrderId)}~${orderId}`

/** The id that the gateway has of an order from the merchant, by the till's name of the order. */
export const merchantIdOf = (name: string): string => /^([A-Za-z0-9._-]+)~[^~]+$/.exec(name)?.[1] ?? name

/** The order id of one try at a payment. {@link orderPlace} reads it back. */
export const orderIdFor = ({ reference, attempt }: OrderPlace): string =>
  attempt === 1 ? reference : `${reference}.${attempt}r`

/**
 * Why an order id cannot be that of a new order where a store is: it must lead back to one payment, on every engine and in
 * every language.
 *
 * @returns One clause, or undefined where the id will do.
 */
export function referenceProblem(clientOrderId: string): string | undefined {
  const { reference } = orderPlace(clientOrderId)
  if (reference.length > longestReference)
    return `it has ${reference.length} characters; at most ${longestReference} are allowed`
  if (!/^[A-Za-z0-9._-]+$/.test(clientOrderId))
    return `it may have letters of a to z, digits, ".", "_" and "-" only${asReference(clientOrderId)}`
  if (/\.\d+r$/i.test(reference))
    return 'it ends like the id of a later order of a payment, such as ".2r", and is not one'
  return undefined
}

/** How to write the order number of a shop, such as `#1001` or `SO/2026/1`. */
function asReference(orderNumber: string): string {
  const written = orderNumber.replace(/[^A-Za-z0-9._-]+/g, '-').replace(/^-|-$/g, '')
  if (written === '') return ''
  return (
    `; write ${JSON.stringify(orderNumber)} as "${written}" and every order number like that, ` +
    'if no two become the same, or else take the id of the order in your database'
  )
}

/** How the id of a change is made: of a part with the merchant's key, of all that is left without one. `nth` is the number of the try. */
export const changeId = (name: string, nth: number, key: string | undefined): string =>
  key === undefined ? `${name}-rest:${nth}` : `${name}:${nth}:${key}`

/** The merchant's key in the id of a part that a till sent; undefined where there is none. */
export const partKeyIn = (attemptId: string): string | undefined =>
  /^(?:capture|return):[1-9]\d*:(.+)$/s.exec(attemptId)?.[1]

/** The place that a payment is kept under. */
export interface PaymentPlace {
  /** The till's name, which several may share. */
  readonly name: string
  readonly environment: 'test' | 'production'
}

/**
 * The name of a till whose merchant gives it none. No setting is in it: after accounts are changed, or listed in another order, the till
 * finds the same payments.
 */
export const defaultName = 'till'

const pathOf = ({ name, environment }: PaymentPlace): string => `${environment}/${encodeURIComponent(name)}`

/** The known ids of the order or request whose document is sought: the most telling id counts. */
export interface DocumentIds {
  readonly clientOrderId?: string | undefined
  readonly orderId?: string | undefined
  readonly attemptId?: string | undefined
}

/**
 * The key of the document of an order, or of a request without the merchant's order id. References that differ in case only
 * share a document, so that the second one is seen and refused.
 */
export function documentKey({ clientOrderId, orderId, attemptId = '' }: DocumentIds, of: PaymentPlace): string {
  const place = pathOf(of)
  if (clientOrderId !== undefined) return `payment/${place}/${orderPlace(clientOrderId).reference.toLowerCase()}`
  return orderId === undefined ? `attempt/${place}/${attemptId}` : `order/${place}/${orderId}`
}

/** Whether a payment is kept under a key, and not something of the till itself. */
export const isPaymentKey = (key: string): boolean => /^(?:payment|order|attempt)\//.test(key)

/** How the keys of all documents begin that a till works on by itself. */
export const prefixesOf = (place: PaymentPlace): readonly string[] =>
  ['payment', 'order', 'attempt', 'unmatched'].map(kind => `${kind}/${pathOf(place)}/`)

/** The key of another payment of the same place, by the key of one. */
export const siblingKey = (key: string, reference: string): string =>
  `${key.slice(0, key.lastIndexOf('/') + 1)}${reference.toLowerCase()}`

/** The order that an unmatched callback came for: no request in the store is behind it. */
export interface UnmatchedAbout {
  readonly login: string
  readonly clientOrderId: string
  readonly orderId: string
}

/** The key of what is kept of callbacks for an order that no request in the store is behind. Ids of any length have one. */
export function unmatchedKey({ login, clientOrderId, orderId }: UnmatchedAbout, place: PaymentPlace): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([login, clientOrderId, orderId]))
    .digest('hex')
  return `unmatched/${pathOf(place)}/${digest}`
}

/** The key of what was learnt of the gateway of a merchant's login. */
export const learntKey = (login: string, place: PaymentPlace): string =>
  `learnt/${pathOf(place)}/${encodeURIComponent(login)}`

/** The key of when status may next be asked about the orders of an account, for every till that has it. */
export const paceKey = (login: string, environment: PaymentPlace['environment']): string =>
  `pace/${environment}/${encodeURIComponent(login)}`

/** The key of what is kept of a till itself, for every process that has its name. */
export const tillKey = (place: PaymentPlace): string => `till/${pathOf(place)}`

/** The key of what is kept of a store that was restored from a backup. */
export const restoredKey = (place: PaymentPlace): string => `restored/${pathOf(place)}`
