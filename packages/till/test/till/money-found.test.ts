/** Outcomes and payments say by what a person finds the money: the codes of the acquirer, the card, the statement, the gateway's ids. */
import { expect, it } from 'vitest'
import type { TillOutcome } from '../../src/index.js'
import { byCard, openShop } from './shop.js'

it('a sale and its return are found by what status said of them, in the outcome, the payment and its timeline', async () => {
  const told: TillOutcome[] = []
  const shop = await openShop({ onOutcome: outcome => void told.push(outcome) })
  const { till, gateway } = shop
  await till.pay(byCard)
  await gateway.clock.advance(180_000)
  await till.tick()
  await till.return('basket-7', { amount: '3.00', key: 'cup' })
  await gateway.clock.advance(180_000)
  await till.tick()
  // The books of the gateway, as its own status says them.
  const { orders } = await till.payment('basket-7')
  const asked = [undefined, orders[0]?.stages[1]?.serialNumber].map(serialNumber =>
    shop.till.client.status({
      clientOrderId: 'basket-7',
      orderId: orders[0]?.orderId ?? '',
      ...(serialNumber === undefined ? {} : { byRequestSn: serialNumber }),
    }),
  )
  const [, returned] = await Promise.all(asked)
  const { processorRrn, approvalCode, cardType, lastFourDigits, descriptor } = returned ?? {}
  const found = { processorRrn, approvalCode, cardType, lastFourDigits, descriptor }
  expect(found).toEqual({
    processorRrn: expect.stringMatching(/^\d+$/),
    approvalCode: expect.any(String),
    cardType: 'VISA',
    lastFourDigits: byCard.creditCardNumber.slice(-4),
    descriptor: 'TILLKIT TEST',
  })
  expect(orders[0]?.stages).toMatchObject([
    { stage: 'sale', amount: '10.00', cardType: 'VISA', lastFourDigits, descriptor },
    { stage: 'reversal', amount: '3.00', ...found },
  ])
  expect(orders[0]?.stages[0]?.processorRrn).toMatch(/^\d+$/)
  expect(orders[0]?.stages[0]?.processorRrn).not.toBe(processorRrn)
  expect(told.map(({ kind, stage, order }) => [kind, stage.processorRrn, stage.lastFourDigits, order.orderId])).toEqual(
    (['paid', 'returned'] as const).map((kind, place) => [
      kind,
      orders[0]?.stages[place]?.processorRrn,
      lastFourDigits,
      orders[0]?.orderId,
    ]),
  )
  const { timeline } = await till.payment('basket-7')
  expect(timeline.findLast(({ kind }) => kind === 'status')).toMatchObject(found)
  const number = byCard.creditCardNumber
  expect(JSON.stringify([timeline, orders, told])).not.toContain(number)
})
