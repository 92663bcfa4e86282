import { isLoopbackHost, operations } from '@tillkit/protocol'
import { encodeForm, type Parameter } from '@tillkit/signing'
import {
  type FakeGateway,
  type FaultName,
  faultTable,
  hangUp,
  ImpossibleActionError,
  type OrderAction,
  type OrderView,
  type OwnHandler,
} from '@tillkit/testing'
import { refusalReasons, usedBefore, webAddress } from '@tillkit/testing/gateway'
import { request } from 'undici'
import type { CaseEvent } from './cases.js'
import { type CaseContext, comeBack } from './customer.js'
import { type Hear, readAnswer } from './doors.js'

/** What an event does before the payment, and once the payment has had its outcome. */
export interface EventSteps {
  /** @returns What ends it, once the payment is under way. */
  before?(context: CaseContext): () => Promise<void>
  /** @returns Whether it could be done. */
  after?(context: CaseContext): Promise<boolean>
}

/** Looks for the question that the merchant asks once it has a callback. One that believes callbacks asks none. */
const mostLooks = 20

/** What happens in a case besides its faults: forgeries, a status that is down, what becomes of an order later. */
export const caseEvents: { readonly [Event in CaseEvent]: EventSteps } = {
  'forged-callback': forges(callbackAddress, openWith, forgeries),
  'forged-return': forges(returnAddress, comeBack, forgeries),
  'status-down': {
    before({ gateway, driver }) {
      gateway.handle({ status: () => hangUp() })
      const before = gateway.callbacks.list().length
      const questions = (): number => gateway.calls('status').length
      return async () => {
        let asked = questions()
        await driver.calm()
        while (gateway.callbacks.list().length === before) {
          asked = questions()
          if (!(await driver.step())) break
          await driver.calm()
        }
        // A merchant that answers first asks only then, and its question has to find status down.
        for (let looks = 0; looks < mostLooks && questions() === asked; looks += 1) await driver.calm()
        gateway.handle({ status: () => undefined })
      }
    },
    after: async ({ gateway }) => gateway.callbacks.list().length > 0,
  },
  'used-id-refused': {
    before({ gateway, profile }) {
      const { status: httpStatus, code: errorCode } = refusalReasons['repeated-order']
      const type = profile.replyTypes.value.ValidationErrorResponse
      answerNewOrders(gateway, ({ clientOrderId = '' }) => {
        if (gateway.orders.find(clientOrderId) === undefined) return undefined
        return { httpStatus, type, errorCode, errorMessage: usedBefore(clientOrderId) }
      })
      return () => Promise.resolve()
    },
    after({ gateway }) {
      answerNewOrders(gateway, () => undefined)
      return Promise.resolve(true)
    },
  },
  'decided-late': actsLater(2 * 86_400_000, ({ orderId }) => ({ action: 'approve', orderId })),
  // The first alone: a customer who was rightly told that it was declined may have paid again, and was declined again.
  corrected: actsLater(delayOf('corrected-later'), corrected, 1),
  reversed: actsLater(delayOf('reversed-later'), ({ orderId }) => ({ action: 'reverse', orderId })),
  'charged-back': actsLater(delayOf('charged-back-later'), ({ orderId }) => ({ action: 'charge-back', orderId })),
}

type AddressOf = (order: OrderView, context: CaseContext) => URL | undefined

/** Where the merchant takes callbacks about an order. */
export function callbackAddress({ notifyUrl, callbackUrl }: OrderView, { doors }: CaseContext): URL | undefined {
  return doors.callbackAddress ?? webAddress(notifyUrl ?? callbackUrl)
}

/** Where the customer comes back to. */
export function returnAddress({ redirectUrl }: OrderView): URL | undefined {
  return webAddress(redirectUrl)
}

/** Opens an address with parameters in its query. A redirect is not followed. */
export async function openWith(address: URL, parameters: readonly Parameter[], hear?: Hear): Promise<void> {
  const url = new URL(address)
  url.search = [url.search.slice(1), encodeForm(parameters)].filter(Boolean).join('&')
  await readAnswer(await request(url), hear)
}

/** Sends forgeries about the first order to an address of the merchant's, on this machine only. */
export function forges(
  addressOf: AddressOf,
  send: (address: URL, forged: readonly Parameter[], hear: Hear | undefined) => Promise<void>,
  forgeriesOf: (order: OrderView) => readonly (readonly Parameter[])[],
): EventSteps {
  return {
    async after(context) {
      const [order] = context.orders()
      const address = order && addressOf(order, context)
      if (order === undefined || address === undefined || !isLoopbackHost(address.hostname)) return false
      let hasArrived = false
      // It does not matter here what the answer to a forgery is. Without an answer it is not known whether the forgery came in.
      for (const forged of forgeriesOf(order)) {
        const isAnswered = await send(address, forged, context.customer?.hear).then(
          () => true,
          () => false,
        )
        hasArrived ||= isAnswered
      }
      return hasArrived
    },
  }
}

/** Sets one handler for every operation that makes an order. */
function answerNewOrders(gateway: FakeGateway, handler: OwnHandler): void {
  const creating = Object.entries(operations).filter(([, { effect }]) => effect === 'creates')
  gateway.handle({}, Object.fromEntries(creating.map(([operation]) => [operation, handler])))
}

function corrected({ orderId, stages }: OrderView): OrderAction {
  return { action: 'correct', orderId, status: stages.at(-1)?.status === 'approved' ? 'declined' : 'approved' }
}

function delayOf(fault: FaultName): number {
  return faultTable[fault].delay ?? 0
}

/**
 * Acts on the orders, or the first so many, after a delay in milliseconds. An order that was never made, or never paid, cannot be acted on.
 */
function actsLater(delay: number, actionFor: (order: OrderView) => OrderAction, most?: number): EventSteps {
  return {
    async after({ gateway, driver, orders }) {
      await driver.advance(delay)
      try {
        for (const order of orders().slice(0, most)) gateway.act(actionFor(order))
      } catch (error) {
        if (error instanceof ImpossibleActionError) return false
        throw error
      }
      await driver.quiet()
      return true
    },
  }
}

/** What a forger sends who knows both ids and no key: no control value, and one that is made up. */
function forgeries(order: OrderView): readonly (readonly Parameter[])[] {
  const claim = claimOf(order)
  return [claim, [...claim, ['control', 'a'.repeat(40)]]]
}

/** Says of an order that it is paid, without a signature. */
export const claimOf = ({ orderId, clientOrderId }: OrderView): readonly Parameter[] => [
  ['status', 'approved'],
  ['orderid', orderId],
  ['merchant_order', clientOrderId],
  ['client_orderid', clientOrderId],
  ['type', 'sale'],
]
