import { resolvingWait, systemWait } from '@tillkit/express-middleware/core'
import { readPersonIfGiven } from '@tillkit/protocol'
import { pageAnswers } from '../pages/pages.js'
import { type AccountsThen, openAccounts } from '../payment/accounts.js'
import type { Part, Wanted } from '../payment/afterwards.js'
import { openPayments } from '../payment/book.js'
import { type ChangeRunContext, changePayment } from '../payment/change/change-payment.js'
import type { ChangeName } from '../payment/change/changes.js'
import { carryOutFollowUps } from '../payment/change/follow-ups.js'
import { createTillClient } from '../payment/client/till-client.js'
import { createDeliveries, type Deliveries } from '../payment/deliveries.js'
import type { TillOptions } from '../payment/options.js'
import { payout } from '../payment/pay/payout.js'
import { takePayment } from '../payment/pay/take-payment.js'
import { type Beginning, beginningOf, verificationOf } from '../payment/requests.js'
import { markRestored } from '../payment/restored.js'
import { derivedSecrets } from '../payment/state-secrets.js'
import { adopt } from '../people/adopt.js'
import { decide } from '../people/decide.js'
import { createPause } from '../people/pause.js'
import { readLimits } from '../people/wanted.js'
import { createMetrics } from '../report/metrics.js'
import { createReporting } from '../report/report.js'
import type { Payment } from '../rules/pay/payment.js'
import { questionsOf } from '../rules/people/questions.js'
import { tillWarnings } from '../said/warnings.js'
import { orderPlace } from '../store/keys.js'
import { createBackground } from '../work/background.js'
import { holdingProcess } from '../work/hold-process.js'
import { createPace, readPace } from '../work/pace.js'
import { createPaymentWaits } from '../work/payment-waits.js'
import { below, onSite, ownPath, readAddress } from './addresses.js'
import { checkAccounts } from './check-accounts.js'
import { checkTillOptions, retentionOf } from './check-options.js'
import { createForms, pageOrigins } from './forms.js'
import { createHandling } from './handling.js'
import { createIntake } from './intake.js'
import { createPurge, day } from './purge.js'
import { createRoutes } from './routes.js'
import { checkStore } from './store-check.js'
import type { Till } from './till.js'

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
 *   onOutcome: async ({ payment: { reference, state } }, { transaction }) => {
 *     await transaction.run`update orders set state = ${state} where id = ${reference}`
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
  const { store, onOutcome, pages = {}, clock = Date.now, surplus = 'person' } = options
  const wait = options.wait === undefined ? systemWait : resolvingWait(options.wait)
  const returnTo = ownPath('returnTo', options.returnTo)
  const payAgain = options.payAgain === undefined ? undefined : ownPath('payAgain', options.payAgain)
  const tells = onOutcome !== 'told-elsewhere'
  const isNowhere = options.address === undefined && !tells
  // Nothing of a till without an address leads a customer anywhere: see `begin`.
  const address = isNowhere ? new URL('https://no-address.invalid') : readAddress(options.address)
  const callbackUrl = isNowhere ? undefined : below(address, 'callback')
  const accounts = openAccounts(options, {
    serverCallbackUrl: callbackUrl,
    asked: login => pace.asked(login),
    mayAsk: (login, patience) => pace.mayAsk(login, patience),
    ended(login, request) {
      // The end of another request says nothing of questions.
      if (request.operation === 'status') pace.answered(login, request)
      metrics.requestEnded(request.operation, request.ending)
    },
  })
  const { profile } = accounts.all[0]
  const { name, environment } = accounts.engine.place
  const perSecond = readPace(options)
  // A clock that is given counts; else one that is never set.
  const monotonic = options.clock ?? (() => performance.now())
  const pace = createPace({ store, place: { name, environment }, perSecond, clock: monotonic, wait })
  const warn = tillWarnings({ clock })
  const secretsOf = (then: AccountsThen) => options.stateSecrets ?? derivedSecrets(then)
  const secrets = accounts.derive(secretsOf)
  const { replaceOpenForm = false, patience = day, mostOrders = 10 } = options
  const rules = { replaceOpenForm, mostOrders }
  const payments = openPayments({ store, place: { name, environment }, profile, patience, wait })
  const report = createReporting({ store, profile, patience })
  const metrics = createMetrics({ meter: options.meter, clock, wait, warn, report })
  const {
    teller: handling,
    idle,
    outside,
  } = createHandling<Transaction>({
    store,
    onOutcome: tells ? onOutcome : notHere,
    ...(options.handlerTimeout === undefined ? {} : { handlerTimeout: options.handlerTimeout }),
    payments,
    surplus,
    counts: metrics,
    followUp: reference => carryOutFollowUps(reference, { ...changing, warn }),
  })
  const deliveries: Deliveries = createDeliveries({ accounts, teller: handling, wait, tells, rules })
  const changing: ChangeRunContext = { accounts, payments, deliveries }
  const { carryOut } = handling
  const intake = createIntake(options, { accounts, payments, deliveries, pace, carryOut, clock, wait, warn })
  const forms = createForms({ address, secrets, clock })
  const page = accounts.derive(then => pageAnswers(pages, pageOrigins(then)))
  const routes = createRoutes({
    accounts,
    payments,
    deliveries,
    address,
    secrets,
    secretsOf,
    clock,
    returnTo,
    payAgain,
    page: (...shown) => page()(...shown),
    pages,
    warn,
    wait,
    rules: { ...rules, profile },
    ...forms,
    ...intake,
  })

  const { pause, resume, paused } = createPause(payments)
  const secondPersonAbove = readLimits(options.secondPersonAbove)
  const deciding = { ...changing, secondPersonAbove, carryOut }
  const paying = { ...changing, rules, callbackUrl, warn, tells }
  const begin = async (beginning: Beginning) => {
    outside(beginning.reference)
    if (isNowhere)
      throw new TypeError(
        'createTill: "address" is missing. Without it a till takes no payments: give that of the till’s routes.',
      )
    const context = {
      ...paying,
      ...forms,
      ...routes.addresses,
      returnTo: (payment: Payment) => onSite(address, returnTo(payment)),
      payAgain,
    }
    return takePayment(beginning, context)
  }
  const changed = async (name: ChangeName, reference: string, { who, why, ...terms }: Wanted = {}) => {
    outside(reference)
    // Any term that is given means a part: a misspelt one must not become the whole.
    const part = Object.keys(terms).length === 0 ? undefined : (terms as Part)
    const person = readPersonIfGiven(`till.${name}`, { who, why })
    const place = orderPlace(reference)
    // The id of a later order, or of one that was adopted, says which order is meant, where two of them brought money.
    const adoptedBy = place.attempt === 1 ? await payments.adopterOf(reference) : undefined
    const clientOrderId = place.attempt === 1 && adoptedBy === undefined ? undefined : reference
    return changePayment({ name, reference: adoptedBy ?? place.reference, part, person, clientOrderId }, changing)
  }

  const waits = createPaymentWaits({ accounts, payments, ask: deliveries.ask, pace, wait })
  const background = createBackground({ round: intake.rounds.round, idle, wait })

  const till: Till = {
    pay: async request => begin(beginningOf(request)),
    verify: async request => begin(verificationOf(request)),
    async payout(request) {
      outside(request.reference)
      return payout(request, paying)
    },
    capture: (reference, wanted) => changed('capture', reference, wanted),
    return: (reference, wanted) => changed('return', reference, wanted),
    void: (reference, wanted) => changed('void', reference, wanted),
    payment: async reference => payments.view(reference, await payments.read(reference)),
    async ask(reference) {
      outside(reference)
      return waits.askOnce(reference)
    },
    wait: waits.untilOver,
    check: async ({ account } = {}) =>
      checkAccounts(accounts, { address: isNowhere ? undefined : address, store, login: account }),
    async decide(reference, decision) {
      outside(reference)
      return decide(reference, decision, deciding)
    },
    async adopt(request) {
      outside(request?.reference)
      return adopt(request, changing)
    },
    async questions(reference) {
      const { document, at } = await payments.read(reference)
      return questionsOf(document, { at, profile })
    },
    pause,
    resume,
    paused,
    report,
    purge: createPurge({ accounts, wait }),
    express: routes.express,
    answer: routes.answer,
    fetch: routes.fetch,
    async start(given = {}) {
      await checkStore(store, { warn, wait, clock })
      if (given.restored === true) await markRestored(payments, retentionOf(given))
      background.start()
    },
    tick: background.round,
    async close() {
      const worked = background.close()
      waits.close()
      metrics.close()
      await Promise.all([intake.callbacks.close(), intake.rounds.close(), deliveries.close()])
      await worked
      await idle()
      // From here on nothing is sent; what was sent ends, and is written down.
      await accounts.close()
      await accounts.engine.close(wait)
    },
    client: createTillClient({ accounts, payments }),
    accounts: holdingProcess({ list: accounts.list, set: accounts.set }, ['list']),
  }
  // A script may wait for nothing but one of the other methods.
  return holdingProcess(tells ? till : toldElsewhere(till), ['express', 'start', 'close'])
}

/** The same till without what would tell: another one, which has the handler, does that. */
function toldElsewhere(till: Till): Till {
  const later = async () => notHere()
  return { ...till, express: notHere, answer: later, fetch: later, start: later, tick: later }
}

/** @throws {TypeError} where a till would have to tell, and may not. */
function notHere(): never {
  throw new TypeError(
    'createTill: "onOutcome" is "told-elsewhere". Use express, answer, fetch, start and tick of the till that has the handler.',
  )
}
