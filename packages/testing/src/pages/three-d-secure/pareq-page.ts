/**
 * The bank's page of 3DS 1.0.2: it takes a PaReq and posts a PaRes back to the shop.
 *
 * @module
 */
import type { Parameter } from '@tillkit/signing'
import { webAddress } from '../../http/web-address.js'
import { refusedPage } from '../typed-form.js'
import { askCode, bankReturnPage } from './ask-code.js'
import { pareqOf, paresOf } from './messages.js'
import type { ThreeDSecurePage } from './page-turn.js'

/** Takes `PaReq`, `TermUrl` and `MD`; posts `PaRes` and the same `MD` to `TermUrl`. */
export const pareqPage: ThreeDSecurePage = ({ typed = {}, order, threeDSecure, gateway }) => {
  const { serverTransId } = threeDSecure
  const { PaReq, TermUrl, MD } = typed
  if (PaReq === undefined) {
    return refusedPage(
      'This is the page of 3DS 1.0.2. The form that brings the customer here must post "PaReq", "TermUrl" and "MD".',
    )
  }
  if (PaReq.replace(/\s/g, '') !== pareqOf(serverTransId)) {
    const spaces =
      PaReq.replaceAll(' ', '+') === pareqOf(serverTransId)
        ? ' Its "+" arrived as spaces: the form was not encoded.'
        : ''
    return refusedPage(`"PaReq" is not the one that status showed with this address.${spaces}`)
  }
  const to = webAddress(TermUrl)
  if (TermUrl === undefined || to === undefined) {
    return refusedPage('"TermUrl" must be the http or https address of the shop that takes the PaRes.')
  }
  const md: readonly Parameter[] = MD === undefined ? [] : [['MD', MD]]
  return askCode({
    typed,
    order,
    profile: gateway.settings.profile,
    carried: [['PaReq', PaReq], ['TermUrl', TermUrl], ...md],
    proceed: passed => bankReturnPage({ passed, to, fields: [['PaRes', paresOf(serverTransId, passed)], ...md] }),
  })
}
