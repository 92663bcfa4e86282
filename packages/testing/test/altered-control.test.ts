import { createHash } from 'node:crypto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway } from '../src/index.js'
import { alter, control, everyItem, nameAlteredItems, payment, requests, signed } from './altered-items.js'
import { card, pay, prepare, send } from './signed-request.js'

let gateway: FakeGateway
beforeEach(() => {
  gateway = createFakeGateway()
})
afterEach(() => gateway.close())

it('covers every operation that is signed with a control value', () => {
  expect(Object.keys(requests).sort()).toEqual(signed.sort())
})

/** Each item once, in the last operation that has it. */
nameAlteredItems([...new Map(everyItem.map(each => [each.item, each])).values()])

it('says what was signed and what the request says', async () => {
  const prepared = await prepare(gateway, 'sale', { ...payment, ...card })
  const fingerprint = createHash('sha256').update(control(prepared)).digest('hex')
  gateway.clientOptions.observer.signed({
    operation: 'sale',
    scheme: 'control',
    fingerprint,
    items: prepared.evidence,
  })
  const answer = await send(gateway, alter(prepared, 'sale', 'amount', '11.00'))
  expect(answer.status).toBe(401)
  expect(answer.reply).toMatchObject({
    type: 'error',
    'error-message': 'Control value does not match: item "amount" was signed as "1000", the request says "1100".',
  })
  expect(answer.reply).not.toHaveProperty('paynet-order-id')
})

it('finds the order id of another order without being told', async () => {
  const first = await pay(gateway, 'sale', { clientOrderId: 'o-1' })
  const second = await pay(gateway, 'sale', { clientOrderId: 'o-22' })
  const orderId = second.reply['paynet-order-id'] ?? ''
  const prepared = await prepare(gateway, 'status', { clientOrderId: 'o-1', orderId })
  const answer = await send(gateway, alter(prepared, 'status', 'orderId', first.reply['paynet-order-id'] ?? ''))
  expect(answer.reply['error-message']).toContain(`item "orderId": the value was made over "${orderId}"`)
})

it('names the key when everything is as it was signed', async () => {
  const other = createFakeGateway({ controlKey: 'another key altogether' })
  const prepared = await prepare(other, 'sale', { ...payment, ...card })
  const fingerprint = createHash('sha256').update(control(prepared)).digest('hex')
  const { evidence: items } = prepared
  gateway.clientOptions.observer.signed({ operation: 'sale', scheme: 'control', fingerprint, items })
  const answer = await send(gateway, prepared)
  expect(answer.reply['error-message']).toBe(
    'Control value does not match: every item is as it was signed, so it was made with another control key.',
  )
})

it('names a masked item by elimination', async () => {
  const prepared = await prepare(gateway, 'sale', { ...payment, ...card })
  const fingerprint = createHash('sha256').update(control(prepared)).digest('hex')
  const items = prepared.evidence.map(({ name, value }) =>
    name === 'email' ? { name, value: 'a***@shop.test' } : { name, value },
  )
  gateway.clientOptions.observer.signed({ operation: 'sale', scheme: 'control', fingerprint, items })
  const far = await send(gateway, alter(prepared, 'sale', 'email', 'augusta.king@shop.test'))
  expect(far.reply['error-message']).toContain('another control key was used, or a masked item differs ("email")')
})

it('never shows the control key', async () => {
  const { controlKey } = gateway.clientOptions
  const prepared = await prepare(gateway, 'sale', { ...payment, ...card })
  const altered = await send(gateway, alter(prepared, 'sale', 'email', controlKey))
  expect(altered.status).toBe(401)
  expect(JSON.stringify(gateway.calls())).not.toContain(controlKey)
})
