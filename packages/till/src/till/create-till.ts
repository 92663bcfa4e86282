import { createWarnings, type NodeRequest, nodeHandler, pathOf } from '@tillkit/express-middleware/core'
import { orderPlace, questionsOf } from '@tillkit/protocol'
import { checkPages } from '../pages/options.js'
import { pageAnswers } from '../pages/pages.js'
import { derivedSecrets, openAccounts } from '../payment/accounts.js'
import type { Part } from '../payment/afterwards.js'
import { askAbout } from '../payment/ask.js'
import { openPayments, systemWait } from '../payment/book.js'
import { type ChangeContext, type ChangeName, change } from '../payment/changes.js'
import type { TillOptions } from '../payment/options.js'
import { pay } from '../payment/pay/pay.js'
import { payout } from '../payment/pay/payouts.js'
import { type Beginning, beginningOf, verificationOf } from '../payment/requests.js'
import { openRestoredMark } from '../payment/restored.js'
import { surplusStep } from '../payment/surplus.js'
import { adopt } from '../people/adopt.js'
import { decide } from '../people/decide.js'
import { readLimits } from '../people/limits.js'
import { createPause } from '../people/pause.js'
import { checkMeter, createMetrics } from '../report/metrics.js'
import { createReporting } from '../report/report.js'
import { createNews } from '../work/news.js'
import { createPace, readPace } from '../work/pace.js'
import { createWaiting } from '../work/until-over.js'
import { basePath, below, onSite, ownPath, readAddress } from './addresses.js'
import { checkAccounts } from './check-accounts.js'
import { checkTillOptions } from './check-options.js'
import { createForms, pageOrigins } from './forms.js'
import { createHandling } from './handling.js'
import { createPurge } from './purge.js'
import { createRoutes } from './routes.js'
import { checkStore } from './store-check.js'
import type { StartOptions, Till } from './till.js'

/** Pause between two rounds of work, in milliseconds: after one that found nothing, and after one that did. */
const [idlePause, busyPause] = [1_000, 100]

/** About how many orders one round takes up. */
const mostInRound = 100

const day = 86_400_000

/** For how long a backup counts, in milliseconds. @throws {TypeError} for what is no time. */
function retentionOf({ retention = 30 * day }: StartOptions): number {
  if (Number.isSafeInteger(retention) && retention > 0) return retention
  throw new TypeError('start: "retention" must be whole milliseconds, more than 0.')
}

/**
 * Makes a till: takes payments through the gateway, and tells you of each outcome once.
 *
 * @example
 * ```ts
 * const till = createTill({
 *   account: { baseUrl, endpointId, login, controlKey },
 *   store: sqliteStore('shop.db'),
 *   address: 'https://shop.example/payments',
 *   returnTo: ({ reference }) => `/orders/${reference}`,
 *   onOutcome: async ({ kind, payment }, { transaction }) => {
 *     await transaction.run`update orders set state = ${kind} where id = ${payment.reference}`
 *   },
 * })
 * app.use('/payments', till.express())
 * await till.start()
 * ```
 *
 * @throws {TypeError} when an option is wrong.
 */
