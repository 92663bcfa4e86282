/** Every page for customers, looked at by axe-core, narrow and wide, light and dark. Set PICTURES to a folder to look at them yourself. */
import { readReply, type StatusResponse, threeDSecureStep } from '@tillkit/protocol'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createFakeGateway, type FakeGateway, threeDSecure1Card } from '../src/index.js'
import { expectAccessible } from './accessible.js'
import { launch } from './browser.js'
import { type MerchantSite, postingForm, startMerchantSite } from './merchant-site.js'
import { call, customer, type Name, pay } from './signed-request.js'

describe('axe-core finds nothing on the pages for customers', () => {
  let browser: Browser
  let site: MerchantSite
  let gateway: FakeGateway
  let page: Page

  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())
  beforeEach(async () => {
    site = await startMerchantSite()
    gateway = createFakeGateway({ merchantName: 'Tidewater Ceramics' })
    await gateway.listen()
    await browse()
  })
  afterEach(async () => {
    await page.context().close()
    await Promise.all([gateway.close(), site.close()])
  })

  async function browse(javaScriptEnabled = true) {
    await page?.context().close()
    page = await (await browser.newContext({ javaScriptEnabled })).newPage()
  }

  async function open(name: Name, fields: Record<string, string> = {}) {
    const money = name === 'accountVerificationForm' ? {} : { amount: '1234.50', currency: 'EUR' }
    const redirectUrl = `${site.origin}/return`
    const order = { clientOrderId: 'o-1', orderDesc: 'A jar for the garden', ...money, ...customer, redirectUrl }
    const { reply } = await call(gateway, name, { ...order, ...fields })
    await page.goto(reply['redirect-url'] ?? '')
  }

  async function typeCard(cvv2: string, number = '4444 4444 4444 4448') {
    await page.getByLabel('Card number').fill(number)
    await page.getByLabel('Name on card').fill('JOAN BAKER')
    await page.getByLabel('Month').fill('12')
    await page.getByLabel('Year').fill('2031')
    await page.getByLabel('CVV').fill(cvv2)
    await page.getByRole('button', { name: /^Pay|^Verify/ }).click()
  }

  /** The merchant and the amount, as a customer reads them. */
  async function expectHeading() {
    await page.getByText('Tidewater Ceramics').waitFor()
    await page.getByText('1,234.50 EUR').first().waitFor()
  }

  const heading = (name: string) => page.getByRole('heading', { name }).waitFor()

  it('the card page: as it opens, with mistakes, the password, and once it is done', async () => {
    await open('saleForm')
    await expectHeading()
    await expectAccessible(page, 'hosted-card')
    await typeCard('1', '4444 4444 4444 4449')
    await page.getByRole('alert').waitFor()
    await expectHeading()
    await expectAccessible(page, 'hosted-mistakes')
    await typeCard('321')
    await page.getByLabel('Password').waitFor()
    await expectHeading()
    await expectAccessible(page, 'hosted-password')
    const address = page.url()
    await page.getByLabel('Password').fill('hint')
    await page.getByRole('button', { name: 'Confirm' }).click()
    await heading('Welcome back')
    await page.goto(address)
    await heading('Already done')
    await expectAccessible(page, 'hosted-done')
    await page.getByRole('link', { name: 'Back to the shop' }).click()
    await heading('Welcome back')
  })

  it('the way back without scripts, and an address that is wrong', async () => {
    await browse(false)
    await open('saleForm')
    await typeCard('123')
    await page.getByRole('button', { name: 'Back to the shop' }).click()
    await heading('Welcome back')
    await browse()
    await open('saleForm', { clientOrderId: 'o-2' })
    await page.goto(page.url().replace(/[^/]+$/, 'nothing'))
    await heading('No such page')
    await expectAccessible(page, 'hosted-no-page')
  })

  it('the page that checks a card, and the page for a payout with its mistakes', async () => {
    await open('accountVerificationForm')
    await expectAccessible(page, 'hosted-verification')
    await open('payoutForm', { clientOrderId: 'o-2' })
    await expectHeading()
    await expectAccessible(page, 'hosted-payout')
    await page.getByLabel('Phone number').fill('1')
    await page.getByRole('button', { name: 'Receive the payout' }).click()
    await page.getByRole('alert').waitFor()
    await expectAccessible(page, 'hosted-payout-mistakes')
  })

  describe('of 3DS', () => {
    async function step() {
      const { reply } = await call(gateway, 'status', { clientOrderId: 'o-1' })
      const { profile } = gateway.clientOptions
      const next = threeDSecureStep(readReply(reply, { record: 'StatusResponse', profile }) as StatusResponse, profile)
      return next ?? expect.fail(JSON.stringify(reply))
    }

    const sell = (fields: Record<string, string>) =>
      pay(gateway, 'sale', { clientOrderId: 'o-1', amount: '1234.50', redirectUrl: `${site.origin}/return`, ...fields })

    async function post(address: string, fields: Record<string, string>) {
      await page.goto(site.show('/go', postingForm(address, fields)))
      await page.getByRole('button', { name: 'Go on' }).click()
    }

    it('2: the method, opened by hand, and the challenge', async () => {
      const { reply } = await sell({ cvv2: '321' })
      const method = await step()
      if (method.kind !== 'method') return expect.fail(method.kind)
      await page.goto(method.methodUrl ?? '')
      await heading('Not possible')
      await expectAccessible(page, '3ds-refused')
      const ids = { clientOrderId: 'o-1', orderId: reply['paynet-order-id'] ?? '' }
      await call(gateway, 'uploadMethodUrlResult', { ...ids, threeDSCompInd: 'U' })
      const challenge = await step()
      if (challenge.kind !== 'challenge') return expect.fail(challenge.kind)
      await post(challenge.acsUrl, { creq: challenge.creq })
      await expectHeading()
      await expectAccessible(page, '3ds-challenge')
    })

    it('1.0.2: the page of the bank', async () => {
      await sell({ creditCardNumber: threeDSecure1Card })
      const pares = await step()
      if (pares.kind !== 'pares') return expect.fail(pares.kind)
      await post(pares.acsUrl, { PaReq: pares.paReq, MD: pares.md ?? '', TermUrl: `${site.origin}/term` })
      await expectHeading()
      await expectAccessible(page, '3ds-bank')
      await page.getByRole('button', { name: 'Confirm' }).click()
      await page.getByRole('alert').waitFor()
      await expectAccessible(page, '3ds-bank-mistake')
    })
  })
})
