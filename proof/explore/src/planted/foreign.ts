/** Mistakes about what somebody gives back at the gateway's own screens. */
import type { Event } from '../../../../packages/till/src/engine/run.js'
import { callbackAbout, type Exploration, exploreScene, shipped } from '../change/change.js'
import type { Planted } from '../scenes/scene.js'

/** An answer of status without the codes of the acquirer. */
function withoutCodes(event: Event): Event {
  if (event.kind !== 'asked' || event.answer.kind !== 'reply') return event
  const { processorRrn: _rrn, approvalCode: _code, ...reply } = event.answer.reply
  return { kind: 'asked', answer: { ...event.answer, reply } }
}

const planted: readonly (readonly [what: string, where: Exploration])[] = [
  [
    'that looks at no code of the acquirer',
    {
      pair: 'a part',
      trouble: 'a part given back at the gateway',
      make: wish => (run, event, at) => shipped(wish)(run, withoutCodes(event), at),
      called: nth => {
        const advance = callbackAbout(nth)
        return (run, event, at) => advance(run, withoutCodes(event), at)
      },
    },
  ],
  [
    'that answers a callback by whatever status shows',
    {
      pair: 'nothing',
      trouble: 'a part given back at the gateway, and status that lags',
      called: nth => callbackAbout(nth, false),
    },
  ],
]

export const foreign: readonly Planted[] = planted.map(([what, where]) => ({
  what: `change: a till ${what}`,
  broken: /^totals say that \d\.00 went back, and the books say \d$/,
  walk: () => exploreScene(where),
}))
