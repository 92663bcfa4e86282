import type { Call, CallbackDelivery, OrderView } from '@tillkit/testing'
import {
  type Fields,
  findRoute,
  formAddress,
  type GatewayState,
  latestStage,
  merchantGateway,
  type Order,
  orderView,
  readFields,
  redactText,
  settingsOfLogin,
  threeDSecureAddress,
} from '@tillkit/testing/gateway'

/** Texts that the merchant or the customer wrote; anything may be in them. */
const freeText = ['description', 'email', 'callbackUrl', 'notifyUrl', 'redirectUrl'] as const

/** Shows an order, free text redacted. */
export function shownOrder(order: Order, gateway: GatewayState): OrderView {
  const { redaction } = gateway.settings
  const view = orderView(order, gateway)
  const texts = freeText.flatMap(name => {
    const text = view[name]
    return text === undefined ? [] : [[name, redactText(text, redaction)] as const]
  })
  const stages = view.stages.map(({ comment, ...stage }) =>
    comment === undefined ? stage : { ...stage, comment: redactText(comment, redaction) },
  )
  return { ...view, ...Object.fromEntries(texts), stages }
}

/** Finds an order by the gateway's id or by the merchant's. */
export const findShownOrder = (id: string, { orders }: Pick<GatewayState, 'orders'>): Order | undefined =>
  orders.byOrderId(id) ?? orders.byClientOrderId(id)

/**
 * Finds the address of the page that an order waits for.
 *
 * @returns undefined where there is none, or none that can be opened by itself: a bank's page takes what the shop posts.
 */
export function customerPage(order: Order, gateway: GatewayState): string | undefined {
  const { threeDSecure, verdict } = latestStage(order)
  if (threeDSecure?.step === 'gateway-run') {
    return threeDSecureAddress({ page: 'start', serverTransId: threeDSecure.serverTransId }, gateway)
  }
  const form = verdict === undefined ? gateway.orders.formOf(order.orderId) : undefined
  return form === undefined || gateway.clock.now() >= form.endsAt ? undefined : formAddress(form.token, gateway)
}

/** The calls of the log about an order, oldest first. */
export const callsOfOrder = (order: Order, gateway: GatewayState): readonly Call[] =>
  gateway.log.list().filter(call => orderOfCall(call, gateway)?.orderId === order.orderId)

/** The order that a call is about, if there is one: of the merchant who has the endpoint of its path. */
export function orderOfCall(call: Call, gateway: GatewayState): Order | undefined {
  const route = findRoute(call.path, gateway.settings)
  if (route.kind !== 'operation') return undefined
  const { orders, settings } = merchantGateway(route, gateway)
  const fields = fieldsOfCall(call, gateway)
  const { clientOrderId = '', orderId = call.reply?.[settings.profile.replyFields.value.orderId[0] ?? ''] } = fields
  return orderId === undefined ? orders.byClientOrderId(clientOrderId) : orders.byOrderId(orderId)
}

/** What a call asked for, by the names of fields. */
export function fieldsOfCall({ operation = '', fields }: Call, { settings }: Pick<GatewayState, 'settings'>): Fields {
  const { operations, profile } = settings
  const row = operations[operation]
  return row === undefined ? {} : readFields(fields, { row, profile })
}

/** The deliveries of one callback, oldest first, never empty. */
export type Callback = readonly [CallbackDelivery, ...CallbackDelivery[]]

/** Groups the deliveries about an order by what they say and where they went, oldest callback first. */
export function callbacksOfOrder(
  orderId: string,
  { callbackSender }: Pick<GatewayState, 'callbackSender'>,
): readonly Callback[] {
  const callbacks = new Map<string, Callback>()
  for (const delivery of callbackSender.list()) {
    if (delivery.orderId !== orderId) continue
    const key = JSON.stringify([delivery.url, delivery.parameters])
    const before = callbacks.get(key)
    callbacks.set(key, before === undefined ? [delivery] : [...before, delivery])
  }
  return [...callbacks.values()]
}

/** What a callback says, such as `sale approved`. */
export function callbackTitle({ parameters }: CallbackDelivery, { settings }: Pick<GatewayState, 'settings'>): string {
  const { callbackParameters, unsignedParameters } = settings.profile
  const sent = new Map(parameters)
  const names = [unsignedParameters.value.transactionType ?? 'type', callbackParameters.value.status]
  return names.flatMap(name => sent.get(name) ?? []).join(' ')
}

/** Address of the merchant's own page of an order, where the merchant named one. */
export function merchantPage({ orderId, clientOrderId, login }: Order, { settings }: GatewayState): string | undefined {
  return settingsOfLogin(login, settings)
    .orderPage?.replaceAll('{orderId}', encodeURIComponent(orderId))
    .replaceAll('{clientOrderId}', encodeURIComponent(clientOrderId))
}
