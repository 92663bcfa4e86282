/**
 * The challenge of 3DS 2: the bank asks for a code and posts a CRes back to the shop.
 *
 * @module
 */
import type { Parameter } from '@tillkit/signing'
import type { Typed } from '../pages/field.js'
import { postingPage } from '../pages/posting-page.js'
import { refusedPage } from '../pages/typed-form.js'
import { webAddress } from '../web-address.js'
import { bankPage } from './bank-page.js'
import { cresOf, readMessage } from './messages.js'
import { isCodeMissing, missingCode, provedIdentity, type ThreeDSecurePage } from './page-turn.js'

/**
 * Takes `creq`, and `threeDSSessionData` to give back. The CRes goes to `TermUrl` if that was posted too, else to the
 * order's redirect address: the only one a gateway was told of. No public document says which.
 *
 * @see EMV 3-D Secure protocol specification, CReq and CRes
 */
export const challengePage: ThreeDSecurePage = ({ typed = {}, order, threeDSecure }) => {
  const { serverTransId } = threeDSecure
  const { creq } = typed
  if (creq === undefined) {
    return refusedPage('This is the challenge of 3DS 2. The form that brings the customer here must post "creq".')
  }
  if (readMessage(creq)?.threeDSServerTransID !== serverTransId) {
    return refusedPage('"creq" is not the one that status showed with this address.')
  }
  const to = webAddress(typed.TermUrl ?? order.redirectUrl)
  if (to === undefined) {
    return refusedPage(
      'There is no http or https address to post the CRes to: the order has no "redirect_url", and no "TermUrl" was posted with "creq".',
    )
  }
  const carried = carry(typed)
  const passed = provedIdentity(typed)
  if (passed === undefined) return bankPage({ order, carried })
  if (isCodeMissing(typed)) return bankPage({ order, carried, mistakes: missingCode })
  const { threeDSSessionData: session } = typed
  return postingPage({
    title: 'Back to the shop',
    heading: 'Test bank',
    text: passed
      ? 'Thank you. You are on your way back to the shop.'
      : 'Not confirmed. You are on your way back to the shop.',
    to,
    fields: [
      ['cres', cresOf(serverTransId, passed)],
      ...(session === undefined ? [] : [['threeDSSessionData', session] as const]),
    ],
    button: 'Back to the shop',
    framed: true,
  })
}

const carry = (typed: Typed): readonly Parameter[] =>
  ['creq', 'threeDSSessionData', 'TermUrl'].flatMap(name => {
    const value = typed[name]
    return value === undefined ? [] : [[name, value] as const]
  })
