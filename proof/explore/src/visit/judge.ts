/** The rules that every world of visits must keep. */

import type { Ended } from '../../../../packages/till/src/engine/run.js'
import type { CallbackResult } from '../../../../packages/till/src/intents/callback.js'
import type { VisitResult } from '../../../../packages/till/src/intents/customers/visit.js'
import type { DeliverResult } from '../../../../packages/till/src/intents/deliver.js'
import type { PaymentDocument } from '../../../../packages/till/src/state/document.js'
import { present } from '../../../../packages/till/src/state/values.js'
import { type Booked, isPaid } from '../pay/gateway.js'
import { hasUntold, wrongBook, wrongCalls } from '../walk/handlers.js'
import { type Broken, breaks, endless } from '../walk/rules.js'
import { bookedAs, repeatedId } from './repeated.js'
import { type Budget, type Process, visitedIn, type World } from './world.js'

/** No run hears of more events than that. */
const mostSteps = 30

/** Names the rule that a world breaks; undefined: none. */
export const brokenIn = (world: World): Broken | undefined =>
  world.wrong ??
  wrongStages(world) ??
  wrongCallback(world) ??
  wrongBook(world.book, world.known.document, world.hasTransactions) ??
  wrongCalls(world.called, troubleIn(world)) ??
  wrongRuns(world)

/** Whether the gateway has said that word of an order. */
function hasSaid({ state }: Booked, word: string | undefined): boolean {
  if (word === 'approved') return state === 'approved' || state === 'corrected'
  return word === undefined || state === 'declined' || state === 'corrected'
}

function wrongStages({ known, books }: World): Broken | undefined {
  for (const { clientOrderId, orderId, stages } of known.document?.orders ?? []) {
    const order = bookedAs(books, present({ clientOrderId, orderId }))
    const wrong = stages.find(({ outcome }) => order === undefined || !hasSaid(order, outcome))
    if (wrong !== undefined)
      return breaks(
        'said by the gateway',
        `it is kept that ${clientOrderId} is ${wrong.outcome}, and the gateway never said so`,
      )
  }
  return undefined
}

/** A callback that is kept counts as answered only once what it says is kept as well. */
function wrongCallback(world: World): Broken | undefined {
  const { known, cameWith } = world
  const { clientOrderId } = visitedIn(world)
  const order = known.document?.orders.find(each => each.clientOrderId === clientOrderId)
  if (cameWith === undefined || order === undefined || order.callbackAt !== undefined) return undefined
  const words = order.stages.flatMap(({ status, corrections }) => [status, ...corrections.map(({ to }) => to)])
  return words.includes(cameWith)
    ? undefined
    : breaks('callback is kept', `a callback says ${cameWith}, counts as answered, and that is not kept`)
}

/** Trouble that may make a handler run again. */
const troubles: readonly (keyof Budget)[] = ['crashes', 'lostWrites', 'lostCommits', 'failures']

/** How much of that there was. */
const troubleIn = ({ budget, left }: World): number =>
  troubles.reduce((sum, each) => sum + budget[each] - left[each], 0)

const wrongRuns = ({ processes }: World): Broken | undefined =>
  processes.some(each => each !== undefined && each.steps > mostSteps) ? endless : undefined

const isFinalWord = (shown: string): boolean => shown === 'approved' || shown === 'declined'

/** Names the rule that is broken by the page that a customer is shown; undefined: none. */
export function wrongShown(world: World, { run, mustShow }: Process, shown: string): Broken | undefined {
  const order = visitedIn(world)
  const isTakenBack = shown === 'corrected'
  const isSaid = isTakenBack ? order.state === 'corrected' : !isFinalWord(shown) || hasSaid(order, shown)
  if (!isSaid) return breaks('said by the gateway', `${run.id} shows ${shown}, and the gateway never said so`)
  // The merchant looks at a word that was taken back: the customer waits.
  return mustShow && shown !== 'approved' && !isTakenBack
    ? breaks('heard is true', `${run.id} shows ${shown}, and the gateway had the money`)
    : undefined
}

/** Whether the gateway has the money of the order that customers come back for, and says how much it is. */
export const isVisitedPaid = (world: World): boolean => {
  const order = visitedIn(world)
  return isPaid(order) && order.isAmountLate !== true
}

/** Names the rule that the end of a run breaks; undefined: none. */
export function wrongEnd(process: Process, ended: Ended<VisitResult | CallbackResult>): Broken | undefined {
  const { run, does, shown } = process
  if (ended.kind === 'failed') return breaks('nobody is stuck', `${run.id} fails`)
  const { result } = ended
  // It comes again: the gateway calls until its callback is answered with 200.
  if (result.kind === 'other-order' && process.about?.orderId === repeatedId) return undefined
  if (result.kind !== 'asked')
    return breaks('heard is true', `${run.id} says "${result.kind}" of an order that is kept`)
  if (does === 'visit' && shown === undefined) return breaks('nobody is stuck', `${run.id} ends, and has shown nothing`)
  return wrongDelivered(process, result.delivered, ended.known.document)
}

function wrongDelivered(
  { run, called, told }: Process,
  { kind }: DeliverResult,
  document: PaymentDocument | undefined,
): Broken | undefined {
  if (kind === 'nothing' && called > 0)
    return breaks('heard is true', `${run.id} says that there was nothing, and called a handler`)
  if ((kind === 'nothing' || kind === 'told') && hasUntold(document))
    return breaks('all is told', `${run.id} says ${kind}, and has left something untold`)
  // No process knows who set a mark whose commit was lost.
  const isLost = run.heard.deliveries.some(each => each.kind === 'unknown')
  return kind === 'told' && told === 0 && !isLost
    ? breaks('told is booked', `${run.id} says told, and has told nothing`)
    : undefined
}
