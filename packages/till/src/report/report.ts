import type { WireProfile } from '@tillkit/protocol'
import { claimedOutcome } from '../rules/delivery/delivery.js'
import { outcomeToTell } from '../rules/delivery/outcome.js'
import { isUnmatched, listsFor, openAttempts, unknownAttempts } from '../rules/kept/lists.js'
import { isAbandoned } from '../rules/orders/reserve.js'
import { paymentOf } from '../rules/pay/payment.js'
import { approvedCreation, ordersWithMoney, standingsOf } from '../rules/pay/standing.js'
import type { PaymentDocument } from '../state/document.js'
import { isUntold, type KnownOrder } from '../state/known.js'
import type { DocumentStore } from '../store/store.js'
import { createListReader, type ListReader, noCursor, pageSize } from './lists.js'
import type { PaymentForPerson, ReportOptions, ReportPage, TillReport, WaitingPayment } from './types.js'

/** The parts of the till that a report needs. */
export interface ReportContext {
  readonly store: DocumentStore
  readonly profile: WireProfile
  /** After how long without an end a person is needed, in milliseconds. */
  readonly patience: number
}

/** Makes `till.report`. */
export function createReporting({ store, ...view }: ReportContext) {
  return async ({ after = {} }: ReportOptions = {}): Promise<TillReport> => {
    const reader = createListReader(store)
    // Ages are worked out by the store's clock: it says the time with whatever is read.
    const { at } = await store.read('report')
    const of = (payment: PaymentDocument): Reported => reportedOf(payment, { at, ...view })
    const [surplus, needsPerson, failing, unknown, untold, unmatched, open, forms] = await Promise.all([
      reader.page(listsFor('surplus'), after.surplus),
      forPerson(reader, after.needsPerson, of),
      reader.page(listsFor('failing'), after.failing),
      reader.page(listsFor('unknown'), after.unknown),
      reader.page(listsFor('untold'), after.untold),
      reader.page(listsFor('unmatched'), after.unmatched),
      openOf(reader, 'open', of),
      openOf(reader, 'form', of),
    ])
    const shown = <Item>(page: ReportPage<PaymentDocument>, items: (each: Reported) => Item | readonly Item[]) => ({
      ...page,
      items: page.items.flatMap(payment => items(of(payment))),
    })
    return {
      surplus: shown(surplus, ({ payment, surplus: orders }) => ({ ...named(payment), orders })),
      needsPerson,
      failing: shown(failing, each => (each.failing === undefined ? [] : { ...named(each.payment), ...each.failing })),
      unknown: shown(unknown, ({ payment, unknown: requests }) => {
        const since = earliest(requests.map(each => each.since))
        // An older release may have listed what is known by now.
        return since === undefined ? [] : { ...named(payment), since, requests }
      }),
      untold: shown(untold, ({ payment, untoldSince: since }) => waiting(payment, since)),
      unmatched: shown(unmatched, each => each.unmatched),
      open,
      forms: { total: forms.total, since: forms.since },
      unreadable: reader.unreadable(),
    }
  }
}

type Reported = ReturnType<typeof reportedOf>

const named = (payment: Reported['payment']) => ({ reference: payment.reference, payment })

/** A cursor that begins so stands among the payments that have been on a list for too long. */
const tooLong = 'too-long~'

/** Payments that stand on a list for people, and after them those that are not over for too long. */
async function forPerson(
  reader: ListReader,
  after: string | undefined,
  of: (payment: PaymentDocument) => Reported,
): Promise<ReportPage<PaymentForPerson>> {
  const late = await reader.longest(each => of(each).payment.needsPerson !== undefined)
  const isLate = after?.startsWith(tooLong) === true
  const from = isLate ? Number(after.slice(tooLong.length)) : 0
  if (!Number.isSafeInteger(from)) throw noCursor(after)
  const listed = await reader.page(listsFor('needs-person'), isLate ? undefined : after)
  const first = isLate ? [] : listed.items
  const isAllListed = isLate || listed.next === undefined
  const end = from + (isAllListed ? pageSize - first.length : 0)
  const lateNext = end < late.length ? `${tooLong}${end}` : undefined
  const items = [...first, ...late.slice(from, end)].map(of).map(({ payment }) => ({
    ...named(payment),
    why: payment.needsPerson ?? 'The gateway corrected itself about it. By your profile nothing is left to do.',
  }))
  return { total: listed.total + late.length, items, next: isAllListed ? lateNext : listed.next }
}

async function openOf(reader: ListReader, word: 'open' | 'form', of: (payment: PaymentDocument) => Reported) {
  const { total, payments } = await reader.count(word)
  const reported = payments.map(of)
  return {
    total,
    since: earliest(reported.flatMap(({ openSince }) => openSince ?? [])),
    items: reported.flatMap(({ payment, openSince }) =>
      payment.underWay.length > 0 ? waiting(payment, openSince) : [],
    ),
  }
}

/** None where an older release listed what is over by now. */
const waiting = (payment: Reported['payment'], since: number | undefined): readonly WaitingPayment[] =>
  since === undefined ? [] : [{ ...named(payment), since }]

/** Makes the part of a report that is about one document. */
export function reportedOf(
  document: PaymentDocument,
  view: { readonly at: number; readonly profile: WireProfile; readonly patience: number },
) {
  const { orders, reference } = document
  const { at, profile } = view
  const payment = paymentOf(document, { reference, ...view })
  const awaited = orders.filter(each => !isAbandoned(each))
  const open = awaited.flatMap(openAttempts).map(({ reservedAt }) => reservedAt)
  const untold = orders.flatMap(({ stages }) => stages.filter(isUntold)).map(({ askedAt }) => askedAt)
  const withMoney = ordersWithMoney(standingsOf(orders, at, profile), profile)
  return {
    payment,
    /** All orders with money, where there are two or more. */
    surplus: payment.state !== 'surplus' ? [] : withMoney.map(each => ({ ...idsOf(each), ...moneyOf(each, profile) })),
    unknown: awaited.flatMap(order =>
      unknownAttempts(order).map(({ operation, amount, reservedAt }) => ({
        clientOrderId: order.clientOrderId ?? reference,
        operation,
        amount,
        since: reservedAt,
      })),
    ),
    failing: failingOf(document, profile),
    unmatched: orders.filter(isUnmatched).map(each => ({
      ...idsOf(each),
      statuses: each.unmatched?.words ?? [],
      at: each.callbackAt ?? 0,
    })),
    /**
     * Since when a request is open, and since when status has said what the handler was not told yet, in milliseconds of the store's clock.
     */
    openSince: earliest(open),
    untoldSince: earliest(untold),
  }
}

const earliest = (times: readonly number[]): number | undefined => (times.length === 0 ? undefined : Math.min(...times))

const idsOf = ({ clientOrderId = '', orderId, login }: KnownOrder) => ({ clientOrderId, orderId, login })

function moneyOf(order: KnownOrder, profile: WireProfile) {
  const { amount, currency } = approvedCreation(order, profile) ?? {}
  return { amount, currency }
}

function failingOf(document: PaymentDocument, profile: WireProfile) {
  const { failed, token = '' } = document.telling ?? {}
  const claimed = claimedOutcome(document, token)
  if (failed === undefined || claimed === undefined) return undefined
  const { kind } = outcomeToTell(document, claimed, profile)
  return { clientOrderId: claimed.order.clientOrderId ?? document.reference, outcome: kind, ...failed }
}