export function createTill<Transaction = never>(options: TillOptions<Transaction>): Till {
  checkTillOptions(options)
  const { store, onOutcome, pages = {}, clock = Date.now, wait = systemWait, surplus = 'person' } = options
  checkMeter(options.meter)
  checkPages(pages)
  const returnTo = ownPath('returnTo', options.returnTo)
  const payAgain = options.payAgain === undefined ? undefined : ownPath('payAgain', options.payAgain)
  const address = readAddress(options.address)
  const callbackUrl = below(address, 'callback')
  const accounts = openAccounts(options, {
    serverCallbackUrl: callbackUrl,
    asked: login => pace.asked(login),
    ended: (operation, ending) => metrics.requestEnded(operation, ending),
  })
  const [first] = accounts.all
  const { profile } = first
  const { name, environment } = first.client.payments
  const pace = createPace({ store, environment, perSecond: readPace(options), clock, wait })
  const warn = createWarnings({ clock })
  const secrets = options.stateSecrets ?? derivedSecrets(accounts)
  const { replaceOpenForm = false, patience = day, mostOrders = 10 } = options
  const rules = { replaceOpenForm, patience, mostOrders }
  const payments = openPayments({ store, place: { name, environment }, profile, patience, wait })
  const news = createNews(wait)
  const restored = openRestoredMark(payments)
  const tells = onOutcome !== 'told-elsewhere'
  const ask: ChangeContext['ask'] = (order, account, at) =>
    askAbout(order, { account, teller: tells ? teller : undefined, at })
  const changing: ChangeContext = { accounts, payments, ask, restored }
  const report = createReporting({ store, profile, patience })
  const metrics = createMetrics({ meter: options.meter, clock, wait, warn, report })
  const { teller, idle, outside } = createHandling<Transaction>({
    store,
    onOutcome: tells ? onOutcome : notHere,
    ...(options.lease === undefined ? {} : { lease: options.lease }),
    payments,
    profile,
    warn,
    surplus,
    news,
    counts: metrics,
    change: request => change(request, changing),
    surplusStep: order => surplusStep(order, changing),
  })
  const { openForm, checkedForm } = createForms({ address, secrets, clock })
  const routes = createRoutes({
    accounts,
    payments,
    teller,
    address,
    secrets,
    clock,
    returnTo,
    payAgain,
    page: pageAnswers(pages, pageOrigins(accounts)),
    pages,
    warn,
    pace,
    onUnmatched: options.onUnmatched,
    wait,
    rules: { ...rules, profile },
    checkedForm,
    hooks: {
      ...(options.onReport === undefined ? {} : { onReport: options.onReport }),
      ...(options.onRejected === undefined ? {} : { onRejected: options.onRejected }),
    },
  })

  const { pause, resume, paused, check: checkPause } = createPause(payments)
  const { carryOut } = teller.afterwards
  const deciding = { ...changing, secondPersonAbove: readLimits(options.secondPersonAbove), carryOut }
  const paying = {
    accounts,
    payments,
    rules,
    wait,
    callbackUrl,
    ask,
    checkPause,
    restored,
    clock,
    warn,
  }
  const begin = async (beginning: Beginning) => {
    outside(beginning.reference)
    return pay(beginning, {
      ...paying,
      returnTo: payment => onSite(address, returnTo(payment)),
      payAgain,
      checkedForm,
      threeDSecureAddress: routes.threeDSecureAddress,
      waitingPage: async (clientOrderId, { goesOn, later }) =>
        onSite(address, `${await routes.pagePath(clientOrderId)}${goesOn ? '?go=1' : later ? '?later=1' : ''}`),
      openForm,
    })
  }
  const changed = async (name: ChangeName, reference: string, part?: Part) => {
    outside(reference)
    const place = orderPlace(reference)
    // The id of a later order, or of one that was adopted, says which order is meant, where two of them brought money.
    const adoptedBy = place.attempt === 1 ? await payments.adopterOf(reference) : undefined
    const clientOrderId = place.attempt === 1 && adoptedBy === undefined ? undefined : reference
    return change({ name, reference: adoptedBy ?? place.reference, part, clientOrderId }, changing)
  }
  const paymentNow = async (reference: string) => payments.view(reference, await payments.read(reference))

  const closed = new AbortController()
  const waiting = createWaiting({ accounts, payments, news, ask, wait })
  let working: Promise<void> | undefined
  const work = async (): Promise<void> => {
    while (!closed.signal.aborted) {
      const count = await routes.callbacks.resume().catch(() => 0)
      await wait(count === 0 ? idlePause : busyPause, closed.signal)
    }
  }

  const till: Till = {
    pay: async request => begin(beginningOf(request)),
    verify: async request => begin(verificationOf(request)),
    async payout(request) {
      outside(request.reference)
      return payout(request, paying)
    },
    capture: (reference, part) => changed('capture', reference, part),
    return: (reference, part) => changed('return', reference, part),
    void: reference => changed('void', reference),
    payment: paymentNow,
    async ask(reference) {
      outside(reference)
      return waiting.askOnce(reference)
    },
    wait: waiting.untilOver,
    check: () => checkAccounts(accounts, address),
    async decide(reference, decision) {
      outside(reference)
      return decide(reference, decision, deciding)
    },
    async adopt(request) {
      outside(request?.reference)
      return adopt(request, { ...changing, clock })
    },
    async questions(reference) {
      const { document, at } = await payments.read(reference)
      return questionsOf(document, { at, profile })
    },
    pause,
    resume,
    paused,
    report,
    purge: createPurge({ store, payments, profile }),
    express: () =>
      nodeHandler<NodeRequest, unknown>('tillHandler', async request => {
        const [path = '/'] = (request.url ?? '/').split('?', 1)
        return (await routes.answer(request, path)) ?? 'next'
      }),
    answer: (request: NodeRequest) => {
      const path = pathOf(request)
      const base = basePath(address)
      return path.startsWith(`${base}/`) ? routes.answer(request, path.slice(base.length)) : Promise.resolve(undefined)
    },
    async start(given = {}) {
      await checkStore(store, { warn, wait })
      if (given.restored === true) await restored.set(retentionOf(given))
      if (working !== undefined) return
      working = work()
    },
    async tick() {
      let count = 0
      for (let more = 1; more > 0 && count < mostInRound; count += more)
        more = await routes.callbacks.resume({ untilTried: true })
      await idle()
      return count
    },
    async close() {
      closed.abort()
      waiting.close()
      metrics.close()
      await routes.callbacks.close()
      await working
      await idle()
      await Promise.all(accounts.all.map(({ client }) => client.close()))
    },
    client: first.client,
  }
  const later = async () => notHere()
  return tells ? till : { ...till, express: notHere, answer: later, start: later, tick: later }
}

/** @throws {TypeError} where a till would have to tell, and may not. */
function notHere(): never {
  throw new TypeError(
    'createTill: "onOutcome" is "told-elsewhere". Use express, answer, start and tick of the till that has the handler.',
  )
}
