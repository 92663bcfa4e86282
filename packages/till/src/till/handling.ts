import { AsyncLocalStorage } from 'node:async_hooks'
import { createCarrying, createWishList, surplusWish, type WishContext } from '../payment/change/wishes.js'
import type { Teller } from '../payment/deliveries.js'
import { TillError } from '../payment/errors.js'
import type { OutcomeHandler, TillContext, TillOptions } from '../payment/options.js'
import type { TillCounts } from '../report/metrics.js'
import type { ReceivedOutcome } from '../rules/delivery/outcome.js'

/** A handler that was called, and the one that it was called in. */
interface Inside {
  /** The till whose handler runs. */
  readonly till: object
  readonly reference: string
  isOver: boolean
  readonly outer: Inside | undefined
}

/** One for all tills: on Node.js below 24 each makes every promise of the process slower, from when it is entered until it is disabled. */
const inHandler = new AsyncLocalStorage<Inside>()
/** How many handlers run in this process. While none does, nobody is inside. */
let handlersRunning = 0

/** Runs a handler, so that {@link findInside} finds it from within. */
async function runInside(inside: Inside, handler: () => Promise<void>): Promise<void> {
  handlersRunning += 1
  try {
    await inHandler.run(inside, handler)
  } finally {
    inside.isOver = true
    handlersRunning -= 1
    if (handlersRunning === 0) inHandler.disable()
  }
}

/** The innermost handler that has not ended. @param till Whose; any when it is absent. */
function findInside(till?: object): Inside | undefined {
  let inside = inHandler.getStore()
  while (inside !== undefined && (inside.isOver || (till ?? inside.till) !== inside.till)) inside = inside.outer
  return inside
}

/** Everything that delivering needs of the till. */
export interface HandlingContext<Transaction>
  extends Pick<TillOptions<Transaction>, 'store' | 'surplus'>,
    WishContext,
    Partial<Pick<Teller<Transaction>, 'handlerTimeout'>> {
  readonly onOutcome: OutcomeHandler<Transaction>
  readonly counts: Pick<TillCounts, 'outcomeTold' | 'handlerFailed'>
}

/** Makes what tells the merchant's handler, and carries out what it wants afterwards. */
export function createHandling<Transaction>({
  store,
  onOutcome,
  surplus = 'person',
  handlerTimeout,
  counts,
  ...carried
}: HandlingContext<Transaction>) {
  const till = {}
  const wishes = createWishList<Transaction>()
  const carrying = createCarrying(carried)
  const teller: Teller<Transaction> = {
    store,
    ...(handlerTimeout === undefined ? {} : { handlerTimeout }),
    onOutcome: async (outcome, { payment, ...context }) => {
      const told = { ...outcome, payment, declineReason: reasonOf(outcome) }
      const inside: Inside = { till, reference: payment.reference, isOver: false, outer: findInside() }
      try {
        await runInside(inside, () =>
          wishes.collect(
            context,
            afterwards => onOutcome(told, { ...context, afterwards } as TillContext<Transaction>),
            surplus === 'return' ? [surplusWish(outcome)].filter(wish => wish !== undefined) : [],
          ),
        )
        counts.outcomeTold(outcome.kind)
      } catch (error) {
        counts.handlerFailed(outcome.kind)
        throw error
      }
    },
    wantedOf: wishes.wantedOf,
    carryOut: carrying.carryOut,
  }
  return {
    teller,
    /** Resolves once no change that a handler wanted is under way here. */
    idle: carrying.idle,
    /** @throws {TillError} `ERR_INSIDE_HANDLER` where a handler called it that has not ended. */
    outside(reference: string): void {
      const inside = findInside(till)
      if (inside === undefined) return
      throw new TillError(
        'ERR_INSIDE_HANDLER',
        `The till was called about payment ${JSON.stringify(reference)} ` +
          `inside the handler of ${JSON.stringify(inside.reference)}; nothing was sent. ` +
          'The telling has to be committed first. What is to be done about its order then is said with "afterwards": ' +
          "onOutcome: ({ kind }, { afterwards }) => { if (kind === 'held') afterwards.capture() }. " +
          'It has return and void as well.',
        reference,
      )
    },
  }
}

/** The gateway's words why something did not happen. */
function reasonOf(outcome: ReceivedOutcome): string | undefined {
  if (outcome.kind !== 'declined' && outcome.kind !== 'failed') return undefined
  const { errorMessage, errorCode } = outcome.stage
  return errorMessage ?? (errorCode === undefined ? undefined : `code ${errorCode}`)
}
