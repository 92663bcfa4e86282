/** Steps that go wrong: a card is declined, and a process is killed. Each is counted in the gateway's books. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { payAsCustomer } from '@tillkit/testing'
import { startShop } from './child.js'
import { open } from './customer.js'
import { cvv } from './fixtures.js'
import { mustBe, type Step, type TourContext } from './step.js'

const books = 'the books'

const secondCard: Step = {
  title: 'A card is declined, and the customer pays with another one',
  async run(context) {
    const { shop, gateway, orders, print, say } = context
    const sent = await choose(shop, 'rice-bowl')
    const id = (await orders.latest(1))[0]?.id ?? ''
    await payAsCustomer(sent, { gateway, cvv2: cvv.declinedNoFunds })
    await ended(context)
    await shows(shop, id, 'Declined')
    say('The first card has no funds. The page of the order says declined,')
    say('and has a button: Try another card.')
    const again = await fetch(new URL(`/orders/${id}/pay`, shop), { method: 'POST', redirect: 'manual' })
    await payAsCustomer(again, { gateway })
    await ended(context)
    await shows(shop, id, 'Paid')
    const [first, second, ...more] = ordersOf(id, context)
    mustBe('the orders at the gateway', [first, second, ...more].join(', '), `${id} declined, ${id}.2r approved`)
    mustBe('the parcel', (await orders.find(id))?.parcel, 'packed')
    say('The button opened a second order of the same payment. That one is paid,')
    say('and the parcel is packed.')
    print({
      operation: 'saleForm',
      detail: 'first card declined, second one pays',
      outcome: 'paid; two tries, one charge',
      evidence: books,
    })
  },
}

const killed: Step = {
  title: 'A shop is killed between payment and callback',
  async run(context) {
    const { gateway, shopProgram, print, say } = context
    const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
    const folder = mkdtempSync(join(tmpdir(), 'tillkit-tour-'))
    const account = { baseUrl: baseUrl.href, endpointId, login, controlKey }
    const process = { account, database: join(folder, 'killed.db') }
    let child = await startShop({ ...process, port: 0 }, shopProgram)
    try {
      const { address } = child
      const before = new Set(gateway.orders.list().map(({ clientOrderId }) => clientOrderId))
      const sent = await choose(address, 'morning-cup')
      const id = gateway.orders.list().find(each => !before.has(each.clientOrderId))?.clientOrderId ?? ''
      say(`Another shop runs as process ${child.pid}. A customer chose a cup there,`)
      say('and stands on the gateway’s page.')
      await child.kill()
      say('The process is killed with SIGKILL. Then the customer pays.')
      say('Nobody takes the callback, and the way back leads nowhere.')
      await payAsCustomer(sent, { gateway }).catch(() => undefined)
      await ended(context)
      mustBe('the gateway’s books', ordersOf(id, context).join(', '), `${id} approved`)
      child = await startShop({ ...process, port: Number(address.port) }, shopProgram)
      say(`The shop is started again, as process ${child.pid}, on the same file.`)
      say('The gateway calls back again.')
      await gateway.clock.advance(60 * 60_000)
      await gateway.callbacks.idle()
      await shows(address, id, 'Paid')
      const again = await fetch(new URL(`/orders/${id}/pay`, address), { method: 'POST', redirect: 'manual' })
      mustBe('where Pay leads now', again.headers.get('location'), new URL(`/orders/${id}`, address).href)
      mustBe('the gateway’s books', ordersOf(id, context).join(', '), `${id} approved`)
      say('The order is paid. The customer presses Pay once more, and is led to it:')
      say('nothing is sent.')
      print({
        operation: 'saleForm',
        detail: 'in the shop that was killed',
        outcome: 'paid; one charge',
        evidence: books,
      })
    } finally {
      await child.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

/** A customer presses Buy. @returns The shop's answer, which sends them to the gateway's page. */
async function choose(shop: URL, product: string): Promise<Response> {
  const body = new URLSearchParams({ product, kind: 'sale' })
  const answer = await fetch(new URL('/orders', shop), { method: 'POST', redirect: 'manual', body })
  mustBe('the answer to Buy', answer.status, 303)
  return answer
}

/** Lets the gateway come to its word, and call back. */
async function ended({ gateway }: TourContext): Promise<void> {
  await gateway.clock.advance(5_000)
  await gateway.callbacks.idle()
}

/** How long a page may take to say something, in looks, and the pause between two of them in milliseconds. */
const [mostLooks, pause] = [1200, 50]

/** Waits until the page of an order says so. @throws An error with what it says instead. */
async function shows(shop: URL, id: string, label: string): Promise<void> {
  let said: string | undefined
  for (let look = 0; look < mostLooks && said !== label; look += 1) {
    if (look > 0) await setTimeout(pause)
    said = /role="status">([^<]+)</.exec((await open(new URL(`/orders/${id}`, shop))).html)?.[1]
  }
  mustBe(`what the page of order ${id} says`, said, label)
}

/** The orders that the gateway has of a payment, each with what came of it. */
const ordersOf = (id: string, { gateway }: TourContext): readonly string[] =>
  gateway.orders
    .list()
    .filter(({ clientOrderId }) => clientOrderId === id || clientOrderId.startsWith(`${id}.`))
    .map(({ clientOrderId, stages }) => `${clientOrderId} ${stages.map(({ status }) => status).join(', ')}`)

/** What can go wrong in a shop. */
export const shopSteps: readonly Step[] = [killed, secondCard]
