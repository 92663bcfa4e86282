import type { Parameter } from '@tillkit/signing'
import { type GatewaySettings, settingsOfLogin } from '../merchants/settings.js'
import { type Order, type Stage, stageAmount } from '../orders/order.js'
import { statusWord, transactionType } from '../orders/stage-words.js'
import type { FakeClock } from '../time/clock.js'
import { type NotificationKind, notificationParameters } from './signed-callback.js'

export function orderNotification(
  kind: NotificationKind,
  { order, stage }: { readonly order: Order; readonly stage: Stage },
  { settings, clock }: { readonly settings: GatewaySettings; readonly clock: FakeClock },
): readonly Parameter[] {
  const { profile, controlKey } = settingsOfLogin(order.login, settings)
  const now = clock.now()
  const { card } = order
  const failure = stage.finalAt !== undefined && now >= stage.finalAt ? stage.verdict : undefined
  const isReturn = kind === 'browserReturn'
  const names = (isReturn ? profile.unsignedReturnParameters : profile.unsignedParameters).value
  const partial = order.currency === undefined ? undefined : 'enabled'
  const fields = {
    transactionType: transactionType(stage.stage, profile),
    amount: stageAmount(order, stage, profile),
    currency: order.currency,
    errorCode: failure?.errorCode,
    errorMessage: failure?.errorMessage ?? (isReturn ? profile.noErrorMessage.value : undefined),
    approvalCode: stage.approvalCode,
    processorRrn: stage.rrn,
    processorTxId: `TILLKIT-${order.orderId}`,
    gatePartialReversal: partial,
    gatePartialCapture: partial,
    descriptor: 'TILLKIT TEST',
    bin: card?.bin,
    lastFourDigits: card?.lastFourDigits,
    cardType: card?.brand,
    cardholderName: card?.holder,
    email: order.email,
    phone: order.phone,
    comment: stage.comment,
    merchantData: order.merchantData,
  }
  return notificationParameters(kind, {
    status: statusWord(stage, { profile, now }),
    orderId: order.orderId,
    clientOrderId: order.clientOrderId,
    controlKey,
    profile,
    extra: Object.entries(fields).flatMap(([field, value]) => {
      const name = names[field]
      return name === undefined || value === undefined ? [] : [[name, value] as const]
    }),
  })
}
