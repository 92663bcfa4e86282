import { setTimeout as pause } from 'node:timers/promises'
import { isLoopbackHost, type WireProfile } from '@tillkit/protocol'
import { encodeForm, type Parameter } from '@tillkit/signing'
import { type FakeGateway, type OrderView, testCard } from '@tillkit/testing'
import { formsOf } from '@tillkit/testing/gateway'
import { request } from 'undici'
import { type Doors, type Hear, MerchantDownError, paidWords, readAnswer } from './doors.js'
import { type CaseTimes, type Driver, verdictOf } from './drive.js'
import { type FinalAnswer, hasMoney, type Verdict } from './judge.js'
import type { PaymentToStart, StartedPayment } from './merchant.js'

/** A case under way. */
export interface CaseContext extends CaseTimes {
  readonly gateway: FakeGateway
  readonly profile: WireProfile
  readonly doors: Doors
  readonly driver: Driver
  readonly orders: () => readonly OrderView[]
  readonly callsBefore: number
  /** The thing that is bought. Each case has its own, and so has each run. */
  readonly purchase: string
  readonly presses: number
  readonly isPlain: boolean
  /** Who pays. Default: a customer with the gateway's test card. */
  readonly customer?: PayingCustomer | undefined
}

/** Who pays, and with what. */
export interface PayingCustomer {
  readonly email: string
  /** The card whose data the shop is handed, and the one that is typed on the gateway's page. */
  readonly cards: Readonly<Record<'atShop' | 'atGateway', PaymentToStart['card']>>
  readonly hear?: Hear | undefined
}

/** What the customer met with. */
export interface Tried {
  /** The merchant's ids of the payments that it took on. */
  readonly started: readonly string[]
  /** Whether the customer was told that the payment failed, without an id. */
  readonly rejected: boolean
  readonly verdicts: readonly Verdict[]
}

const money = { amount: '10.00', currency: 'EUR' } as const

/** A card of the customer's. */
export const cardOf = (creditCardNumber: string, cvv2: string): PaymentToStart['card'] => ({
  creditCardNumber,
  cardPrintedName: 'ADA LOVELACE',
  expireMonth: '12',
  expireYear: '2099',
  cvv2,
})

const usualCard = cardOf(testCard, '123')
const usualCustomer: PayingCustomer = {
  email: 'ada@customer.example',
  cards: { atShop: usualCard, atGateway: usualCard },
}

/** How long a customer waits before another try, in milliseconds on the gateway's clock. After the last they go away. */
const beforeTries = [0, 120_000]

/** The customer pays, and pays again when told that it failed. */
export async function payAndRetry(paying: CaseContext): Promise<Tried> {
  let latest = await payOnce(paying)
  const tries = [latest]
  for (const waits of beforeTries) {
    const wasToldNo = latest.rejected || latest.said === 'not-paid'
    if (!wasToldNo || paying.isPlain || latest.verdicts.length > 0) break
    if (waits > 0) await paying.driver.advance(waits)
    latest = await payOnce(paying)
    tries.push(latest)
  }
  return {
    started: [...new Set(tries.flatMap(({ started }) => started))],
    rejected: tries.some(({ rejected }) => rejected),
    verdicts: latest.verdicts,
  }
}

async function payOnce(paying: CaseContext): Promise<Tried & { readonly said?: FinalAnswer }> {
  const { driver, isPlain } = paying
  const rejected = (...verdicts: readonly Verdict[]): Tried => ({ started: [], rejected: true, verdicts })
  const failed = (explanation: string): Tried => rejected({ kind: 'failed', explanation })
  const ending = await driver.until(() => press(paying))
  if (ending.kind !== 'answered') {
    const mayFail = ending.kind === 'failed' && !isPlain && !(ending.error instanceof MerchantDownError)
    return mayFail ? rejected() : rejected(verdictOf(ending, noPayment))
  }
  const started = [...new Set(ending.value.flatMap(({ order = latestOrder(paying) }) => order ?? []))]
  // A customer who was led to two forms may pay on both.
  for (const address of new Set(ending.value.flatMap(({ redirectUrl }) => redirectUrl?.toString() ?? []))) {
    const page = URL.canParse(address) ? new URL(address) : undefined
    if (page === undefined) return failed(`The merchant sent the customer to ${address}, which is no address.`)
    await driver.until(() => payOnPage(page, paying))
  }
  const order = started.at(-1)
  if (order === undefined) {
    return isPlain ? failed('Nothing was wrong, and no payment reached the gateway.') : rejected()
  }
  await driver.calm()
  const { word, isOpen } = await look(order, paying)
  const isEarly = word === 'paid' && !paying.orders().some(each => hasMoney(each, paying.profile))
  const explanation = `The merchant called ${order} paid before the gateway had any money.`
  const verdicts: readonly Verdict[] = isEarly ? [{ kind: 'paid-without-money', explanation }] : []
  return { started, rejected: false, verdicts, ...(isOpen ? {} : { said: word }) }
}

