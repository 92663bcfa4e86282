import type { Parameter } from '@tillkit/signing'
import { webAddress } from '../../http/addresses.js'
import { refusedPage } from '../page.js'
import { askCode, bankReturnPage } from './bank.js'
import { cresOf, pareqOf, paresOf, readMessage } from './messages.js'
import type { ThreeDSecurePage } from './stage.js'

/**
 * The challenge of 3DS 2: the bank asks for a code and posts a CRes back to the shop.
 *
 * Takes `creq`, and `threeDSSessionData` to give back. The CRes goes to `TermUrl` if that was posted too, else to the
 * order's redirect address: the only one a gateway was told of. No public document says which.
 *
 * @see EMV 3-D Secure protocol specification, CReq and CRes
 */
export const challengePage: ThreeDSecurePage = turn => {
  const { typed = {}, order, threeDSecure } = turn
  const { serverTransId } = threeDSecure
  const { creq } = typed
  if (creq === undefined) {
    return refusedPage(
      'This is the challenge of 3DS 2. The form that brings the customer here must post "creq".',
      order,
    )
  }
  if (readMessage(creq)?.threeDSServerTransID !== serverTransId) {
    return refusedPage('"creq" is not the one that status showed with this address.', order)
  }
  const to = webAddress(typed.TermUrl ?? order.redirectUrl)
  if (to === undefined) {
    return refusedPage(
      'There is no http or https address to post the CRes to: the order has no "redirect_url", and no "TermUrl" was posted with "creq".',
      order,
    )
  }
  const session = typed.threeDSSessionData
  const kept: readonly Parameter[] = session === undefined ? [] : [['threeDSSessionData', session]]
  const termUrl: readonly Parameter[] = typed.TermUrl === undefined ? [] : [['TermUrl', typed.TermUrl]]
  const proceed = (passed: boolean) => bankReturnPage(passed, to, [['cres', cresOf(serverTransId, passed)], ...kept])
  return askCode(turn, proceed, [['creq', creq], ...kept, ...termUrl])
}

/** The bank's page of 3DS 1.0.2: takes `PaReq`, `TermUrl` and `MD`; posts `PaRes` and the same `MD` to `TermUrl`. */
export const pareqPage: ThreeDSecurePage = turn => {
  const { order, threeDSecure } = turn
  const { serverTransId } = threeDSecure
  const { PaReq, TermUrl, MD } = turn.typed ?? {}
  if (PaReq === undefined) {
    return refusedPage(
      'This is the page of 3DS 1.0.2. The form that brings the customer here must post "PaReq", "TermUrl" and "MD".',
      order,
    )
  }
  if (PaReq.replace(/\s/g, '') !== pareqOf(serverTransId)) {
    const spaces =
      PaReq.replaceAll(' ', '+') === pareqOf(serverTransId)
        ? ' Its "+" arrived as spaces: the form was not encoded.'
        : ''
    return refusedPage(`"PaReq" is not the one that status showed with this address.${spaces}`, order)
  }
  const to = webAddress(TermUrl)
  if (TermUrl === undefined || to === undefined) {
    return refusedPage('"TermUrl" must be the http or https address of the shop that takes the PaRes.', order)
  }
  const md: readonly Parameter[] = MD === undefined ? [] : [['MD', MD]]
  const proceed = (passed: boolean) => bankReturnPage(passed, to, [['PaRes', paresOf(serverTransId, passed)], ...md])
  return askCode(turn, proceed, [['PaReq', PaReq], ['TermUrl', TermUrl], ...md])
}
