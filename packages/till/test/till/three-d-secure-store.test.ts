/** 3DS where the store fails: the customer goes on, and no result is uploaded twice. Uploads are counted in the gateway's books. */

import { describe, expect, it } from 'vitest'
import { memoryStore } from '../../src/store/memory-store.js'
import { type Store, StoreError } from '../../src/store/store.js'
import { challenge, leadsTo, method, openSecureShop, slowGateway, title } from './secure-shop.js'
import { watchWarnings } from './watch-warnings.js'

const toPage = '303 the page of the payment'

/** A store whose writes a test may refuse, by what they would keep. Each one that it refuses takes longer than a customer waits for it. */
function refusingStore() {
  const gateway = slowGateway()
  const base = memoryStore({ clock: gateway.clientOptions.clock })
  const refuses = { write: (_body: string): boolean => false }
  const write: Store['write'] = async (key, entry, options) => {
    if (!refuses.write(entry.body)) return base.write(key, entry, options)
    await gateway.clock.advance(6_000)
    throw new StoreError('ERR_STORE_REFUSED', 'There is no room for it.')
  }
  return { gateway, base, refuses, store: { ...base, write } as Store<never> }
}

const hasProgress = (body: string): boolean => body.includes('"kind":"three-d-secure"')

describe('a store that fails', () => {
  it('at the note of an upload: the customer goes on, the merchant is warned, and nothing is uploaded again', async () => {
    const warned = watchWarnings()
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays(challenge)
    await shop.get()
    refuses.write = hasProgress
    expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
    expect(warned('WARN_STORE_FAILED', /There is no room for it/)).not.toEqual([])
    // Nobody knows that the step is done: the bank is shown again, and what it gives is sent no second time.
    expect(title(await shop.get())).toBe('On to your bank')
    refuses.write = () => false
    await shop.post('', { cres: 'e30' })
    expect(title(await shop.get())).toBe('Checking your payment')
    expect(shop.uploads()).toHaveLength(1)
    shop.statusSays({ status: 'approved' })
    expect(leadsTo(await shop.get())).toBe(toPage)
    expect(shop.told).toEqual(['basket-7 paid 10.00'])
  })

  it('at whatever follows an upload: the customer goes on, and nothing is uploaded again', async () => {
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays(challenge)
    await shop.get()
    gateway.handle({
      uploadCresResult() {
        refuses.write = () => true
        return shop.taken()
      },
    })
    expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
    refuses.write = () => false
    await shop.post('', { cres: 'e30' })
    expect(shop.uploads()).toHaveLength(1)
    expect(title(await shop.get())).toBe('Checking your payment')
  })

  it('before an upload: nothing is sent, and the result is sent once the store is back', async () => {
    const warned = watchWarnings()
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays(challenge)
    await shop.get()
    refuses.write = () => true
    expect(leadsTo(await shop.post('', { cres: 'e30' }))).toBe(`303 ${shop.address}`)
    expect([shop.uploads().length, warned('WARN_3D_SECURE_STUCK').length]).toEqual([0, 1])
    refuses.write = () => false
    expect(title(await shop.get())).toBe('On to your bank')
    await shop.post('', { cres: 'e30' })
    expect(shop.uploads()).toHaveLength(1)
  })

  it('at the beginning of a 3DS method: its page is shown all the same', async () => {
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays(method)
    refuses.write = hasProgress
    expect(title(await shop.get())).toBe('Preparing your payment')
    refuses.write = () => false
    await shop.get()
    await shop.later(10_000)
    await shop.get()
    expect(shop.uploads()).toMatchObject([{ threeDSCompInd: 'N' }])
  })

  it('at the gateway’s page: it is shown all the same', async () => {
    const { gateway, store, refuses } = refusingStore()
    const shop = await openSecureShop({ gateway, store })
    shop.statusSays({ redirectTo: 'https://gate.example/3ds' })
    refuses.write = hasProgress
    expect((await shop.get()).text).toContain('content="0;url=https://gate.example/3ds"')
    refuses.write = () => false
  })
})
