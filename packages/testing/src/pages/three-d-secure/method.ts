import { methodTimeLimit, type WireProfile } from '@tillkit/protocol'
import { silentMethodCard } from '../../fixtures/cards.js'
import { webAddress } from '../../http/addresses.js'
import { isCard } from '../../orders/card.js'
import { replaceStage, type ThreeDSecure } from '../../orders/order.js'
import type { GatewayState } from '../../state/gateway-state.js'
import { html } from '../document.js'
import { postingPage, refusedPage, writePage } from '../page.js'
import { readMessage, writeMessage } from './messages.js'
import type { ThreeDSecurePage, ThreeDSecureStage } from './stage.js'

/**
 * The 3DS method of the card's bank, which runs in a hidden frame of the shop's page: posts `threeDSMethodData` with the
 * transaction id to `threeDSMethodNotificationURL`, except for the card that never does.
 *
 * @see EMV 3-D Secure protocol specification, 3DS method
 */
export const methodPage: ThreeDSecurePage = turn => {
  const { typed, order, threeDSecure } = turn
  const { threeDSMethodData } = typed ?? {}
  if (threeDSMethodData === undefined) {
    return refusedPage(
      'This is the 3DS method. Post "threeDSMethodData" here from a hidden frame: ' +
        'the Base64url of a JSON object with "threeDSServerTransID" and "threeDSMethodNotificationURL".',
      order,
    )
  }
  const data = readMessage(threeDSMethodData)
  if (data === undefined) return refusedPage('"threeDSMethodData" is not the Base64url of a JSON object.', order)
  const { serverTransId } = threeDSecure
  if (data.threeDSServerTransID !== serverTransId) {
    return refusedPage(
      `"threeDSServerTransID" in "threeDSMethodData" is not "${serverTransId}", the id that status showed with this address.`,
      order,
    )
  }
  const notificationUrl = data.threeDSMethodNotificationURL
  const to = typeof notificationUrl === 'string' ? webAddress(notificationUrl) : undefined
  if (to === undefined) {
    return refusedPage(
      '"threeDSMethodNotificationURL" in "threeDSMethodData" must be an http or https address of the shop.',
      order,
    )
  }
  const notifies = order.card === undefined || !isCard(order.card, silentMethodCard)
  noteMethod(turn, { event: 'method-page', completed: notifies })
  if (!notifies) return silentPage()
  return postingPage({
    title: '3DS method',
    heading: 'Test bank',
    text: 'The 3DS method is done. The shop is notified.',
    to,
    fields: [['threeDSMethodData', writeMessage({ threeDSServerTransID: serverTransId })]],
    button: 'Notify the shop',
    framed: true,
  })
}

const silentPage = () =>
  writePage({
    title: '3DS method',
    framed: true,
    status: 200,
    body: html`<p class="bank">Test bank</p>
<p>The 3DS method of this card never ends. Ten seconds after it began the shop goes on with <code>threeDSCompInd=N</code>.</p>`,
  })

interface MethodNews {
  /** The ten seconds count from the first time of the event that the profile's `methodTimeStart` names. */
  readonly event: WireProfile['methodTimeStart']['value']
  /** Default: false. */
  readonly completed?: boolean
}

/** Notes what happens to the method: when it began, and that it completed. */
export function noteMethod(
  { order, stage, threeDSecure, gateway }: ThreeDSecureStage & { readonly gateway: GatewayState },
  { event, completed = false }: MethodNews,
): void {
  const begins = gateway.settings.profile.methodTimeStart.value === event && threeDSecure.methodStartedAt === undefined
  if (!begins && !completed) return
  const noted = {
    ...threeDSecure,
    ...(begins ? { methodStartedAt: gateway.clock.now() } : {}),
    ...(completed ? ({ methodCompleted: true } as const) : {}),
  }
  gateway.orders.put(replaceStage(order, { before: stage, after: { ...stage, threeDSecure: noted } }))
}

/** Milliseconds since the method began, if that was noted and they are above the limit. */
export function methodExcess({ methodStartedAt }: ThreeDSecure, now: number): number | undefined {
  if (methodStartedAt === undefined) return undefined
  const since = now - methodStartedAt
  return since >= methodTimeLimit ? since : undefined
}
