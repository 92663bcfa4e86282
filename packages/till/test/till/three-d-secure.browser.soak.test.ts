/** The pages of 3DS in the system's Chromium: the shop, the gateway and the bank are three origins on loopback. */
import { createFakeGateway, silentMethodCard, testCard, threeDSecure1Card } from '@tillkit/testing'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../../testing/test/browser.js'
import { type End, type EnterOptions, ends, enterShop, paidOnce } from './customer.js'
import { basket, type Shop } from './shop.js'
import { watchWarnings } from './watch-warnings.js'

const declinedOnce: End = { books: ['basket-7 sale declined'], told: ['basket-7 declined 10.00'] }

describe('a customer whose card the merchant takes itself, in Chromium', () => {
  let browser: Browser

  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())

  /** A customer who is about to pay with a card of the fake's. */
  async function enter(creditCardNumber: string, cvv2: string, options: EnterOptions = {}) {
    const { shop, joan } = await enterShop(browser, options)
    const card = { creditCardNumber, cvv2, cardPrintedName: 'JOAN BAKER', expireMonth: '12', expireYear: '2031' }
    shop.asked.customer = { ...basket, ...card }
    return { shop, joan, page: joan.page }
  }

  const uploads = ({ gateway }: Shop) =>
    gateway
      .calls()
      .filter(({ operation }) => operation?.startsWith('upload') === true)
      .map(({ operation, fields }) => ({ operation, fields: Object.fromEntries(fields) }))

  it('goes through the method and the challenge of 3DS 2, and the bank hears of the browser', async () => {
    const warned = watchWarnings()
    const { shop, joan } = await enter(testCard, '321')
    await joan.pressPay()
    await joan.confirmAtBank()
    await joan.heading('Order basket-7')
    const [method, challenge, ...more] = uploads(shop)
    expect(method).toMatchObject({
      operation: 'uploadMethodUrlResult',
      fields: {
        threeDSCompInd: 'Y',
        browserIP: '127.0.0.1',
        browserJavascriptEnabled: 'true',
        browserScreenWidth: '390',
        browserColorDepth: '24',
        browserLanguage: 'en-US',
        browserUserAgent: expect.stringContaining('Chrome'),
      },
    })
    expect([challenge?.operation, more]).toEqual(['uploadCresResult', []])
    await ends(shop, paidOnce)
    expect([warned('WARN_3D_SECURE_STUCK'), warned('WARN_CUSTOMER_REFUSED')]).toEqual([[], []])
  })

  it('waits ten seconds for a method that never notifies, and goes on with N', async () => {
    const { shop, joan, page } = await enter(silentMethodCard, '123')
    await page.clock.install()
    await joan.pressPay()
    await joan.heading('Preparing your payment')
    await page.clock.runFor(9_000)
    expect(uploads(shop)).toEqual([])
    await shop.gateway.clock.advance(10_000)
    await page.clock.runFor(1_000)
    await joan.confirmAtBank()
    await joan.heading('Order basket-7')
    expect(uploads(shop)[0]).toMatchObject({ fields: { threeDSCompInd: 'N' } })
    await ends(shop, paidOnce)
  })

  it.each([
    ['3DS 2', testCard, '321'],
    ['3DS 1.0.2', threeDSecure1Card, '123'],
  ])('is declined who fails %s', async (_version, card, cvv) => {
    const { shop, joan } = await enter(card, cvv)
    await joan.pressPay()
    await joan.confirmAtBank('guess')
    await joan.heading('The payment was declined')
    await ends(shop, declinedOnce)
  })

  it('goes through 3DS 2 without scripts, at the press of a button', async () => {
    const { shop, joan, page } = await enter(testCard, '321', { javaScriptEnabled: false })
    await joan.pressPay()
    await joan.heading('Preparing your payment')
    await page.getByRole('link', { name: 'Look again' }).click()
    await joan.heading('Preparing your payment')
    await shop.gateway.clock.advance(10_000)
    await page.getByRole('link', { name: 'Look again' }).click()
    await joan.heading('On to your bank')
    await page.getByRole('button', { name: 'Continue to your bank' }).click()
    await joan.confirmAtBank()
    await page.getByRole('button', { name: 'Back to the shop' }).click()
    await joan.heading('Order basket-7')
    expect(uploads(shop)[0]).toMatchObject({ fields: { threeDSCompInd: 'N', browserJavascriptEnabled: 'false' } })
    await ends(shop, paidOnce)
  })

  it('is led once to 3DS that the gateway runs, and goes there again at the press of a button', async () => {
    const warned = watchWarnings()
    const gateway = createFakeGateway({ threeDSecure: 'gateway' })
    const { shop, joan, page } = await enter(testCard, '321', { gateway })
    await joan.pressPay()
    await page.getByLabel('Code from your bank').waitFor()
    // The customer goes back before the bank is done, and is not sent there again without asking for it.
    const { redirectUrl = '' } = gateway.orders.find('basket-7') ?? {}
    await page.goto(redirectUrl)
    await joan.heading('Checking your payment')
    await page.getByRole('link', { name: 'Continue to your bank' }).click()
    await joan.confirmAtBank()
    await joan.heading('Order basket-7')
    expect([uploads(shop), warned('WARN_CUSTOMER_REFUSED'), warned('WARN_3D_SECURE_STUCK')]).toEqual([[], [], []])
    await ends(shop, paidOnce)
  })

  it('sees the gateway’s own page where that is all there is, kept away from the shop', async () => {
    const gateway = createFakeGateway({ processingTime: 3_600_000 })
    const { joan, page } = await enter(testCard, '321', { gateway })
    gateway.handle({
      status: ({ clientOrderId = '', orderId = '' }) => ({
        type: 'status-response',
        status: 'processing',
        transactionType: 'sale',
        clientOrderId,
        orderId,
        html: '<h1>Bank</h1><p id="seen"></p><script>try { seen.textContent = document.cookie + "read" } catch (error) { seen.textContent = error.name }</script>',
      }),
    })
    await joan.pressPay()
    await joan.heading('Bank')
    expect(await page.locator('#seen').textContent()).toBe('SecurityError')
    const answer = await page.reload()
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
    await page.getByRole('link', { name: 'Continue to your bank' }).click()
    await joan.heading('Bank')
  })

  it('waits on a page that looks again by itself, and each look is no step for the back button', async () => {
    const gateway = createFakeGateway({ processingTime: 3_600_000 })
    const { joan, page } = await enter(testCard, '111', { gateway })
    await page.clock.install()
    await joan.pressPay()
    await joan.heading('Checking your payment')
    const steps = await page.evaluate('history.length')
    for (const look of [1, 2]) {
      await Promise.all([page.waitForURL(new RegExp(`look=${look}$`)), page.clock.runFor(2_000)])
      await joan.heading('Checking your payment')
    }
    expect(await page.evaluate('history.length')).toBe(steps)
    const last = new URL(page.url())
    last.searchParams.set('look', '20')
    await page.goto(last.href)
    await page.waitForURL(/\/payments\/payment\//)
  })

  it('is refused with an address that was edited', async () => {
    const { shop, joan, page } = await enter(testCard, '111')
    await joan.pressPay()
    await joan.heading('Order basket-7')
    const { redirectUrl = '' } = shop.gateway.orders.find('basket-7') ?? {}
    const answer = await page.goto(redirectUrl.replace(/(\/3ds\/[^.]+)\.[^.]+\./, '$1.e30.'))
    expect(answer?.status()).toBeGreaterThanOrEqual(400)
    await ends(shop, paidOnce)
  })
})
