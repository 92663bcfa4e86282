import type { PayFacts } from '../rules/pay/pay-step.js'
import type { KnownOrder } from '../state/known.js'
import { type AskedOrder, answersAbout, askingAbout } from './ask.js'
import { isRestored, type Profiles, type Scene } from './next.js'

/** An order of which nobody could say how it stands. */
export interface MissingStatus {
  readonly clientOrderId: string
  readonly login: string
  readonly asked: AskedOrder
}

/** Everything that a run has learnt about the orders of a payment. Steps add to it while the next one is decided. */
export interface Learnt extends PayFacts {
  readonly asked: Set<string>
  readonly askedAt: Map<string, number>
  readonly unanswered: Set<string>
  readonly differs: Set<string>
  readonly unreachable: Set<string>
  readonly absent: Set<string>
  readonly missing: MissingStatus[]
}

/** Works out what a run has learnt: the questions of each order that are all answered say how it stands. */
export function factsOf({ profileOf }: Pick<Profiles, 'profileOf'>, scene: Scene): Learnt {
  const { kept } = scene
  const { earliest: at } = scene.at
  const begun = new Set<string>()
  const learnt: Learnt = {
    at,
    asked: new Set(),
    askedAt: new Map(),
    unanswered: new Set(),
    begun,
    differs: new Set(),
    unreachable: new Set(),
    restored: isRestored(scene),
    absent: new Set(),
    missing: [],
  }
  for (const order of kept?.orders ?? []) {
    const { clientOrderId = '', login } = order
    const profile = profileOf(login)
    const answers = answersAbout(scene.heard.answers, order)
    if (profile === undefined || answers.length === 0) continue
    const asking = askingAbout(order, profile, scene)
    if ('question' in asking) continue
    const { came: asked } = asking
    // The payment says that it is paid. Where it does not, nothing may be opened.
    if (asked === 'brings-money') continue
    if (asked === 'no-answer' || (asked === 'not-known' && wasThere(order))) {
      learnt.unanswered.add(clientOrderId)
      learnt.missing.push({ clientOrderId, login, asked })
      continue
    }
    learnt.asked.add(clientOrderId)
    learnt.askedAt.set(clientOrderId, Math.min(...answers.map(({ askedAt }) => askedAt)))
    if (asked === 'begun') begun.add(clientOrderId)
  }
  return learnt
}

/** Whether the gateway has had an order. Of one that nobody ever saw there, a refused question is all that there can be. */
export const wasThere = ({ stages, orderId }: KnownOrder): boolean => stages.length > 0 || orderId !== undefined
