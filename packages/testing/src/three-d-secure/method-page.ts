/**
 * The 3DS method of the card's bank: it runs in a hidden frame of the shop's page and notifies the shop.
 *
 * @module
 */
import { postingPage } from '../pages/posting-page.js'
import { refusedPage } from '../pages/typed-form.js'
import { webAddress } from '../web-address.js'
import { readMessage, writeMessage } from './messages.js'
import type { ThreeDSecurePage } from './page-turn.js'

/**
 * Posts `threeDSMethodData` with the transaction id to `threeDSMethodNotificationURL`.
 *
 * @see EMV 3-D Secure protocol specification, 3DS method
 */
export const methodPage: ThreeDSecurePage = ({ typed, threeDSecure }) => {
  const { threeDSMethodData } = typed ?? {}
  if (threeDSMethodData === undefined) {
    return refusedPage(
      'This is the 3DS method. Post "threeDSMethodData" here from a hidden frame: the Base64url of a JSON object with "threeDSServerTransID" and "threeDSMethodNotificationURL".',
    )
  }
  const data = readMessage(threeDSMethodData)
  if (data === undefined) return refusedPage('"threeDSMethodData" is not the Base64url of a JSON object.')
  const { serverTransId } = threeDSecure
  if (data.threeDSServerTransID !== serverTransId) {
    return refusedPage(
      `"threeDSServerTransID" in "threeDSMethodData" is not "${serverTransId}", the id that status showed with this address.`,
    )
  }
  const notificationUrl = data.threeDSMethodNotificationURL
  const to = typeof notificationUrl === 'string' ? webAddress(notificationUrl) : undefined
  if (to === undefined) {
    return refusedPage(
      '"threeDSMethodNotificationURL" in "threeDSMethodData" must be an http or https address of the shop.',
    )
  }
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
