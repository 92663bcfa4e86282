import { readReply, type StatusResponse, threeDSecureStep, threeDSMethodData } from '@tillkit/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, type FakeGatewayOptions, threeDSecure1Card } from '../src/index.js'
import { launch } from './browser.js'
import { type MerchantSite, postingForm, startMerchantSite } from './merchant-site.js'
import { call, card, customer, type Name, pay, prepare, send } from './signed-request.js'

describe('the pages for customers, in Chromium', () => {
  let browser: Browser
  let site: MerchantSite
  let gateway: FakeGateway
  let page: Page

  beforeAll(async () => {
    // The names of the tests are this machine, and are not among those that browsers trust without TLS.
    browser = await launch(['--host-resolver-rules=MAP *.tests.example 127.0.0.1'])
  })
  afterAll(() => browser?.close())

  beforeEach(async () => {
    site = await startMerchantSite()
    await begin()
    page = await (await browser.newContext()).newPage()
  })
  afterEach(async () => {
    await page.context().close()
    await Promise.all([gateway.close(), site.close()])
  })

  async function begin(options: FakeGatewayOptions = {}) {
    await gateway?.close()
    gateway = createFakeGateway(options)
    await gateway.listen()
  }

  const status = async () => (await call(gateway, 'status', { clientOrderId: 'o-1' })).reply
  const back = () => page.getByRole('heading', { name: 'Welcome back' }).waitFor()

  async function step() {
    const { profile } = gateway.clientOptions
    return threeDSecureStep(readReply(await status(), { record: 'StatusResponse', profile }) as StatusResponse, profile)
  }

  async function upload(name: Name, fields: Record<string, string>) {
    const { 'paynet-order-id': orderId = '' } = await status()
    expect((await call(gateway, name, { clientOrderId: 'o-1', orderId, ...fields })).status).toBe(200)
  }

  describe('hosted', () => {
    async function open(name: Name) {
      const money = name === 'accountVerificationForm' ? {} : { amount: '18.00', currency: 'EUR' }
      const redirectUrl = `${site.origin}/return`
      const answer = await call(gateway, name, {
        clientOrderId: 'o-1',
        orderDesc: 'A cup',
        ...money,
        ...customer,
        redirectUrl,
      })
      await page.goto(answer.reply['redirect-url'] ?? '')
    }

    async function typeCard(cvv2: string) {
      await page.getByLabel('Card number').fill('4444 4444 4444 4448')
      await page.getByLabel('Name on card').fill('JOAN BAKER')
      await page.getByLabel('Month').fill('12')
      await page.getByLabel('Year').fill('2031')
      await page.getByLabel('CVV').fill(cvv2)
    }

    it.each([
      ['saleForm', 'Pay 18.00 EUR'],
      ['preauthForm', 'Reserve 18.00 EUR'],
      ['paymentForm', 'Pay 18.00 EUR'],
      ['accountVerificationForm', 'Verify card'],
    ] as const)('%s takes a card and the customer back', async (name, button) => {
      await open(name)
      await typeCard('123')
      await page.getByRole('button', { name: button }).click()
      await back()
      expect(site.posted).toMatchObject([{ path: '/return', fields: { status: 'approved', client_orderid: 'o-1' } }])
      expect((await status()).status).toBe('approved')
    })

    it('payoutForm takes a destination and the customer back', async () => {
      await open('payoutForm')
      await page.getByLabel('Phone number').fill('+44 7700 900123')
      await page.getByRole('button', { name: 'Receive the payout' }).click()
      await back()
      expect(site.posted).toMatchObject([{ path: '/return', fields: { status: 'approved', type: 'payout' } }])
    })

    it('asks for the password of 3DS', async () => {
      await open('saleForm')
      await typeCard('321')
      await page.getByRole('button', { name: 'Pay 18.00 EUR' }).click()
      await page.getByLabel('Password').fill('hint')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await back()
      expect((await status()).status).toBe('approved')
    })
  })

  describe('of another site', () => {
    const books = () => gateway.orders.list().map(({ clientOrderId, stages }) => [clientOrderId, stages[0]?.status])
    const money = { clientOrderId: 'o-1', amount: '18.00', currency: 'EUR', ...customer }
    const typed = {
      credit_card_number: '4444444444444448',
      card_printed_name: 'A',
      expire_month: '12',
      expire_year: '2099',
      cvv2: '123',
    }

    /** The body of a signed sale, as one who knows the published key makes it. */
    const signedSale = async () => {
      const { url, parameters } = await prepare(gateway, 'sale', { ...money, ...card })
      return { path: url.pathname, fields: Object.fromEntries(parameters) }
    }

    it('make no order by a form that they post', async () => {
      const { path, fields } = await signedSale()
      await page.goto(site.show('/attack', postingForm(`${gateway.clientOptions.baseUrl.origin}${path}`, fields)))
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.getByText('406').or(page.getByText('403')).first().waitFor()
      expect(books()).toEqual([])
    })

    it.each(['attacker.tests.example', '127.0.0.1'])('make no order by a script, asking %s', async name => {
      const { path, fields } = await signedSale()
      const { port } = gateway.clientOptions.baseUrl
      // A page of the attacker's name, which has this machine's address by now, is served by the gateway itself.
      await page.goto(
        name === '127.0.0.1' ? site.show('/attack', '<h1>Attack</h1>') : `http://${name}:${port}/__gateway/health`,
      )
      const status = await page.evaluate(
        async ([url = '', body = '']) => {
          const headers = { Accept: 'application/vnd.pay+json', 'Content-Type': 'application/x-www-form-urlencoded' }
          const answer = await fetch(url, { method: 'POST', headers, body, mode: 'no-cors' })
          return answer.status
        },
        [`http://${name}:${port}${path}`, new URLSearchParams(fields).toString()],
      )
      // A page cannot read the answer of another origin: it sees no status.
      expect(status).toBe(name === '127.0.0.1' ? 0 : 403)
      expect(gateway.calls('sale')).toMatchObject([{ httpStatus: 403 }])
      expect(books()).toEqual([])
    })

    it('bring the customer to the form, and do not fill it in', async () => {
      const { reply } = await call(gateway, 'saleForm', { ...money, redirectUrl: `${site.origin}/return` })
      await page.goto(site.show('/attack', postingForm(reply['redirect-url'] ?? '', typed)))
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.getByRole('button', { name: 'Pay 18.00 EUR' }).waitFor()
      expect(books()).toEqual([['o-1', 'processing']])
    })

    it('are told from the form itself, also under a public name that browsers trust less', async () => {
      let port = Number(gateway.clientOptions.baseUrl.port)
      // Its name has the port in it, which somebody else may take as soon as it is free.
      for (let left = 5; left > 0; left -= 1) {
        await gateway.close()
        gateway = createFakeGateway()
        const listening = gateway.listen({ port, publicOrigin: `http://gate.tests.example:${port}` })
        if ((await listening.catch(error => (left === 1 ? Promise.reject(error) : undefined))) !== undefined) break
        const other = createFakeGateway()
        port = (await other.listen()).port
        await other.close()
      }
      const prepared = await prepare(gateway, 'saleForm', { ...money, redirectUrl: `${site.origin}/return` })
      const url = new URL(`http://127.0.0.1:${port}${prepared.url.pathname}`)
      await page.goto((await send(gateway, { ...prepared, url })).reply['redirect-url'] ?? '')
      for (const [name, value] of Object.entries(typed)) await page.locator(`#${name}`).fill(value)
      await page.getByRole('button', { name: 'Pay 18.00 EUR' }).click()
      await back()
      expect(books()).toEqual([['o-1', 'approved']])
    })
  })

  describe('3DS', () => {
    it('2: the method notifies the shop from a hidden frame, the challenge brings a CRes', async () => {
      await pay(gateway, 'sale', { clientOrderId: 'o-1', cvv2: '321' })
      const method = await step()
      if (method?.kind !== 'method') return expect.fail(JSON.stringify(method))
      const data = threeDSMethodData({
        threeDSServerTransId: method.threeDSServerTransId ?? '',
        notificationUrl: `${site.origin}/notify`,
      })
      await page.goto(site.show('/method', postingForm(method.methodUrl ?? '', { threeDSMethodData: data }, 'frame')))
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.frameLocator('iframe').getByRole('heading', { name: 'Welcome back' }).waitFor()
      expect(site.posted.map(({ path }) => path)).toEqual(['/notify'])

      await upload('uploadMethodUrlResult', { threeDSCompInd: 'Y' })
      const challenge = await step()
      if (challenge?.kind !== 'challenge') return expect.fail(JSON.stringify(challenge))
      const fields = { creq: challenge.creq, threeDSSessionData: 'c2Vzc2lvbg', TermUrl: `${site.origin}/term` }
      await page.goto(site.show('/challenge', postingForm(challenge.acsUrl, fields, 'frame')))
      await page.getByRole('button', { name: 'Go on' }).click()
      const frame = page.frameLocator('iframe')
      await frame.getByLabel('Code from your bank').fill('hint')
      await frame.getByRole('button', { name: 'Confirm' }).click()
      await frame.getByRole('heading', { name: 'Welcome back' }).waitFor()
      const { path, fields: brought } = site.posted[1] ?? expect.fail('Nothing came back.')
      expect([path, brought.threeDSSessionData]).toEqual(['/term', 'c2Vzc2lvbg'])
      await upload('uploadCresResult', { cres: brought.cres ?? '' })
      expect(await status()).toMatchObject({ status: 'approved', 'verified-3d-status': 'AUTHENTICATED' })
    })

    it('2: the customer cancels the challenge, and the payment is declined', async () => {
      await pay(gateway, 'sale', { clientOrderId: 'o-1', cvv2: '321', redirectUrl: `${site.origin}/return` })
      await upload('uploadMethodUrlResult', { threeDSCompInd: 'U' })
      const challenge = await step()
      if (challenge?.kind !== 'challenge') return expect.fail(JSON.stringify(challenge))
      await page.goto(site.show('/challenge', postingForm(challenge.acsUrl, { creq: challenge.creq })))
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.getByRole('button', { name: 'Cancel' }).click()
      await back()
      expect(site.posted[0]?.path).toBe('/return')
      await upload('uploadCresResult', { cres: site.posted[0]?.fields.cres ?? '' })
      expect((await status()).status).toBe('declined')
    })

    it('1.0.2: the bank takes a PaReq and brings a PaRes', async () => {
      await pay(gateway, 'sale', { clientOrderId: 'o-1', creditCardNumber: threeDSecure1Card })
      const pares = await step()
      if (pares?.kind !== 'pares') return expect.fail(JSON.stringify(pares))
      const fields = { PaReq: pares.paReq, MD: pares.md ?? '', TermUrl: `${site.origin}/term` }
      await page.goto(site.show('/pay', postingForm(pares.acsUrl, fields)))
      await page.getByRole('button', { name: 'Go on' }).click()
      await page.getByLabel('Code from your bank').fill('hint')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await back()
      expect(site.posted).toMatchObject([{ path: '/term', fields: { MD: pares.md } }])
      await upload('uploadParesResult', { paRes: site.posted[0]?.fields.PaRes ?? '' })
      expect((await status()).status).toBe('approved')
    })

    it.each(['redirectTo', 'html'] as const)('run by the gateway, by its %s', async way => {
      await begin({ threeDSecure: 'gateway' })
      await pay(gateway, 'sale', { clientOrderId: 'o-1', cvv2: '321', redirectUrl: `${site.origin}/return` })
      const run = await step()
      if (run?.kind !== 'gateway-run') return expect.fail(JSON.stringify(run))
      // The markup goes on by itself; the address is where a redirect leads.
      await page.goto(way === 'html' ? site.show('/go', `<title>Shop</title>${run.html}`) : (run.redirectTo ?? ''))
      await page.getByLabel('Code from your bank').fill('hint')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await back()
      expect(site.posted).toMatchObject([{ path: '/return', fields: { status: 'approved', client_orderid: 'o-1' } }])
      expect((await status()).status).toBe('approved')
    })
  })
})
