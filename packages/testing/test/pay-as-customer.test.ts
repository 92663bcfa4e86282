import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, declinedAccount, type FakeGateway, payAsCustomer } from '../src/index.js'
import { type MerchantSite, startMerchantSite } from './merchant-site.js'
import { call, customer, type Name } from './signed-request.js'

let gateway: FakeGateway
let site: MerchantSite
beforeEach(async () => {
  gateway = createFakeGateway({ processingTime: 0 })
  site = await startMerchantSite()
})
afterEach(async () => {
  await site.close()
  await gateway.close()
})

async function newForm(name: Name = 'saleForm'): Promise<string> {
  const money = { amount: '18.00', currency: 'EUR' }
  const redirectUrl = `${site.origin}/return`
  const { reply } = await call(gateway, name, { clientOrderId: 'o-1', ...money, ...customer, redirectUrl })
  return reply['redirect-url'] ?? ''
}

const isListed = (status: string) => expect(gateway.orders.find('o-1')?.stages).toMatchObject([{ status }])

describe('payAsCustomer', () => {
  it.each([
    ['through the dispatcher', async () => undefined],
    ['over HTTP', () => gateway.listen()],
  ])('pays with a test card and posts what happened to the shop, %s', async (_case, listen) => {
    await listen()
    const page = await payAsCustomer(await newForm(), { gateway })
    expect(page).toMatchObject({ status: 200, html: expect.stringContaining('Welcome back') })
    expect(page.url.href).toBe(`${site.origin}/return`)
    expect(site.posted).toMatchObject([{ path: '/return', fields: { status: 'approved', client_orderid: 'o-1' } }])
    isListed('approved')
  })

  it('pays at a gateway of another process, of which its address is known', async () => {
    await gateway.listen()
    const baseUrl = gateway.clientOptions.baseUrl.href
    const page = await payAsCustomer(await newForm(), { gateway: { clientOptions: { baseUrl } } })
    expect(page.html).toContain('Welcome back')
    isListed('approved')
  })

  it('says which redirect led nowhere, and why that is so most of the time', async () => {
    const form = await newForm()
    await site.close()
    await expect(payAsCustomer(form, { gateway })).rejects.toThrow(
      new RegExp(
        `led from http.* to ${site.origin}/return, and no answer came .*ECONNREFUSED.* compare the till's "address"`,
      ),
    )
    site = await startMerchantSite()
  })

  it('says that the gateway led to a page that the shop does not have', async () => {
    const form = await newForm()
    site.answer(404)
    await expect(payAsCustomer(form, { gateway })).rejects.toThrow(
      new RegExp(`led from http.* to ${site.origin}/return, where there is no page .* till\\.express\\(\\)`),
    )
    isListed('approved')
  })

  it('says that the gateway does not know a form, and what to do', async () => {
    const form = await newForm()
    gateway.reset()
    await expect(payAsCustomer(form, { gateway })).rejects.toThrow(/\(404\)\. .* orders are gone\. Delete the store/)
  })

  it('types what it is told', async () => {
    const input = { creditCardNumber: '5555 5555 5555 4444', cardPrintedName: 'ADA', cvv2: '116' }
    await payAsCustomer(await newForm(), { gateway, ...input, expireMonth: '1', expireYear: '2098' })
    expect(site.posted[0]?.fields).toMatchObject({ 'card-holder-name': 'ADA', 'last-four-digits': '4444' })
    isListed('declined')
  })

  it.each([
    [{}, 'approved'],
    [{ accountNumber: 'DE02120300000000202051' }, 'approved'],
    [{ accountNumber: declinedAccount }, 'declined'],
  ])('receives a payout: %j', async (input, status) => {
    await payAsCustomer(await newForm('payoutForm'), { gateway, ...input })
    isListed(status)
  })

  it('goes on from an answer, whether or not its redirect was followed', async () => {
    await gateway.listen()
    const form = await newForm()
    const followed = await fetch(form)
    expect((await payAsCustomer(followed, { gateway })).url.pathname).toBe('/return')
    const sent = Object.defineProperty(Response.redirect(form, 303), 'url', { value: `${site.origin}/pay` })
    expect((await payAsCustomer(sent, { gateway })).html).toContain('Already done')
  })

  it('says what the gateway did not take', async () => {
    const paying = payAsCustomer(await newForm(), { gateway, creditCardNumber: '4444', expireYear: '1999' })
    await expect(paying).rejects.toThrow(
      /^The page \/paynet\/form\/[0-9a-f]+ of the gateway did not take .*card number/,
    )
    expect(site.posted).toEqual([])
  })

  it('says of a path that it may be the page of a payment which is over', async () => {
    await expect(payAsCustomer('/orders/7', { gateway })).rejects.toThrow(
      /^payAsCustomer: "\/orders\/7" is a path, not a whole address.* Delete that file/,
    )
  })

  it('stays on a page of the shop, which has forms of its own', async () => {
    const form = '<form method="post" action="/pay-again"><button>Pay</button></form>'
    const search = '<form action="/search"></form><script>document.forms[0].submit()</script>'
    const slow = '<noscript><meta http-equiv="refresh" content="0;url=/without-scripts"></noscript>'
    for (const html of [form, search, slow]) {
      const page = await payAsCustomer(site.show('/cart', html), { gateway })
      expect([page.url.pathname, site.posted]).toEqual(['/cart', []])
    }
  })

  it('goes on where a script or a refresh without a pause does, and ends where one waits', async () => {
    site.show('/last', '<meta http-equiv="refresh" content="2;url=/never">')
    site.show('/next', '<meta http-equiv="refresh" content="0;url=/last?a=1&amp;b=2">')
    const form =
      '<form method="post" action="/next" target="_self"><input type="hidden" name="a" value="&quot;&#39;"></form>'
    const start = site.show('/start', `${form}<script>document.forms[0].submit()</script>`)
    expect((await payAsCustomer(start, { gateway })).url.href).toBe(`${site.origin}/last?a=1&b=2`)
    expect(site.posted).toEqual([{ path: '/next', fields: { a: '"\'' } }])
  })

  it('gives up where it is led on for ever', async () => {
    const start = site.show('/round', '<meta http-equiv="refresh" content="0;url=/round">')
    await expect(payAsCustomer(new URL(start), { gateway })).rejects.toThrow('led on 30 times, the last time to http')
  })
})
