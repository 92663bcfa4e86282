/**
 * The rules without HTTP, clock and ids, as a simulation uses them: a gateway that is one plain value. Over random walks it says, word for word,
 * what the fake says over its dispatcher. What is random in a gateway (ids and codes) is left out.
 *
 * @module
 */
import { defaultProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { createFakeClock, createFakeGateway, forEachSeed } from '../src/index.js'
import {
  addStage,
  allowCapture,
  allowedActions,
  allowReturn,
  allowVoid,
  approved,
  beginOrder,
  beginStage,
  carryOut,
  changeWish,
  declined,
  notificationFields,
  type Order,
  type OrderAction,
  planAction,
  shownStage,
  statusRecord,
} from '../src/rules.js'
import { createRandom } from '../src/state/seed.js'
import { call, customer, pay } from './signed-request.js'

const profile = defaultProfile
const now = 1_800_000_000_000
const at = { profile, now }
const marks = { finalAt: now, rrn: '1', approvalCode: '1' }

/** What an order became, or why it did not. */
type Became = { readonly order: Order } | { readonly refused: string }

function attempt(become: () => Order): Became {
  try {
    return { order: become() }
  } catch (error) {
    return { refused: (error as Error).message }
  }
}

const begun = (operation: 'sale' | 'preauth', cvv2: string): Order => {
  const verdict = cvv2 === '123' ? approved : declined('101', 'Decline, expired card')
  const stage = { stage: operation, operation, amount: 1000n, verdict, serialNumber: 's-0', now } as const
  const first = beginStage(
    { ...stage, threeDSecure: undefined, comment: undefined, serverCallbackUrl: undefined },
    marks,
  )
  const given = { orderId: '1', login: 'merchant', endpointId: '39', currency: 'EUR' }
  return beginOrder({ clientOrderId: 'o-1', ...customer }, given, first)
}

const allow = { capture: allowCapture, return: allowReturn, void: allowVoid }

const changed = (order: Order, operation: keyof typeof allow, minor: bigint | undefined): Became =>
  attempt(() => {
    const { stage, amount } = allow[operation](changeWish(order, minor, at))
    const begin = { stage, amount, operation, verdict: approved, serialNumber: `s-${order.stages.length}`, now }
    return addStage(
      order,
      beginStage({ ...begin, threeDSecure: undefined, comment: undefined, serverCallbackUrl: undefined }, marks),
    )
  })

const acted = (order: Order, wish: OrderAction): Became =>
  attempt(() => {
    const plan = planAction({ order, wish, now, form: undefined, profile })
    if (plan.kind === 'end-form') throw new Error('There is no form.')
    return carryOut(order, plan, { ...marks, serialNumber: `s-${order.stages.length}`, now }).order
  })

const said = ['status', 'amount', 'currency', 'transaction-type', 'order-stage', 'error-code', 'error-message'] as const
const written = {
  status: 'status',
  amount: 'amount',
  currency: 'currency',
  'transaction-type': 'transactionType',
  'order-stage': 'orderStage',
  'error-code': 'errorCode',
  'error-message': 'errorMessage',
} as const

const statusOf = (order: Order) => {
  const record = statusRecord({ order, stage: shownStage(order, undefined) }, at, { serialNumber: 'q' })
  return Object.fromEntries(
    said.flatMap(name => (record[written[name]] === undefined ? [] : [[name, record[written[name]]]])),
  )
}

describe('the rules alone', () => {
  it('say what the fake says, whatever is done to an order', async () => {
    const seen = new Set<string>()
    await forEachSeed(25, async seed => {
      const random = createRandom(seed)
      const one = <Value>(...values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value
      const gateway = createFakeGateway({ clock: createFakeClock({ base: () => now }) })
      const [operation, cvv2] = [one('sale', 'preauth'), one('123', '123', '123', '101')] as const
      let order = begun(operation, cvv2)
      const { reply } = await pay(gateway, operation, { clientOrderId: 'o-1', cvv2 })
      const orderId = reply['paynet-order-id'] ?? ''
      for (let step = 0; step < 12; step += 1) {
        const minor = one<bigint | undefined>(undefined, 100n, 200n, 200n, 1001n)
        const amount = minor === undefined ? undefined : `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`
        let ours: Became
        let theirs: string | undefined
        const act = one('none', 'none', 'reverse', 'charge-back', 'correct') as
          | 'none'
          | 'reverse'
          | 'charge-back'
          | 'correct'
        if (act === 'none') {
          const change = one('capture', 'return', 'return', 'void')
          const money = amount === undefined || change === 'void' ? {} : { amount, currency: 'EUR' }
          ours = changed(order, change, change === 'void' ? undefined : minor)
          theirs = (await call(gateway, change, { clientOrderId: 'o-1', orderId, ...money })).reply['error-message']
        } else {
          const status = one('approved', 'declined', 'filtered')
          const toldApartBy = one('serial-number', 'codes', 'nothing')
          const wish = act === 'correct' ? { status } : { toldApartBy, ...(amount === undefined ? {} : { amount }) }
          ours = acted(order, { action: act, orderId: '1', ...wish } as OrderAction)
          try {
            gateway.act({ action: act, orderId, ...wish } as OrderAction)
          } catch (error) {
            theirs = (error as Error).message
          }
        }
        expect('refused' in ours ? ours.refused.replace('order "1"', 'it') : undefined).toBe(
          theirs?.replace(`order "${orderId}"`, 'it'),
        )
        if ('order' in ours) order = ours.order
        const { reply: answered } = await call(gateway, 'status', { clientOrderId: 'o-1', orderId })
        expect(Object.fromEntries(said.flatMap(name => (name in answered ? [[name, answered[name]]] : [])))).toEqual(
          statusOf(order),
        )
        const form = undefined
        expect(gateway.orders.find(orderId)?.actions).toEqual(allowedActions({ order, now, form, profile }))
        seen.add(`${order.stages.at(-1)?.stage} ${answered.status}${theirs === undefined ? '' : ', refused'}`)
      }
      await gateway.close()
    })
    // Section 3: what may become of an order. A walk that met none of it would prove nothing.
    expect([...seen]).toEqual(
      expect.arrayContaining([
        'capture approved',
        'reversal approved',
        'void approved',
        'cancel approved',
        'chargeback declined',
        'sale declined, refused',
      ]),
    )
  })

  it('say in a callback what the order is, and no amount before it comes', () => {
    const order = begun('sale', '123')
    const [sale] = order.stages
    expect(notificationFields({ order, stage: sale }, at)).toMatchObject({ transactionType: 'sale', amount: '10.00' })
    const late = { ...sale, amountShownAt: now + 1 }
    expect(notificationFields({ order, stage: late }, at).amount).toBeUndefined()
    expect(statusRecord({ order, stage: late }, at, { serialNumber: 'q' }).currency).toBeUndefined()
  })

  it('refuse a serial number that no request had', () => {
    expect(() => shownStage(begun('sale', '123'), 'another')).toThrow('No request on order "1" has this serial number')
  })
})
