import type { WarningEvent } from '@tillkit/express-middleware/core'
import { type FollowUpResult, followUp, strike } from '../../intents/follow-up.js'
import { planned } from '../../intents/next.js'
import type { WarningCode } from '../../said/warnings.js'
import type { Wish } from '../../state/known.js'
import { documentKey } from '../../store/keys.js'
import { kept } from '../deliveries.js'
import { type SentOnce, sendOnce } from '../send-once.js'
import { type ChangeRunContext, changeResultOf, planOf } from './change-payment.js'
import type { ChangeRequest } from './changes.js'
import {
  accountGone,
  type Carried,
  carriedBy,
  done,
  surplusCarried,
  unanswered,
  unasked,
  warnOfWish,
} from './wishes.js'

/** Everything that carrying follow-ups out by runs needs of the till. */
export interface FollowUpContext extends ChangeRunContext {
  /** Says once a minute of each code and reason. */
  warn(code: WarningCode, event: WarningEvent): void
}

/** Carries out the follow-ups of a payment by runs, one after the other: each is to be sent after those before it. */
export async function carryOutFollowUps(reference: string, context: FollowUpContext): Promise<'done' | 'open'> {
  const { accounts, deliveries, warn } = context
  for (;;) {
    const { profile } = accounts.all[0]
    const sent = await sendOnce<FollowUpResult>({
      accounts,
      deliveries,
      reference,
      operation: 'follow-up',
      next: make =>
        planned(
          'follow-up',
          {
            profile,
            profileOf: (login: string) => accounts.ofLogin(login)?.profile,
            changeFor: (wish: Wish) => planOf(requestOf(reference, wish), { accounts, make }),
          },
          followUp,
        ),
    })
    const { followUp: wish, kind, goesOn } = sent.result
    const carried = carriedBySending(sent, { reference, payments: context.payments })
    if (wish !== undefined) warnOfWish(wish, carried, warn)
    // It may be sent, and not be written down: then the list says that it is still to be sent.
    if (carried.kind === 'later' || !sent.isKept) return 'open'
    const isLast = kind === 'open' && wish !== undefined ? !(await struck(reference, wish, context)) : !goesOn
    if (isLast) return 'done'
  }
}

const requestOf = (reference: string, { name, part, clientOrderId, before }: Wish): ChangeRequest => ({
  reference,
  name,
  part,
  clientOrderId,
  before,
})

/** Says what became of a follow-up. */
function carriedBySending(
  sent: SentOnce<FollowUpResult>,
  { reference, payments }: { readonly reference: string } & Pick<FollowUpContext, 'payments'>,
): Carried {
  const { kind, came, followUp: wish } = sent.result
  if (kind === 'done' || came === undefined || wish === undefined) return done
  if (came.kind === 'surplus') return surplusCarried(came.step)
  // A deployment may lack an account for a while: what it owes stays on the list.
  if (came.kind === 'no-account') return accountGone(came.login)
  // An earlier request was refused, and whether this one may be sent is for status to say.
  if (came.kind === 'not-reserved' && came.why.kind === 'already-sent' && !came.isShown) return unasked
  try {
    const result = changeResultOf({ ...sent, result: came }, { request: requestOf(reference, wish), payments })
    return result.kind === 'sent' ? done : unanswered
  } catch (error) {
    return carriedBy(error)
  }
}

/** Strikes a follow-up that is not possible any more. @returns Whether there are others. */
async function struck(
  reference: string,
  wish: Wish,
  { accounts: { all, engine }, deliveries }: ChangeRunContext,
): Promise<boolean> {
  const key = documentKey({ clientOrderId: reference }, engine.place)
  const { result } = await kept(deliveries.drive(all[0], key, { next: planned('strike', wish, strike) }))
  return result.goesOn
}
