/** The till keeps who wanted money moved, and why. The gateway never hears it. */
import { expect, it } from 'vitest'
import { byCard, openShop } from './shop.js'

const zoë = { who: 'zoë', why: 'ticket 4711: the cup was broken' }

const saidOf = (timeline: readonly { readonly text: string }[]) =>
  timeline.filter(({ text }) => text.includes('wanted it')).map(({ text }) => text.replace(/ Just before.*?\. /, ' '))

it('till.return, capture, void and payout keep who wanted it and why, and the gateway hears nothing of that', async () => {
  const shop = await openShop()
  const { till, gateway } = shop
  await till.pay(byCard)
  await gateway.clock.advance(180_000)
  await till.tick()
  await till.return('basket-7', { amount: '3.00', key: 'cup', ...zoë })
  await till.return('basket-7', { who: 'otto', why: 'card 4444444444444448 was stolen' })
  await till.pay({ ...byCard, reference: 'hold-8', hold: true })
  await gateway.clock.advance(180_000)
  await till.tick()
  await till.void('hold-8', zoë)
  await till.payout({
    reference: 'payout-9',
    amount: '5.00',
    currency: 'EUR',
    accountNumber: 'NL91ABNA0417164300',
    ...zoë,
  })
  const [basket, hold, payout] = await Promise.all(['basket-7', 'hold-8', 'payout-9'].map(each => till.payment(each)))
  expect(saidOf(basket?.timeline ?? [])).toEqual([
    'The till was about to ask the gateway for a return over 3.00 EUR (key "cup"). zoë wanted it: "ticket 4711: the cup was broken".',
    expect.stringMatching(/otto wanted it: "card 444444\*{6}4448 was stolen"\.$/),
  ])
  expect(saidOf(hold?.timeline ?? [])).toEqual([expect.stringContaining('a void')])
  expect(saidOf(payout?.timeline ?? [])).toEqual([expect.stringContaining('a payout over 5.00 EUR')])
  expect(JSON.stringify(gateway.calls())).not.toMatch(/zoë|otto|ticket/)
})

it.each([
  [{ who: 'zoë' }, '"why"'],
  [{ why: 'ticket 4711' }, '"who"'],
  [{ who: 'zoë', why: ' ' }, '"why"'],
])('till.return refuses %j before anything is sent', async (person, named) => {
  const { till, gateway } = await openShop()
  await expect(till.return('basket-7', person)).rejects.toThrow(named)
  await expect(
    till.payout({
      reference: 'payout-9',
      amount: '5.00',
      currency: 'EUR',
      accountNumber: 'NL91ABNA0417164300',
      ...person,
    }),
  ).rejects.toThrow(named)
  expect(gateway.calls()).toEqual([])
})

it.each([{ Amount: '3.00', Key: 'cup' }, { amount: undefined, key: undefined }, { amount: '3.00' }])(
  'till.return refuses %j, which may be meant as a part, and sends nothing',
  async part => {
    const { till, gateway } = await openShop()
    await till.pay(byCard)
    await gateway.clock.advance(180_000)
    await till.tick()
    await expect(till.return('basket-7', part as never)).rejects.toThrow('A part needs "amount" and "key"')
    expect(gateway.calls('return')).toEqual([])
  },
)
