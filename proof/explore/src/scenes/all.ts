/** Every scene, and every planted mistake. */
import { accounts } from '../planted/accounts.js'
import { change as plantedInChange } from '../planted/change.js'
import { decisions } from '../planted/decide.js'
import { deliveries as plantedInDeliveries } from '../planted/deliveries.js'
import { followUps as plantedInFollowUps } from '../planted/follow-up.js'
import { foreign } from '../planted/foreign.js'
import { holds } from '../planted/holds.js'
import { pay as plantedInPay } from '../planted/pay.js'
import { sending as plantedInSending } from '../planted/sending.js'
import { tells } from '../planted/tells.js'
import { visits as plantedInVisits } from '../planted/visit.js'
import { change } from './change.js'
import { deliveries } from './deliveries.js'
import { followUps } from './follow-up.js'
import { pay } from './pay.js'
import type { Planted, Scene } from './scene.js'
import { sending } from './sending.js'
import { visits } from './visit.js'

export const allScenes: readonly Scene[] = [...sending, ...pay, ...change, ...followUps, ...deliveries, ...visits]

export const allPlanted: readonly Planted[] = [
  ...plantedInSending,
  ...plantedInPay,
  ...decisions,
  ...tells,
  ...accounts,
  ...plantedInChange,
  ...holds,
  ...foreign,
  ...plantedInFollowUps,
  ...plantedInDeliveries,
  ...plantedInVisits,
]
