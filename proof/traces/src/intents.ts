/** The intents of the till by their names, to live recorded runs again. */
import { adopt } from '../../../packages/till/src/intents/adopt.js'
import { askOnce } from '../../../packages/till/src/intents/ask.js'
import { callback } from '../../../packages/till/src/intents/callback.js'
import { change } from '../../../packages/till/src/intents/change.js'
import { secure } from '../../../packages/till/src/intents/customers/secure.js'
import { visit } from '../../../packages/till/src/intents/customers/visit.js'
import { decide } from '../../../packages/till/src/intents/decide.js'
import { askAndDeliver, nothingMore } from '../../../packages/till/src/intents/deliver.js'
import { followUp, strike } from '../../../packages/till/src/intents/follow-up.js'
import type { IntentName, Next } from '../../../packages/till/src/intents/next.js'
import { pay } from '../../../packages/till/src/intents/pay.js'
import { payOut } from '../../../packages/till/src/intents/payout.js'
import { send } from '../../../packages/till/src/intents/send.js'
import { purgeOld } from '../../../packages/till/src/till/purge.js'

/** Makes an intent out of a plan that was read from a trace: its type is gone. */
type Make = (plan: never) => Next<unknown>

const intents: Readonly<Record<IntentName, Make>> = {
  adopt,
  ask: askAndDeliver,
  callback,
  change,
  decide,
  'follow-up': followUp,
  late: nothingMore,
  pay,
  payout: payOut,
  purge: purgeOld,
  secure,
  send,
  status: askOnce,
  strike,
  visit,
}

/** Makes the intent of a recorded run. @throws {TypeError} for a name that is none. */
export function intentOf(name: string, plan: unknown): Next<unknown> {
  if (!Object.hasOwn(intents, name)) throw new TypeError(`There is no intent ${JSON.stringify(name)}.`)
  return intents[name as IntentName](plan as never)
}