/**
 * Presses *pay*. A merchant may say no to one press, and lead on by another one.
 *
 * @throws What the merchant says where it says no to all.
 */
async function press({
  doors,
  purchase,
  presses,
  customer = usualCustomer,
}: CaseContext): Promise<readonly StartedPayment[]> {
  const { email, cards } = customer
  const callback = doors.callbackUrl === undefined ? {} : { callbackUrl: doors.callbackUrl }
  const payment = { purchase, ...money, email, card: cards.atShop, ...callback }
  const answers = await Promise.allSettled(Array.from({ length: presses }, async () => doors.startPayment(payment)))
  const taken = answers.flatMap(each => (each.status === 'fulfilled' ? [each.value ?? {}] : []))
  for (const each of answers) if (each.status === 'rejected' && taken.length === 0) throw each.reason
  return taken
}

const noPayment = { hung: 'Starting the payment never came to an end.', failed: 'Starting the payment failed' }

/** The merchant's id of the order in the latest request to the gateway. */
function latestOrder({ gateway, callsBefore }: CaseContext): string | undefined {
  const fields = gateway.calls().flatMap(call => (call.number > callsBefore ? call.fields : []))
  return fields.findLast(([name]) => /^client[-_]order-?id$/.test(name))?.[1]
}

/** Pays on a hosted page of the gateway, and comes back to the merchant as a browser does. */
async function payOnPage(page: URL, paying: CaseContext): Promise<void> {
  const { dispatcher } = paying.gateway
  const card = (paying.customer ?? usualCustomer).cards.atGateway
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
  if (back !== undefined && isLoopbackHost(back.action.hostname)) {
    await comeBack(back.action, back.fields, paying.customer?.hear)
  }
}

const headers = { 'content-type': 'application/x-www-form-urlencoded' }

/** Posts to the merchant's return address what a browser would. A redirect is not followed. */
export async function comeBack(to: URL, fields: readonly Parameter[], hear?: Hear): Promise<void> {
  await readAnswer(await request(to, { method: 'POST', headers, body: encodeForm(fields) }), hear)
}

/** What the merchant said of an order when it was asked. */
interface Look {
  readonly word: FinalAnswer
  readonly isOpen: boolean
  readonly broken?: Verdict
}

/** Asks the merchant once whether an order is paid. */
async function look(order: string, { doors, driver }: CaseContext): Promise<Look> {
  const ending = await driver.until(() => doors.isPaid(order))
  if (ending.kind !== 'answered') {
    const [hung, failed] = [
      `Whether ${order} is paid was never answered.`,
      `Whether ${order} is paid could not be asked`,
    ]
    return { word: 'no answer', isOpen: true, broken: verdictOf(ending, { hung, failed }) }
  }
  const answer = ending.value
  if (answer === false) return { word: 'not-paid', isOpen: true }
  const word = answer === true ? 'paid' : (paidWords.find(each => each === answer) ?? 'no answer')
  return { word, isOpen: word === 'open' || word === 'no answer' }
}

/** How often the merchant is asked, an hour apart on the gateway's clock. A merchant may find out only when it is asked. */
const looks = 4
const hour = 3_600_000

/** How long it waits before each of them, in milliseconds, and at least so many times `quiet`. */
const longQuiet = 50
const timesQuiet = 10

/** Asks about an order until the merchant has found out, or will not. */
export async function finalLook(order: string, context: CaseContext): Promise<Look> {
  const { driver, grace, quiet } = context
  let last = await look(order, context)
  const isWorthAsking = (): boolean => last.isOpen && last.broken?.kind !== 'hung'
  for (let round = 1; round < looks && isWorthAsking(); round += 1) {
    // A request of the merchant's may be on its way to the gateway, which has not seen it yet.
    await pause(Math.max(longQuiet, timesQuiet * quiet))
    await driver.advance(hour)
    last = await look(order, context)
  }
  for (let waited = 0; waited < grace && isWorthAsking(); waited += grace / 20) {
    await pause(grace / 20)
    last = await look(order, context)
  }
  return last
}
