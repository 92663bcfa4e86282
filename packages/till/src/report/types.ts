import type { ReceivedOutcome } from '../rules/delivery/outcome.js'
import type { Payment } from '../rules/pay/payment.js'

/** One page of what there is of something. */
export interface ReportPage<Item> {
  /** How many there are in all. */
  readonly total: number
  /** A hundred at most; those that are longest on their list first. */
  readonly items: readonly Item[]
  /** To hand over to `till.report` for the next page; undefined: this is the last one. */
  readonly next: string | undefined
}

/** An order that took or holds money although another one of the payment does. Its amount is in major units. */
export interface SurplusOrder {
  readonly clientOrderId: string
  readonly orderId: string | undefined
  readonly login: string
  readonly amount: string | undefined
  readonly currency: string | undefined
}

/** A request that was not answered. Times are in milliseconds of the store's clock. */
export interface UnknownRequest {
  readonly clientOrderId: string
  readonly operation: string
  /** Major units; undefined where the request named none: it is about the whole. */
  readonly amount: string | undefined
  /** When it was about to be sent. */
  readonly since: number
}

/** A payment whose handler fails. Times are in milliseconds of the store's clock. */
export interface FailingPayment {
  readonly reference: string
  readonly payment: Payment
  readonly clientOrderId: string
  /** The kind of the outcome that it cannot be told of. */
  readonly outcome: ReceivedOutcome['kind']
  readonly since: number
  /** How often it has failed. */
  readonly tries: number
  /** The error that it threw last: name, code and message, at most 200 characters, without what looks like card data. */
  readonly error: string
}

/** An order that verified callbacks came for, and that no request in the store is behind. */
export interface UnmatchedOrder {
  readonly clientOrderId: string
  readonly orderId: string | undefined
  readonly login: string
  /** The words of status that came, each once; none where an older release kept the callback. */
  readonly statuses: readonly string[]
  /** When a callback came last that said something new, in milliseconds of the store's clock. */
  readonly at: number
}

/** A payment of which two orders took or hold money. */
export interface SurplusPayment {
  readonly reference: string
  /** All of its orders with money, in the order in which they were opened. */
  readonly orders: readonly SurplusOrder[]
  readonly payment: Payment
}

/** A payment that a person must look at. */
export interface PaymentForPerson {
  readonly reference: string
  /** Why, in one or two sentences. */
  readonly why: string
  readonly payment: Payment
}

/** A payment with requests that were not answered. */
export interface UnknownPayment {
  readonly reference: string
  /** When the earliest of them was about to be sent, in milliseconds of the store's clock. */
  readonly since: number
  readonly requests: readonly UnknownRequest[]
  readonly payment: Payment
}

/** A payment with something that its handler was not told yet, or with something open. */
export interface WaitingPayment {
  readonly reference: string
  /** When status said it, or when the request was about to be sent, in milliseconds of the store's clock. */
  readonly since: number
  /** `untold` and `underWay` say what it is. */
  readonly payment: Payment
}

/** How many payments have something open. */
export interface OpenRequests {
  readonly total: number
  /**
   * When the earliest request of those was about to be sent that are longest on their lists, a hundred of each, in milliseconds of the
   * store's clock; undefined: nothing is open.
   */
  readonly since: number | undefined
}

/**
 * The report names everything that needs attention, the most important first. It covers the whole store: all tills, where several
 * share one. A payment counts once in every list that it belongs to.
 */
export interface TillReport {
  /** Two orders took or hold money: give one back. */
  readonly surplus: ReportPage<SurplusPayment>
  /**
   * The gateway contradicted itself, or said more than there is room for; a callback said what status did not show; or a request is not
   * known or not over for longer than `patience`. The report counts as many of the latter as come first, a thousand of each list at most.
   */
  readonly needsPerson: ReportPage<PaymentForPerson>
  /** Your handler fails, and is told again with growing pauses: nothing more is told of that payment until then. */
  readonly failing: ReportPage<FailingPayment>
  /** Requests were not answered, and it is not known yet what became of them. */
  readonly unknown: ReportPage<UnknownPayment>
  /**
   * Status has said what your handler was not told yet: a process that has the handler tells it.
   * If one is at work this is so for a moment; what fails stands under `failing`.
   */
  readonly untold: ReportPage<WaitingPayment>
  /** Verified callbacks of orders that no request in the store is behind. */
  readonly unmatched: ReportPage<UnmatchedOrder>
  /** The gateway is at work. `items` has those with a change under way, as far as they are longest on their lists, a hundred of each. */
  readonly open: OpenRequests & { readonly items: readonly WaitingPayment[] }
  /** A customer has a form, and nothing else of the payment is open. Most of those that are old were left by their customers. */
  readonly forms: OpenRequests
  /** Keys of documents that this release cannot read: they are counted, and not shown. */
  readonly unreadable: readonly string[]
}

/** A list of a report that has pages. */
export type ReportList = 'surplus' | 'needsPerson' | 'failing' | 'unknown' | 'untold' | 'unmatched'

/** Options of `till.report`. */
export interface ReportOptions {
  /** `next` of the page before, for each list that is to go on; the others begin anew. */
  readonly after?: { readonly [List in ReportList]?: string | undefined }
}
