import { isLoopbackHost, type WireProfile } from '@tillkit/protocol'
import { encodeForm, type Parameter } from '@tillkit/signing'
import { type FakeGateway, type OrderView, testCard } from '@tillkit/testing'
import { formsOf } from '@tillkit/testing/gateway'
import { request } from 'undici'
import { type CallbackDoor, MerchantDownError } from './doors.js'
import { type FinalAnswer, hasMoney, type Verdict } from './judge.js'
import { type LookContext, look, messageOf } from './looks.js'
import type { PaymentToStart } from './merchant.js'

export interface Paying extends LookContext {
  readonly gateway: FakeGateway
  readonly profile: WireProfile
  /** Where the merchant's callback function is served. */
  readonly callbackDoor: CallbackDoor | undefined
  /** Orders of the case. */
  readonly orders: () => readonly OrderView[]
  /** Number of the latest call before the case. */
  readonly callsBefore: number
  /** Whether nothing goes wrong in the case. */
  readonly isPlain: boolean
}

/** What the customer met with. */
export interface Tried {
  /** The merchant's ids of the payments that it took on. */
  readonly started: readonly string[]
  /** Whether the customer was told that the payment failed, without an id. */
  readonly rejected: boolean
  readonly verdicts: readonly Verdict[]
}

const money = { amount: '10.00', currency: 'EUR', email: 'ada@customer.example' } as const

const card: PaymentToStart['card'] = {
  creditCardNumber: testCard,
  cardPrintedName: 'ADA LOVELACE',
  expireMonth: '12',
  expireYear: '2099',
  cvv2: '123',
}

/** How long a customer waits before another try, in milliseconds on the gateway's clock. After the last they go away. */
const pauses = [0, 120_000]

/** The customer pays, and pays again when told that it failed. */
export async function payAndRetry(paying: Paying): Promise<Tried> {
  let latest = await payOnce(paying)
  const tries = [latest]
  for (const pause of pauses) {
    const wasToldNo = latest.rejected || latest.said === 'not-paid'
    if (!wasToldNo || paying.isPlain || latest.verdicts.length > 0) break
    if (pause > 0) await paying.driver.advance(pause)
    latest = await payOnce(paying)
    tries.push(latest)
  }
  return {
    started: [...new Set(tries.flatMap(({ started }) => started))],
    rejected: tries.some(({ rejected }) => rejected),
    verdicts: latest.verdicts,
  }
}

async function payOnce(paying: Paying): Promise<Tried & { readonly said?: FinalAnswer }> {
  const { driver, doors, callbackDoor, isPlain } = paying
  const rejected = (...verdicts: readonly Verdict[]): Tried => ({ started: [], rejected: true, verdicts })
  const failed = (explanation: string): Tried => rejected({ kind: 'failed', explanation })
  const callback = callbackDoor === undefined ? {} : { callbackUrl: callbackDoor.url }
  const ending = await driver.until(() => doors.startPayment({ purchase: 'basket-1', ...money, card, ...callback }))
  if (ending.kind === 'hung') {
    return rejected({ kind: 'hung', explanation: 'Starting the payment never came to an end.' })
  }
  if (ending.kind === 'failed') {
    const mayFail = !isPlain && !(ending.error instanceof MerchantDownError)
    return mayFail ? rejected() : failed(`Starting the payment failed: ${messageOf(ending.error)}`)
  }
  const { order = latestOrder(paying), redirectUrl } = ending.value ?? {}
  if (redirectUrl !== undefined) {
    const page = URL.canParse(String(redirectUrl)) ? new URL(redirectUrl) : undefined
    if (page === undefined) return failed(`The merchant sent the customer to ${redirectUrl}, which is no address.`)
    await driver.until(() => payOnPage(page, paying))
  }
  if (order === undefined) {
    return isPlain ? failed('Nothing was wrong, and no payment reached the gateway.') : rejected()
  }
  await driver.calm()
  const { word, isOpen } = await look(order, paying)
  const isEarly = word === 'paid' && !paying.orders().some(each => hasMoney(each, paying.profile))
  const explanation = `The merchant called ${order} paid before the gateway had any money.`
  const verdicts: readonly Verdict[] = isEarly ? [{ kind: 'paid-without-money', explanation }] : []
  return { started: [order], rejected: false, verdicts, ...(isOpen ? {} : { said: word }) }
}

/** The merchant's id of the order in the latest request to the gateway. */
function latestOrder({ gateway, callsBefore }: Paying): string | undefined {
  const fields = gateway.calls().flatMap(call => (call.number > callsBefore ? call.fields : []))
  return fields.findLast(([name]) => /^client[-_]order-?id$/.test(name))?.[1]
}

/** Pays on a hosted page of the gateway, and comes back to the merchant as a browser does. */
async function payOnPage(page: URL, { gateway: { dispatcher } }: Paying): Promise<void> {
  const typed: readonly Parameter[] = [
    ['credit_card_number', card.creditCardNumber],
    ['card_printed_name', card.cardPrintedName],
    ['expire_month', card.expireMonth],
    ['expire_year', card.expireYear],
    ['cvv2', card.cvv2],
  ]
  const answer = await request(page, { method: 'POST', headers, body: encodeForm(typed), dispatcher })
  const paid = { url: page, status: answer.statusCode, html: await answer.body.text() }
  const back = formsOf(paid).find(({ inputs }) => inputs.length === 0)
  if (back !== undefined && isLoopbackHost(back.action.hostname)) await comeBack(back.action, back.fields)
}

const headers = { 'content-type': 'application/x-www-form-urlencoded' }

/** Posts to the merchant's return address what a browser would. A redirect is not followed. */
export async function comeBack(to: URL, fields: readonly Parameter[]): Promise<void> {
  const { body } = await request(to, { method: 'POST', headers, body: encodeForm(fields) })
  await body.dump()
}
