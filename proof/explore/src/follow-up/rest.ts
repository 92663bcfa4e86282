/** The till at work by itself, once all trouble is over: what it leaves undone then is left for ever. */
import { isUnresolved } from '../../../../packages/till/src/state/attempt-rules.js'
import { movesOf } from '../change/moves.js'
import { attemptsOf, type Cast, none, owed, type World } from '../change/world.js'
import { type Broken, breaks } from '../walk/rules.js'
import { isCarriedOut } from './judge.js'

/** How often the work in the background looks until it has to be done. */
const rounds = 5

/** Names the follow-up that is left undone for ever in a world in which nothing can happen any more; undefined: none. */
export function undoneIn(world: World, cast: Cast): Broken | undefined {
  if (!isAtRest(world) || isCarriedOut(world) || isDoubtful(world)) return undefined
  const quiet = { ...cast, look: () => {} }
  let after: World = { ...world, left: none }
  for (let round = 0; round < rounds; round += 1) {
    for (const work of ['ask', 'carry'] as const) after = lived(after, work, quiet)
    if (after.wrong !== undefined) return after.wrong
    if (isCarriedOut(after)) return undefined
  }
  if (isUnnumbered(after)) return undefined
  return breaks('nobody is stuck', `${owed(after.known.document).join(' and ')} is never carried out`)
}

/** Whether nothing but time is left. */
const isAtRest = ({ processes, wire, lateWrites, wishes, left, books }: World): boolean =>
  processes.every(each => each === undefined) &&
  wire.length + lateWrites.length + wishes.length + left.carries + left.byHand === 0 &&
  books.every(({ state }) => state !== 'open')

/** Whether a request that never arrived had no answer either: a person says that it did nothing. */
const isDoubtful = ({ known, books }: World): boolean =>
  attemptsOf(known.document).some(
    each => isUnresolved(each) && !books.some(({ request }) => request === each.reservation),
  )

/** Whether nobody knows the number of a return that status has shown, since its answer was lost: how much the rest is, a person says. */
const isUnnumbered = ({ known }: World): boolean =>
  (known.document?.orders ?? []).some(
    ({ stages, attempts }) =>
      stages.some(({ stage, serialNumber }) => stage === 'reversal' && serialNumber === undefined) &&
      attempts.some(({ operation, end }) => operation === 'return' && end?.serialNumber === undefined),
  )

/** The world after one look of the work in the background, and a tick. Nothing goes wrong any more. */
function lived(world: World, work: 'ask' | 'carry', cast: Cast): World {
  const [begun] = movesOf({ ...world, left: { ...none, ...(work === 'ask' ? { asks: 1 } : { carries: 1 }) } }, cast)
  let after: World = { ...(begun?.world ?? world), left: none }
  while (after.processes.some(each => each !== undefined)) {
    const next = movesOf(after, cast).find(({ text }) => !text.endsWith('is left by its caller'))
    if (next === undefined) throw new Error('Somebody waits for ever.')
    after = next.world
  }
  // The gateway says by then how each change ended.
  const books = after.books.map(each => (each.state === 'open' ? { ...each, state: 'approved' as const } : each))
  return { ...after, now: after.now + 1, books }
}
