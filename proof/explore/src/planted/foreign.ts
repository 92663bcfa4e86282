/** Mistakes about what somebody gives back at the gateway's own screens. */
import type { Event } from '../../../../packages/till/src/engine/run.js'
import { toDocument } from '../../../../packages/till/src/state/evolve.js'
import { callbackAbout, type Exploration, exploreScene, shipped } from '../change/change.js'
import type { Planted } from '../scenes/scene.js'

/** An answer of status without the codes of the acquirer. */
function withoutCodes(event: Event): Event {
  if (event.kind !== 'asked' || event.answer.kind !== 'reply') return event
  const { processorRrn: _rrn, approvalCode: _code, ...reply } = event.answer.reply
  return { kind: 'asked', answer: { ...event.answer, reply } }
}

/** An answer of status that never takes an approval back. */
function asApproved(event: Event): Event {
  if (event.kind !== 'asked' || event.answer.kind !== 'reply') return event
  const { reply } = event.answer
  const { errorCode: _code, errorMessage: _why, ...rest } = { ...reply, status: 'approved' }
  return { kind: 'asked', answer: { ...event.answer, reply: rest as typeof reply } }
}

const planted: readonly (readonly [what: string, where: Exploration])[] = [
  [
    'that looks at no code of the acquirer',
    {
      pair: 'a part',
      trouble: 'a part given back at the gateway',
      make: wish => (run, event, at) => shipped(wish)(run, withoutCodes(event), at),
      called: about => {
        const advance = callbackAbout(about)
        return (run, event, at) => advance(run, withoutCodes(event), at)
      },
    },
  ],
  [
    'that answers a callback by whatever status shows',
    {
      pair: 'nothing',
      trouble: 'a part given back at the gateway, and status that lags',
      called: about => callbackAbout(about, false),
    },
  ],
  [
    'that does not hear that a return is taken back',
    {
      pair: 'nothing',
      trouble: 'a part given back at the gateway, taken back, and given back',
      called: about => {
        const advance = callbackAbout(about && { ...about, state: 'approved' })
        return (run, event, at) => advance(run, asApproved(event), at)
      },
    },
  ],
  [
    'that forgets after an hour what status did not show',
    {
      pair: 'a part',
      trouble: 'a part given back at the gateway, and an hour',
      called: about => {
        const advance = callbackAbout(about)
        return (run, event, at) => {
          const { run: after, effect } = advance(run, event, at)
          if (effect.kind !== 'write') return { run: after, effect }
          const facts = effect.history.facts.filter(({ kind }) => kind !== 'not-shown')
          const history = { ...effect.history, facts }
          const doing = { ...effect, history, document: toDocument(history) }
          return { run: { ...after, doing }, effect: doing }
        }
      },
    },
  ],
]

export const foreign: readonly Planted[] = planted.map(([what, where]) => ({
  what: `change: a till ${what}`,
  broken:
    /^(totals say that \d\.00 went back|\d went back as the merchant hears), and the books say \d$|^1 parts were given back at the gateway, and 0 are known$/,
  walk: () => exploreScene(where),
}))
