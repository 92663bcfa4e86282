/** The merchant's handler, called under a lease as the till's own effect calls it. It books in the store's transaction, or for itself. */
import { defaultProfile } from '@tillkit/protocol'
import type { Effect, Handled } from '../../../../packages/till/src/engine/run.js'
import { historyOf } from '../../../../packages/till/src/history/news.js'
import { surplusWish } from '../../../../packages/till/src/payment/change/wishes.js'
import { claimedOutcome, toldOutcome } from '../../../../packages/till/src/rules/delivery/delivery.js'
import { outcomeToTell, type ReceivedOutcome } from '../../../../packages/till/src/rules/delivery/outcome.js'
import type { Told } from '../../../../packages/till/src/rules/happening.js'
import type { WantedChange } from '../../../../packages/till/src/state/known.js'
import { breaks } from '../../../explore/src/walk/rules.js'
import { wrongCall } from '../judge/moments.js'
import { type Call, itemsOf, type Life } from '../life.js'
import { carriesOut } from './background.js'
import { begin, kill, type Living } from './driver.js'
import { partOf } from './plans.js'
import { knownOf } from './store.js'

/** How long a handler has, in milliseconds. */
export const lease = 30_000

export function handles(
  life: Life,
  living: Living,
  { token, until }: Extract<Effect<unknown>, { kind: 'handle' }>,
): void {
  const { process, time, run } = living
  const { document } = run.known
  const untold = document && claimedOutcome(document, token)
  if (document === undefined || untold === undefined) {
    life.accuse(breaks('one teller', `${living.id} calls a handler without a lease`))
    return
  }
  const outcome = outcomeToTell(document, untold, defaultProfile)
  const call: Call = { key: untold.key, outcome, at: life.now() }
  const wrong = wrongCall(life, { token, call })
  if (wrong !== undefined) life.accuse(wrong)
  const { merchant } = life
  const fault = life.fault('handle')
  merchant.called.push(call.key)
  merchant.running.set(token, { until })
  life.count(`told: ${outcome.kind}`)
  life.say?.(`the handler is told ${outcome.kind} of ${call.key}`)
  if (fault?.what === 'dies') {
    kill(life, process)
    return
  }
  process.handling += 1
  const within = until - time.now().latest
  const takes =
    fault?.what === 'overstays' ? within + Math.floor(fault.by * 2 * lease) : life.takes(`${token} handles`, 5, 300)
  let isWaiting = true
  if (takes >= within)
    living.later(within, () => {
      if (!isWaiting) return
      isWaiting = false
      life.say?.(`the handler of ${call.key} outstays its lease`)
      living.hear({ kind: 'handled', end: { kind: 'overstayed' } })
    })
  const bornIn = process.life
  life.later(takes, () => {
    merchant.running.delete(token)
    if (process.life !== bornIn) return
    process.handling -= 1
    const end = ended(life, { token, call, what: fault?.what })
    life.say?.(`the handler of ${call.key} ends: ${end.kind}`)
    if (fault?.what === 'dies-after') return kill(life, process)
    if (isWaiting) {
      isWaiting = false
      living.later(2, () => living.hear({ kind: 'handled', end }))
    } else writesDown(life, living, { token, end })
  })
}

/** The handler ends. What it wrote is committed with the mark, or it is booked by the merchant for itself. */
function ended(
  life: Life,
  { token, call, what }: { readonly token: string; readonly call: Call; readonly what: string | undefined },
): Handled {
  const { merchant, store, plan } = life
  const cause = new Error('The shop is not there.')
  if (what === 'throws') return { kind: 'failed', cause }
  const { outcome } = call
  const wanted = wantedAt(life, outcome)
  const isApproval = outcome.kind === 'disputed' ? undefined : outcome.outcome === 'approved'
  if (!plan.manners.hasTransactions) {
    merchant.booked.push({ ...call, at: life.now() })
    return { kind: 'told', wanted, isApproval }
  }
  if (what === 'lost') return { kind: 'unknown', cause }
  const row = store.row()
  const document = toldOutcome(knownOf(row).document, token, wanted, isApproval)
  if (document === undefined) return { kind: 'lost' }
  store.write({ document, history: historyOf(document) }, { after: row?.stored.writeId, id: `commit-${token}` })
  merchant.booked.push({ ...call, at: life.now() })
  return what === 'unheard' ? { kind: 'unknown', cause } : { kind: 'committed', known: { document }, wanted }
}

/** The changes that the merchant, or the till itself, wants done after an outcome. */
function wantedAt({ plan }: Life, outcome: ReceivedOutcome): readonly WantedChange[] {
  const { surplus, amount } = plan.manners
  const own = surplus === 'return' ? [surplusWish(outcome)].filter(each => each !== undefined) : []
  const wanted = itemsOf(plan, 'wants')
    .filter(({ when }) => when === outcome.kind)
    .map(({ name, tenths }) => ({ name, ...partOf({ tenths, key: 'wanted' }, amount) }))
  return [...wanted, ...own]
}

/** A handler that has outstayed its lease has ended: what became of it is written down by a run of its own. */
function writesDown(
  life: Life,
  { process }: Living,
  { token, end }: { readonly token: string; readonly end: Handled },
): void {
  const told = (): void => carriesOut(life, process)
  if (end.kind === 'committed' && end.wanted.length > 0) told()
  const at = life.storeTime()
  const staged: Told | undefined =
    end.kind === 'told'
      ? { ...end, token }
      : end.kind === 'failed'
        ? { kind: 'not-told', token, at, failure: { error: end.cause } }
        : undefined
  if (staged === undefined) return
  const next = () => ({ kind: 'end', result: undefined }) as const
  begin(life, process, {
    does: 'write down what is late',
    next,
    staged: [staged],
    told: wanted => wanted.length > 0 && told(),
  })
}
