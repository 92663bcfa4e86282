import { AssertionError } from 'node:assert'
import { expect as jestExpect } from 'expect'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  assertCalledBack,
  assertMovedMoney,
  assertOrder,
  assertReceived,
  assertRefusedNothing,
  createFakeGateway,
  type FakeGateway,
  movementsOf,
} from '../src/index.js'
import { gatewayMatchers as matchersForJest } from '../src/jest.js'
import { gatewayMatchers } from '../src/vitest.js'
import { startCallbackMerchant } from './callback-merchant.js'
import { call, pay, prepare, send } from './signed-request.js'

expect.extend(gatewayMatchers)
jestExpect.extend(matchersForJest)

let gateway: FakeGateway
let merchant: Awaited<ReturnType<typeof startCallbackMerchant>>
beforeAll(async () => {
  merchant = await startCallbackMerchant()
  gateway = createFakeGateway({ controlKey: 'K-secret' })
  const { reply } = await pay(gateway, 'sale', { clientOrderId: 'o-1', serverCallbackUrl: merchant.url })
  const held = await pay(gateway, 'preauth', { clientOrderId: 'o-2', amount: '8.00' })
  const hold = { clientOrderId: 'o-2', orderId: held.reply['paynet-order-id'] ?? '' }
  await call(gateway, 'capture', { ...hold, amount: '5.00', currency: 'EUR' })
  await pay(gateway, 'sale', { clientOrderId: 'o-3', cvv2: '116' })
  await call(gateway, 'payout', { clientOrderId: 'p-1', amount: '3.00', currency: 'EUR', accountNumber: '12345678' })
  await call(gateway, 'return', { clientOrderId: 'o-1', orderId: reply['paynet-order-id'] ?? '' })
  await gateway.callbacks.idle()
})
afterAll(() => Promise.all([gateway.close(), merchant.close()]))

const moved = [
  { clientOrderId: 'o-1', stage: 'sale', money: 'captured', amount: '10.00', currency: 'EUR' },
  { clientOrderId: 'o-1', stage: 'reversal', money: 'returned', amount: '10.00', currency: 'EUR' },
  { clientOrderId: 'o-2', stage: 'capture', money: 'captured', amount: '5.00', currency: 'EUR' },
  { clientOrderId: 'p-1', stage: 'payout', money: 'sent', amount: '3.00', currency: 'EUR' },
] as const

/** Each claim about the gateway above: as a matcher of vitest, as one of jest, as a function. */
const claims: readonly (readonly [
  claim: string,
  holds: boolean,
  matcher: (expected: FakeGatewayExpectation) => void,
  assertion: () => void,
])[] = [
  ['asked for sale', true, it => it.toHaveReceived('sale'), () => assertReceived(gateway, { operation: 'sale' })],
  ['asked for void', false, it => it.toHaveReceived('void'), () => assertReceived(gateway, { operation: 'void' })],
  [
    'asked for two sales',
    true,
    it => it.toHaveReceived('sale', { times: 2 }),
    () => assertReceived(gateway, { operation: 'sale', times: 2 }),
  ],
  [
    'asked for one sale',
    false,
    it => it.toHaveReceived('sale', { times: 1 }),
    () => assertReceived(gateway, { operation: 'sale', times: 1 }),
  ],
  [
    'asked for a sale that it refused',
    false,
    it => it.toHaveReceived('sale', { verdict: 'refused' }),
    () => assertReceived(gateway, { operation: 'sale', verdict: 'refused' }),
  ],
  [
    'asked for one sale of an order, by a name in camel case and a masked card number',
    true,
    it =>
      it.toHaveReceived('sale', { times: 1, fields: { clientOrderId: 'o-1', credit_card_number: '4444444444444448' } }),
    () => assertReceived(gateway, { operation: 'sale', times: 1, fields: { client_orderid: 'o-1' } }),
  ],
  [
    'asked for a sale of another amount',
    false,
    it => it.toHaveReceived('sale', { fields: { amount: '10' } }),
    () => assertReceived(gateway, { operation: 'sale', fields: { amount: '10' } }),
  ],
  ['all that moved', true, it => it.toHaveMovedMoney(moved), () => assertMovedMoney(gateway, moved)],
  [
    'all that moved, in part',
    true,
    it => it.toHaveMovedMoney([{ clientOrderId: 'o-1' }, { stage: 'reversal' }, {}, { money: 'sent' }]),
    () => assertMovedMoney(gateway, [{}, {}, {}, { amount: '3.00' }]),
  ],
  [
    'less than moved',
    false,
    it => it.toHaveMovedMoney(moved.slice(0, 3)),
    () => assertMovedMoney(gateway, moved.slice(0, 3)),
  ],
  [
    'another amount moved',
    false,
    it => it.toHaveMovedMoney([{ amount: '10.01' }, {}, {}, {}]),
    () => assertMovedMoney(gateway, [{ amount: '10.01' }, {}, {}, {}]),
  ],
  ['nothing moved', false, it => it.toHaveMovedMoney([]), () => assertMovedMoney(gateway, [])],
  ['an order', true, it => it.toHaveOrder('o-1'), () => assertOrder(gateway, { id: 'o-1' })],
  ['an order that is not there', false, it => it.toHaveOrder('o-9'), () => assertOrder(gateway, { id: 'o-9' })],
  [
    'a stage of an order',
    true,
    it => it.toHaveOrder('o-2', { stage: 'preauth', status: 'approved', amount: '8.00' }),
    () => assertOrder(gateway, { id: 'o-2', stage: 'capture', amount: '5.00' }),
  ],
  [
    'the latest stage of a declined order',
    true,
    it => it.toHaveOrder('o-3', { status: 'declined', errorCode: '116', final: true }),
    () => assertOrder(gateway, { id: 'o-3', status: 'declined' }),
  ],
  [
    'an order with another status',
    false,
    it => it.toHaveOrder('o-3', { status: 'approved' }),
    () => assertOrder(gateway, { id: 'o-3', status: 'approved' }),
  ],
  [
    'a callback',
    true,
    it => it.toHaveCalledBack('o-1', { status: 'approved', times: 1 }),
    () => assertCalledBack(gateway, { id: 'o-1' }),
  ],
  [
    'a callback with another status',
    false,
    it => it.toHaveCalledBack('o-1', { status: 'declined' }),
    () => assertCalledBack(gateway, { id: 'o-1', status: 'declined' }),
  ],
  [
    'a second callback',
    false,
    it => it.toHaveCalledBack('o-1', { times: 2 }),
    () => assertCalledBack(gateway, { id: 'o-1', times: 2 }),
  ],
  ['a callback to nobody', false, it => it.toHaveCalledBack('o-2'), () => assertCalledBack(gateway, { id: 'o-2' })],
  ['nothing refused', true, it => it.toHaveRefusedNothing(), () => assertRefusedNothing(gateway)],
]

