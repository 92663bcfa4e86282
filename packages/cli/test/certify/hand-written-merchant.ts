/**
 * A merchant written by hand, without a client: careful, or with one bad habit.
 *
 * @module
 */
import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { ClientOptions, FakeClock, FakeGateway } from '@tillkit/testing'
import { readReply } from '../../../testing/test/signed-request.js'
import type { MerchantUnderTest, PaymentToStart, ReceivedCallback } from '../../src/index.js'

/** What a merchant may do wrong. */
export interface Habits {
  /** What it does when the answer to a payment does not come. Careful: asks status. */
  readonly withoutAnswer?: 'sends again' | 'sends the same again' | 'fails the order' | 'never asks'
  /** Careful: verifies, asks status, answers 200 when that was answered. */
  readonly withCallback?: 'believes it' | 'answers first'
  /** Careful: nothing. */
  readonly whenAccepted?: 'calls it paid'
  /** When *pay* is pressed again. Careful: it is the same order, unless that was not paid. */
  readonly whenPressedAgain?: 'opens another order'
  /** Whether it asks status by itself. Careful: it does, by timers. */
  readonly polls?: false | 'by a job'
}

type Word = 'open' | 'paid' | 'not-paid' | 'needs-person'

interface Kept {
  word: Word
  orderId: string
}

const minute = 60_000
/** When it asks status, in milliseconds after the payment. */
const schedule = [2_500, 10_000, minute, 5 * minute, 20 * minute, 60 * minute, 24 * 60 * minute]

const sha1 = (text: string) => createHash('sha1').update(text).digest('hex')

/** Starts one. It talks HTTP to the gateway. */
export async function handWritten(gateway: FakeGateway, habits: Habits = {}): Promise<MerchantUnderTest> {
  await gateway.listen()
  return handWrittenFor(gateway.clientOptions, { ...habits, clock: gateway.clock })
}

/** What acquirers usually require, as the warnings of the gateway say. */
const customer = {
  order_desc: 'A bowl',
  address1: '12 St James Square',
  city: 'London',
  zip_code: 'SW1Y 4JH',
  country: 'GB',
  phone: '+442079460000',
  ipaddress: '127.0.0.1',
}

/** Starts one with a clock of its own, for a gateway anywhere. */
export function handWrittenFor(
  { baseUrl, login, controlKey, endpointId }: ClientOptions,
  { clock, ...habits }: Habits & { readonly clock: FakeClock },
): MerchantUnderTest {
  const orders = new Map<string, Kept>()

  const send = async (operation: string, fields: Record<string, string>) => {
    const answer = await fetch(`${baseUrl.href}/api/v2/${operation}/${endpointId}`, {
      method: 'POST',
      headers: { accept: 'application/vnd.pay+json', 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(fields),
    })
    const reply = readReply(await answer.text())
    if (answer.ok && reply.type !== undefined) return reply
    throw new Error(reply['error-message'] ?? `HTTP ${answer.status}`)
  }

  const sell = async (id: string, { amount, currency, email, card, callbackUrl = '' }: PaymentToStart) => {
    const reply = await send('sale', {
      client_orderid: id,
      ...customer,
      amount,
      currency,
      email,
      credit_card_number: card.creditCardNumber,
      card_printed_name: card.cardPrintedName,
      expire_month: card.expireMonth,
      expire_year: card.expireYear,
      cvv2: card.cvv2,
      server_callback_url: callbackUrl,
      control: sha1(`${endpointId}${id}${amount.replace('.', '')}${email}${controlKey}`),
    })
    const kept = orders.get(id)
    if (kept === undefined) return
    kept.orderId = reply['paynet-order-id'] ?? ''
    if (habits.whenAccepted === 'calls it paid') kept.word = 'paid'
  }

  const ask = async (id: string, kept: Kept) => {
    const control = sha1(`${login}${id}${kept.orderId}${controlKey}`)
    const { status } = await send('status', { login, client_orderid: id, orderid: kept.orderId, control })
    const said: Word =
      status === 'approved' ? 'paid' : ['declined', 'filtered', 'error'].includes(status ?? '') ? 'not-paid' : 'open'
    if (said === 'open' || said === kept.word || (kept.word === 'not-paid' && habits.withoutAnswer !== undefined))
      return
    // A final word that is taken back.
    kept.word = kept.word === 'open' ? said : 'needs-person'
  }

  const poll = async (id: string, kept: Kept) => {
    const begun = clock.now()
    for (const [index, after] of schedule.entries()) {
      await clock.wait(begun + after - clock.now())
      if (kept.word !== 'open') return
      await ask(id, kept).catch(() => {
        // Never seen, an hour after it was sent: it left no trace.
        if (index >= schedule.length - 2) kept.word = 'not-paid'
      })
    }
  }

  const believe = (id: string, status: string) => {
    const kept = orders.get(id)
    if (kept !== undefined) kept.word = status === 'approved' ? 'paid' : 'not-paid'
  }

  const receiveCallback = async ({ parameters }: ReceivedCallback): Promise<number> => {
    const { status = '', orderid = '', merchant_order: id = '', control } = Object.fromEntries(parameters)
    const kept = orders.get(id)
    if (habits.withCallback === 'believes it') {
      believe(id, status)
      return 200
    }
    if (kept === undefined || control !== sha1(`${status}${orderid}${id}${controlKey}`)) return 403
    if (habits.withCallback === 'answers first') {
      // Real time, and longer than certify takes for rest: what is asked later than at once still counts.
      void pause(50)
        .then(() => ask(id, kept))
        .catch(() => undefined)
      return 200
    }
    return ask(id, kept).then(
      () => 200,
      () => 503,
    )
  }

  let count = 0
  const opened = new Map<string, string>()
  const startPayment = async (payment: PaymentToStart) => {
    const earlier = opened.get(payment.purchase) ?? ''
    const word = orders.get(earlier)?.word ?? 'not-paid'
    if (word !== 'not-paid' && habits.whenPressedAgain === undefined) return { order: earlier }
    count += 1
    const order = `order-${count}`
    opened.set(payment.purchase, order)
    const kept: Kept = { word: 'open', orderId: '' }
    orders.set(order, kept)
    try {
      await sell(order, payment)
    } catch {
      if (habits.withoutAnswer === 'sends again') {
        orders.set(`${order}-again`, kept)
        await sell(`${order}-again`, payment)
        return { order: `${order}-again` }
      }
      if (habits.withoutAnswer === 'sends the same again') {
        // As if the gateway made one order of an id, and as if the second answer spoke of the first request.
        const refused = await sell(order, payment).then(
          () => false,
          () => true,
        )
        if (refused) kept.word = 'not-paid'
        return { order }
      }
      if (habits.withoutAnswer === 'fails the order') {
        kept.word = 'not-paid'
        return { order }
      }
      if (habits.withoutAnswer === 'never asks') return { order }
    }
    if (habits.polls === undefined) void poll(order, kept)
    return { order }
  }

  const work = async () => {
    for (const [id, kept] of orders) if (kept.word === 'open') await ask(id, kept).catch(() => undefined)
  }

  return {
    startPayment,
    receiveCallback,
    isPaid: order => orders.get(order)?.word ?? 'open',
    ...(habits.polls === 'by a job' ? { work } : {}),
  }
}
