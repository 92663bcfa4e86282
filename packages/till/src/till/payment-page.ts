import { type Answer, readState, StateRejectedError, seeOther } from '@tillkit/express-middleware/core'
import type { VisitorContext } from '../http/visitors.js'
import type { TillPage, TillPageName } from '../pages/options.js'
import { referenceOf } from '../payment/book.js'
import type { PayContext } from '../payment/pay/pay-context.js'
import { creationOf } from '../rules/orders/expected.js'
import { formEndsAt, isForm, nextPayStep } from '../rules/pay/next-step.js'
import type { PayRules } from '../rules/pay/pay-step.js'
import { currentOrder } from '../rules/pay/payment.js'
import type { PaymentDocument } from '../state/document.js'
import { basePath } from './addresses.js'

/** How long a waiting page looks again every two seconds, in milliseconds; after that it does so every fifteen. */
const quickTime = 60_000

/** Everything that the page of a payment needs of the till. */
export interface PageContext
  extends Pick<PayContext, 'accounts' | 'payments' | 'returnTo' | 'payAgain' | 'checkedForm' | 'comesBackTo'>,
    Pick<VisitorContext, 'secrets' | 'clock' | 'warn'> {
  readonly address: URL
  readonly page: (name: TillPageName, page: TillPage) => Answer
  readonly rules: PayRules
}

/** Makes what answers with the page of a payment: it waits, leads on to the form, or says how the payment ended. */
export function createPaymentPage(context: PageContext) {
  const { accounts, payments, address, secrets, clock } = context
  const base = basePath(address)

  const nextLook = (token: string, query: URLSearchParams): TillPage['next'] => {
    const now = clock()
    const given = query.get('since') ?? ''
    const since = /^\d{1,15}$/.test(given) ? Math.min(now, Number(given)) : now
    // The same address each time: a browser that reloads one has no more steps to go back.
    const ways = ['go', 'back'].filter(name => query.get(name) === '1').map(name => `&${name}=1`)
    const url = `${base}/payment/${token}?since=${since}${ways.join('')}`
    return { url, seconds: now - since < quickTime ? 2 : 15 }
  }

  /** The form that the customer can go on with, where it is the gateway's. */
  const openForm = (document: PaymentDocument, at: number): string | undefined => {
    const { order } = currentOrder(document, at, context.rules.profile) ?? {}
    const attempt = order === undefined ? undefined : creationOf(order)?.attempt
    const account = order === undefined ? undefined : accounts.ofLogin(order.login)
    const redirectUrl = attempt?.end?.redirectUrl
    if (attempt === undefined || account === undefined || redirectUrl === undefined || !isForm(attempt))
      return undefined
    if (at >= formEndsAt(attempt, context.rules.profile)) return undefined
    try {
      return context.checkedForm(account, { clientOrderId: order?.clientOrderId ?? '', redirectUrl })
    } catch {
      return undefined
    }
  }

  return async (token: string, query: URLSearchParams): Promise<Answer> => {
    const state = await readState({ token, purpose: 'payment-page', secrets: secrets(), now: clock() })
    if (state.kind === 'refused') throw new StateRejectedError()
    const { clientOrderId } = state
    const reference = referenceOf(clientOrderId)
    const read = await payments.read(reference)
    const payment = payments.view(reference, read)
    const { document, at } = read
    const pathBy = (option: 'returnTo' | 'payAgain'): string | undefined => {
      try {
        return context[option]?.(payment)
      } catch (cause) {
        context.warn('WARN_PATH_REFUSED', { reason: option, explanation: 'The customer goes on without it.', cause })
        return undefined
      }
    }
    // A customer who has paid sees no error of the merchant's: the first page of the site is always there.
    const back = pathBy('returnTo') ?? '/'
    // An address that is no longer fresh shows nothing: it leads to the merchant's page, which knows who is logged in.
    if (state.kind === 'expired' || document === undefined) return seeOther(back)
    const again = pathBy('payAgain')
    const shown = {
      payment,
      back,
      again: undefined,
      form: undefined,
      next: undefined,
      later: query.get('later') === '1',
    }
    switch (payment.state) {
      case 'declined':
        return context.page('declined', { ...shown, again })
      case 'surplus':
      case 'disputed':
        return context.page('problem', shown)
      case 'open':
      case 'unknown': {
        if (mayTryAgain(document, at, context.rules)) return context.page('declined', { ...shown, again })
        // The address speaks of its own order; the payment may have gone on with another one, over another amount.
        const isAbout = currentOrder(document, at, context.rules.profile)?.order.clientOrderId === clientOrderId
        // A customer whom the gateway sent back has done all that there is to do on the form.
        const form = isAbout && query.get('back') === '1' ? undefined : openForm(document, at)
        if (form !== undefined && isAbout && query.get('go') === '1') return seeOther(form)
        return context.page('waiting', { ...shown, form, next: nextLook(token, query) })
      }
      default:
        return seeOther(back)
    }
  }
}

/** Whether the customer can try once more: nobody can have the form that was asked for. */
function mayTryAgain(document: PaymentDocument, at: number, rules: PayRules): boolean {
  const { order } = currentOrder(document, at, rules.profile) ?? {}
  const attempt = order === undefined ? undefined : creationOf(order)?.attempt
  const purpose = attempt?.stages[0]
  if (attempt === undefined || purpose === undefined) return false
  const { amount, currency, login } = attempt
  const asked = new Set(document.orders.flatMap(({ clientOrderId }) => clientOrderId ?? []))
  const open = document.orders.flatMap(({ clientOrderId = '', left }) => (left === undefined ? [clientOrderId] : []))
  const facts = { at, asked, begun: new Set(open), differs: new Set<string>() }
  const { kind } = nextPayStep(
    document,
    { reference: document.reference, purpose, amount, currency, login },
    rules,
    facts,
  )
  return kind === 'leave' || kind === 'open'
}
