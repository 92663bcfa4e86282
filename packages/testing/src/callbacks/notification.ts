import type { NotificationParameters, WireProfile } from '@tillkit/protocol'
import { controlValue, type Parameter } from '@tillkit/signing'

/** Which of the two it is: their names and items are separate entries of the profile. */
export type NotificationKind = 'callback' | 'browserReturn'

/** What is signed. */
export interface SignedNotification {
  readonly status: string
  readonly orderId: string
  readonly clientOrderId: string
}

/** What a notification is made from. */
export interface NotificationInput extends SignedNotification {
  readonly controlKey: string
  readonly profile: WireProfile
  /** Other parameters by wire name; they are not signed. */
  readonly extra?: readonly Parameter[]
}

/** Builds the parameters of a notification, the control value last. */
export function notificationParameters(kind: NotificationKind, input: NotificationInput): readonly Parameter[] {
  const { profile, status, orderId, clientOrderId, extra = [] } = input
  const names: NotificationParameters = profile[`${kind}Parameters`].value
  const items: readonly string[] = profile[`${kind}Items`].value
  const values: Readonly<Record<string, string>> = { status, orderId, clientOrderId, merchantOrderId: clientOrderId }
  const signed = Object.fromEntries(items.map(item => [item, values[item] ?? '']))
  return [
    [names.status, status],
    [names.orderId, orderId],
    ...names.clientOrderId.map(name => [name, clientOrderId] as const),
    ...extra,
    [names.control, controlValue(items, signed, input.controlKey, { encoding: profile.controlEncoding.value })],
  ]
}