type FakeGatewayExpectation = Pick<
  ReturnType<typeof jestExpect>,
  'toHaveReceived' | 'toHaveMovedMoney' | 'toHaveOrder' | 'toHaveCalledBack' | 'toHaveRefusedNothing'
>

describe.each(claims)('the claim: %s', (_claim, holds, matcher, assertion) => {
  const passes = (run: () => void) => (holds ? run() : expect(run).toThrow(/gateway|moved|move:|taken/))
  const fails = (run: () => void) => (holds ? expect(run).toThrow(/was not to|refused nothing/) : run())

  it('is judged by vitest', () => {
    passes(() => matcher(expect(gateway)))
    fails(() => matcher(expect(gateway).not))
  })

  it('is judged by jest', () => {
    passes(() => matcher(jestExpect(gateway)))
    fails(() => matcher(jestExpect(gateway).not))
  })

  it('is judged by a function', () => {
    if (holds) assertion()
    else expect(assertion).toThrow(AssertionError)
  })
})

describe('a claim that does not hold', () => {
  it('shows what there is', () => {
    const failure = (claim: () => void): string => {
      try {
        claim()
      } catch (error) {
        return (error as Error).message
      }
      return expect.fail('it holds')
    }
    expect(failure(() => assertReceived(gateway, { operation: 'void' }))).toMatch(
      /^The gateway was asked for "void" never\.[\s\S]*^6 .* return +o-1 /m,
    )
    expect(failure(() => assertMovedMoney(gateway, []))).toMatch(
      /^Expected to move: no money\. Moved: \[ \{ clientOrderId: 'o-1', [\s\S]*^o-1 +\d+ +reversal +approved +10\.00 EUR$/m,
    )
    expect(failure(() => assertOrder(gateway, { id: 'o-9', status: 'approved' }))).toMatch(
      /does not have the order "o-9" with \{ status: 'approved' \}\.\n\norder [\s\S]*^o-3 +\d+ +sale +declined +10\.00 EUR +Decline/m,
    )
    expect(failure(() => assertCalledBack(gateway, { id: 'o-2' }))).toMatch(/o-1 +approved +1 +200$/m)
    expect(movementsOf(gateway)).toEqual(moved)
  })

  it('shows the requests that were refused', async () => {
    const other = createFakeGateway()
    const sale = await prepare(other, 'sale', { clientOrderId: 'o-1', amount: '1.00', currency: 'EUR' })
    await send(other, { ...sale, parameters: [] })
    expect(() => expect(other).toHaveRefusedNothing()).toThrow(/refused 1 request[\s\S]*sale .* refused/)
    expect(() => assertRefusedNothing(other)).toThrow('refused 1 request')
    expect(() => assertOrder(other, { id: 'o-1' })).toThrow('There are no orders.')
    expect(() => assertCalledBack(other, { id: 'o-1' })).toThrow('No callbacks.')
  })
})

describe('a claim that cannot be judged', () => {
  it.each<[string, () => void]>([
    ['There is no operation "sail"', () => expect(gateway).not.toHaveReceived('sail')],
    ['has no option "time"', () => expect(gateway).not.toHaveReceived('sale', { time: 1 } as never)],
    ['has no option "price"', () => expect(gateway).not.toHaveMovedMoney([{ price: '1' } as never])],
    ['has no option "state"', () => expect(gateway).not.toHaveOrder('o-1', { state: 'x' } as never)],
    ['has no option "word"', () => expect(gateway).not.toHaveCalledBack('o-1', { word: 'x' } as never)],
    ['"cvv2" is not kept in the call log', () => expect(gateway).toHaveReceived('sale', { fields: { cvv2: '123' } })],
    ['expect(gateway)', () => expect(gateway.dispatcher).not.toHaveReceived('sale')],
    ['expect(gateway)', () => expect(undefined).not.toHaveRefusedNothing()],
    ['"empty" is empty', () => expect('text').not.toHoldNoSecrets({ empty: '' })],
  ])('is refused, even negated: %s', (message, claim) => {
    expect(claim).toThrow(message)
  })
})

describe('toHoldNoSecrets', () => {
  it('is for anything that may show them', () => {
    expect(gateway.calls()).toHoldNoSecrets({ 'control key': 'K-secret' })
    expect('… K-secret …').not.toHoldNoSecrets(['K-secret'])
    expect(() => expect('… K-secret …').toHoldNoSecrets({ key: 'K-secret' })).toThrow('"key" was found')
    expect(() => jestExpect('nothing').not.toHoldNoSecrets({ key: 'K-secret' })).toThrow('None of the secrets')
  })
})
