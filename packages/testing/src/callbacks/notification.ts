import type { Parameter } from '@tillkit/signing'
import { type GatewaySettings, settingsOfLogin } from '../merchants/settings.js'
import { notificationFields, type Saying } from '../rules/status.js'
import { statusWord } from '../rules/words.js'
import type { FakeClock } from '../time/clock.js'
import { type NotificationKind, notificationParameters } from './signed-callback.js'

export function orderNotification(
  kind: NotificationKind,
  { order, stage }: Saying,
  { settings, clock }: { readonly settings: GatewaySettings; readonly clock: FakeClock },
): readonly Parameter[] {
  const { profile, controlKey } = settingsOfLogin(order.login, settings)
  const now = clock.now()
  const isReturn = kind === 'browserReturn'
  const names = (isReturn ? profile.unsignedReturnParameters : profile.unsignedParameters).value
  const fields = notificationFields({ order, stage }, { profile, now })
  const errorMessage = fields.errorMessage ?? (isReturn ? profile.noErrorMessage.value : undefined)
  return notificationParameters(kind, {
    status: statusWord(stage, { profile, now }),
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    controlKey,
    profile,
    extra: Object.entries({ ...fields, errorMessage }).flatMap(([field, value]) => {
      const name = names[field]
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  })
}
