/** 3DS in the system's Chromium: the shop, the gateway and the bank are three origins on loopback. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { silentMethodCard, testCard, threeDSecure1Card } from '@tillkit/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { launch } from '../../testing/test/browser.js'
import { type CardShop, type CardShopOptions, openCardShop } from './card-shop.js'

/** Where to put pictures of every page, to look at; nothing is compared. */
const pictures = process.env.PICTURES

describe('3DS, in Chromium', () => {
  let browser: Browser
  let page: Page
  let shop: CardShop

  beforeAll(async () => {
    browser = await launch()
  })
  afterAll(() => browser?.close())
  afterEach(async () => {
    await page?.context().close()
    await shop?.[Symbol.asyncDispose]()
  })

  /** The customer pays with a card of the fake's. `browserOptions` are of the browser. */
  async function pay(card: string, cvv: string, { javaScriptEnabled = true, prepare, ...options }: Options = {}) {
    shop = await openCardShop(options)
    page = await (await browser.newContext({ javaScriptEnabled, viewport: { width: 390, height: 700 } })).newPage()
    await prepare?.()
    await page.goto(shop.origin)
    await page.getByLabel('Card number').fill(card)
    await page.getByLabel('CVV').fill(cvv)
    await page.getByRole('button', { name: 'Pay', exact: true }).click()
  }
  type Options = CardShopOptions & { readonly javaScriptEnabled?: boolean; readonly prepare?: () => unknown }

  async function confirm(code = 'hint') {
    await page.getByLabel('Code from your bank').fill(code)
    await page.getByRole('button', { name: 'Confirm' }).click()
  }

  const ends = (view: string) => page.getByRole('heading', { name: `Order ${view}` }).waitFor()

  const uploads = () =>
    (['uploadMethodUrlResult', 'uploadCresResult', 'uploadParesResult'] as const).flatMap(operation =>
      shop.gateway.calls(operation).map(({ fields }) => ({ operation, fields: Object.fromEntries(fields) })),
    )

  const picture = async (name: string) => {
    if (pictures === undefined) return
    mkdirSync(pictures, { recursive: true })
    await page.screenshot({ path: join(pictures, `${name}.png`) })
  }

  it('leads through the method and the challenge of 3DS 2', async () => {
    await pay(testCard, '321')
    await confirm()
    await ends('paid')
    const [method, challenge, ...more] = uploads()
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
    expect(challenge?.operation).toBe('uploadCresResult')
    expect(more).toEqual([])
    await shop.gateway.callbacks.idle()
    expect([shop.told, shop.problems, shop.rejections]).toEqual([['paid'], [], []])
  })

  it('waits ten seconds for a method that never notifies, says N, and goes on', async () => {
    await pay(silentMethodCard, '123', { prepare: () => page.clock.install() })
    await page.getByRole('heading', { name: 'Preparing your payment' }).waitFor()
    await picture('method')
    await page.clock.runFor(9_000)
    expect(uploads()).toEqual([])
    await shop.gateway.clock.advance(10_000)
    await page.clock.runFor(1_000)
    await confirm()
    await ends('paid')
    expect(uploads()[0]).toMatchObject({ fields: { threeDSCompInd: 'N' } })
    expect(shop.problems).toEqual([])
  })

  it('leads through 3DS 1.0.2', async () => {
    await pay(threeDSecure1Card, '123')
    await confirm()
    await ends('paid')
    expect(uploads().map(({ operation }) => operation)).toEqual(['uploadParesResult'])
  })

  it.each([
    ['3DS 2', testCard, '321'],
    ['3DS 1.0.2', threeDSecure1Card, '123'],
  ])('ends as declined when the customer fails %s', async (_version, card, cvv) => {
    await pay(card, cvv)
    await confirm('guess')
    await ends('declined')
    expect(shop.told).toEqual(['declined'])
  })

  it('shows the order at once where there is no 3DS', async () => {
    await pay(testCard, '111')
    await ends('paid')
    expect(uploads()).toEqual([])
  })

  it('leads through 3DS 2 without scripts, at the press of a button', async () => {
    await pay(testCard, '321', { javaScriptEnabled: false })
    await page.getByRole('heading', { name: 'Preparing your payment' }).waitFor()
    await page.getByRole('link', { name: 'Look again' }).click()
    await page.getByRole('heading', { name: 'Preparing your payment' }).waitFor()
    await shop.gateway.clock.advance(10_000)
    await page.getByRole('link', { name: 'Look again' }).click()
    await page.getByRole('heading', { name: 'On to your bank' }).waitFor()
    await picture('bank')
    await page.getByRole('button', { name: 'Continue to your bank' }).click()
    await confirm()
    await page.getByRole('button', { name: 'Back to the shop' }).click()
    await ends('paid')
    expect(uploads()[0]).toMatchObject({ fields: { threeDSCompInd: 'N', browserJavascriptEnabled: 'false' } })
  })

  it('follows 3DS that the gateway runs by its address, once', async () => {
    await pay(testCard, '321', { gateway: { threeDSecure: 'gateway' } })
    await page.getByLabel('Code from your bank').waitFor()
    // The customer goes back before the bank is done, and is not sent there again without asking for it.
    await page.goto(await shop.addressOf('order-1'))
    await page.getByRole('heading', { name: 'Checking your payment' }).waitFor()
    await picture('waiting-for-the-bank')
    await page.getByRole('link', { name: 'Continue to your bank' }).click()
    await confirm()
    await ends('paid')
    expect([uploads(), shop.rejections, shop.problems]).toEqual([[], [], []])
  })

  it('serves the gateway’s own page where that is all there is, kept away from the shop', async () => {
    await pay(testCard, '321', {
      gateway: { processingTime: 3_600_000 },
      prepare: () =>
        shop.gateway.handle({
          status: ({ clientOrderId = '', orderId = '' }) => ({
            type: 'status-response',
            status: 'processing',
            transactionType: 'sale',
            clientOrderId,
            orderId,
            html: '<h1>Bank</h1><p id="seen"></p><script>try { seen.textContent = document.cookie + "read" } catch (error) { seen.textContent = error.name }</script>',
          }),
        }),
    })
    await page.getByRole('heading', { name: 'Bank' }).waitFor()
    expect(await page.locator('#seen').textContent()).toBe('SecurityError')
    const answer = await page.reload()
    expect(answer?.headers()['content-security-policy']).toContain("default-src 'none'")
    await page.getByRole('link', { name: 'Continue to your bank' }).click()
    await page.getByRole('heading', { name: 'Bank' }).waitFor()
  })

  it('waits with the customer while the gateway still processes, and says so in the end', async () => {
    await pay(testCard, '111', {
      threeDSecure: { polling: { attempts: 1 } },
      gateway: { processingTime: 3_600_000 },
      prepare: () => page.clock.install(),
    })
    await page.getByRole('heading', { name: 'Checking your payment' }).waitFor()
    await picture('waiting')
    const steps = await page.evaluate('history.length')
    for (const look of [1, 2]) {
      await Promise.all([page.waitForURL(new RegExp(`look=${look}$`)), page.clock.runFor(2_000)])
      await page.getByRole('heading', { name: 'Checking your payment' }).waitFor()
    }
    expect(await page.evaluate('history.length')).toBe(steps)
    const last = new URL(page.url())
    last.searchParams.set('look', '20')
    await page.goto(last.href)
    await ends('checking')
  })

  it('refuses an address that the customer edited', async () => {
    await pay(testCard, '111')
    await ends('paid')
    const address = await shop.addressOf('order-1')
    const edited = `${address.slice(0, -1)}${address.endsWith('A') ? 'B' : 'A'}`
    expect((await page.goto(edited.replace(/\.[^.]+\./, '.e30.')))?.status()).toBe(403)
    expect(shop.rejections.map(({ reason }) => reason)).toEqual(['forged-state'])
  })

  describe('a hosted sale', () => {
    const typeCard = async () => {
      await page.getByLabel('Card number').fill(testCard)
      await page.getByLabel('Name on card').fill('JOAN BAKER')
      await page.getByLabel('Month').fill('12')
      await page.getByLabel('Year').fill('2031')
      await page.getByLabel('CVV').fill('123')
      await page.getByRole('button', { name: /^Pay 18/ }).click()
    }
    const openForm = async () => {
      shop = await openCardShop()
      page = await (await browser.newContext()).newPage()
      await page.goto(shop.origin)
      await page.getByRole('button', { name: 'Pay on the gateway’s page' }).click()
      await page.getByLabel('Card number').waitFor()
    }

    it('is paid by a customer who pressed back and came again, on the first form', async () => {
      await openForm()
      const first = page.url()
      await page.goBack()
      await page.getByRole('button', { name: 'Pay on the gateway’s page' }).click()
      await page.getByLabel('Card number').waitFor()
      expect(page.url()).toBe(first)
      await typeCard()
      await ends('paid')
      expect(shop.gateway.calls('saleForm')).toHaveLength(1)
    })

    it('is settled by the callback when the customer closes the window on the way back', async () => {
      await openForm()
      // Whatever the gateway's page still posts, it does not arrive.
      await page.route(`${shop.origin}/return/**`, route => route.abort())
      const onTheWay = page.waitForEvent('requestfailed', request => request.url().startsWith(`${shop.origin}/return/`))
      // The window may close before the browser says that the button was pressed.
      typeCard().catch(() => undefined)
      await onTheWay
      await page.context().close()
      await shop.gateway.callbacks.idle()
      expect(shop.told).toEqual(['paid'])
    })

    it('leads a customer who presses back afterwards to no second payment', async () => {
      await openForm()
      await typeCard()
      await ends('paid')
      await page.goBack()
      expect(await page.getByRole('button', { name: /^Pay 18/ }).count()).toBe(0)
      expect(shop.gateway.orders.list().length).toBe(1)
    })

    it('refuses a return address that the customer edited', async () => {
      await openForm()
      const [call] = shop.gateway.calls('saleForm')
      const back = new URL(Object.fromEntries(call?.fields ?? []).redirect_url ?? '')
      back.pathname = back.pathname.replace(/\.[^.]+\./, '.e30.')
      expect((await page.goto(back.href))?.status()).toBe(403)
    })
  })
})
