import { signedCallback } from '@tillkit/testing'
import { describe, expect, it } from 'vitest'
import { callbackPath, everything, openedShop, orderOf, returnTokenOf, send, tokenOf, waitingPath } from './outsider.js'
import { basket, openShop } from './shop.js'

describe('a callback of an outsider', () => {
  it.each([
    ['is not signed', 'no key at all', 'approved'],
    ['is signed with a guessed key', 'guess', 'approved'],
    ['is signed with the login', 'merchant', 'approved'],
  ])('changes nothing where it %s', async (_, controlKey, status) => {
    const shop = await openedShop()
    await shop.till.pay(basket)
    const before = await everything(shop)
    const { status: answered, text } = await send(
      shop,
      callbackPath(signedCallback({ controlKey, status, ...orderOf(shop) })),
    )
    expect([answered, text]).toEqual([403, ''])
    expect(await everything(shop)).toEqual(before)
  })

  it.each([
    ['between the two ids, to the right', (o: string, c: string) => [`${o}${c.slice(0, 1)}`, c.slice(1)], 'approved'],
    ['between the two ids, to the left', (o: string, c: string) => [o.slice(0, -1), `${o.slice(-1)}${c}`], 'approved'],
    ['between the status and the id', (o: string, c: string) => [o.slice(1), c], 'approved!'],
  ] as const)('changes nothing where a genuine one is cut anew %s', async (_, cut, word) => {
    const shop = await openedShop()
    await shop.customerPays((await shop.till.pay(basket)).address)
    await shop.gateway.callbacks.idle()
    const before = await everything(shop)
    const { controlKey } = shop.gateway.clientOptions
    const { orderId, clientOrderId } = orderOf(shop)
    const genuine = new URLSearchParams(signedCallback({ controlKey, status: 'approved', orderId, clientOrderId }).body)
    const [otherId = '', otherName = ''] = cut(orderId, clientOrderId)
    for (const [name, value] of [...genuine]) {
      if (value === orderId) genuine.set(name, otherId)
      else if (value === clientOrderId) genuine.set(name, otherName)
      else if (value === 'approved') genuine.set(name, word === 'approved' ? word : `approved${orderId.slice(0, 1)}`)
    }
    await send(shop, `/payments/callback?${genuine}`)
    await shop.till.tick()
    expect(await everything(shop)).toEqual(before)
    await expect(shop.till.pay({ ...basket, amount: '10.00' })).resolves.toMatchObject({ kind: 'over' })
  })

  it('tells nothing again where an old one comes after a new order, and nothing that status does not say', async () => {
    const shop = await openedShop()
    const { controlKey } = shop.gateway.clientOptions
    await shop.customerPays((await shop.till.pay(basket)).address, '101')
    await shop.till.pay(basket)
    const [first, second] = [orderOf(shop), orderOf(shop, 'basket-7.2r')]
    await shop.gateway.callbacks.idle()
    const replayed = [
      ['declined', first],
      ['approved', second],
      ['approved', { ...second, orderId: first.orderId }],
      ['approved', { ...first, orderId: second.orderId }],
    ] as const
    await Promise.all(
      replayed.map(([status, order]) => send(shop, callbackPath(signedCallback({ controlKey, status, ...order })))),
    )
    expect(shop.told).toEqual(['basket-7 declined 10.00'])
    expect(await shop.till.payment('basket-7')).toMatchObject({ state: 'open' })
    expect(shop.gateway.calls('saleForm')).toHaveLength(2)
  })
})

describe('a state', () => {
  it('opens nothing but what it was made for, and nothing once it is edited', async () => {
    const shop = await openedShop()
    await shop.till.pay(basket)
    const page = tokenOf(await waitingPath(shop))
    const back = returnTokenOf(shop)
    const [header = '', claims = '', signature = ''] = page.split('.')
    const other = Buffer.from(JSON.stringify({ alg: 'none' })).toString('base64url')
    const edited = Buffer.from(Buffer.from(claims, 'base64url').toString().replace('basket-7', 'basket-8')).toString(
      'base64url',
    )
    const before = await everything(shop)
    for (const path of [
      `return/${page}`,
      `3ds/${page}`,
      `3ds/${back}`,
      `3ds/${back}/method`,
      `payment/${back}`,
      `payment/${header}.${edited}.${signature}`,
      `payment/${other}.${claims}.`,
      `payment/${other}.${claims}.${signature}`,
      `payment/${page.slice(0, -2)}`,
      'payment/basket-7',
      'return/basket-7',
      'payment/AAAAAAAAAAAAAAAAAAAAAA',
      `payment/${'a.'.repeat(5_000)}`,
    ])
      for (const method of ['GET', 'POST']) {
        const { status, text, location } = await send(shop, `/payments/${path}`, { method })
        expect([path, status >= 400, location, text.includes('basket'), text.includes('10.00')]).toEqual([
          path,
          true,
          undefined,
          false,
          false,
        ])
      }
    expect(await everything(shop)).toEqual(before)
  })

  it('shows the payment that it was made for, and no other', async () => {
    const shop = await openedShop()
    await shop.till.pay(basket)
    await shop.till.pay({ ...basket, reference: 'basket-8', amount: '77.00' })
    const { text } = await send(shop, await waitingPath(shop))
    expect([text.includes('10.00'), text.includes('77.00'), text.includes('basket-8')]).toEqual([true, false, false])
  })
})

describe('what a merchant wants to hear of callbacks', () => {
  it('is told of a refused one why, and of a verified one what it came to, each with its request', async () => {
    const heard: string[] = []
    const shop = await openShop({
      onRejected: ({ reason }, request) => heard.push(`refused ${reason} ${request?.method}`),
      onReport: ({ kind }, request) => heard.push(`${kind} ${request?.method}`),
    })
    const { address } = await shop.till.pay(basket)
    const forged = { status: 'approved', orderid: '1', merchant_order: 'basket-7', control: 'f'.repeat(40) }
    const answer = await fetch(`${shop.origin}/payments/callback?${new URLSearchParams(forged)}`)
    expect([answer.status, heard]).toEqual([403, ['refused control-mismatch GET']])
    await shop.customerPays(address)
    await shop.gateway.callbacks.idle()
    expect(heard.slice(1)).toEqual(['told GET'])
  })
})
