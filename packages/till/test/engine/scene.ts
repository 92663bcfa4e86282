import type { Heard, Scene } from '../../src/intents/next.js'
import type { PaymentDocument } from '../../src/state/document.js'

const nothingHeard: Heard = {
  passed: 0,
  answers: [],
  isFresh: true,
  marks: {},
  deliveries: [],
  waited: 0,
  isHandling: false,
}

/** A scene as an intent sees it, of a payment of which everything is written down. @param heard Default: nothing. */
export const sceneOf = (
  payment: PaymentDocument | undefined,
  heard: Partial<Heard> = {},
  { earliest = 0, latest = earliest }: Partial<Scene['at']> = {},
): Scene => ({
  payment,
  kept: payment,
  heard: { ...nothingHeard, ...heard },
  at: { earliest, latest },
  gate: 'run/3',
})
