import type { GatewayRequest, WrittenAnswer } from '../../http/message.js'
import type { ThreeDSecure } from '../../orders/order.js'
import type { GatewayState } from '../../state/gateway-state.js'
import { strikeUnasked } from '../../state/order-actions.js'
import { donePage, messagePage, noSuchPage, readVisit, refusedPage } from '../page.js'
import { returnPage } from '../return-page.js'
import { askCode } from './bank.js'
import { challengePage, pareqPage } from './challenge-pages.js'
import { methodPage } from './method.js'
import { endThreeDSecure, findThreeDSecureStage, type ThreeDSecurePage } from './stage.js'

/** 3DS that the gateway runs: the code decides the order, and the customer goes back with a signed browser return. */
const gatewayRunPage: ThreeDSecurePage = turn => {
  const { order, threeDSecure, gateway } = turn
  if (threeDSecure.step === 'done') return donePage(order)
  return askCode(turn, passed =>
    returnPage(strikeUnasked(endThreeDSecure(turn, { passed, gateway }), gateway), gateway),
  )
}

/** The pages by their names in addresses, each with the 3DS steps at which it may be opened. */
const pages: Readonly<
  Record<
    string,
    { readonly steps: readonly ThreeDSecure['step'][]; readonly page: ThreeDSecurePage; readonly words: string }
  >
> = {
  method: { steps: ['method'], page: methodPage, words: 'page of the 3DS method' },
  challenge: { steps: ['challenge'], page: challengePage, words: 'page of the bank' },
  pareq: { steps: ['pares'], page: pareqPage, words: 'page of the bank' },
  start: { steps: ['gateway-run', 'done'], page: gatewayRunPage, words: 'page of the bank' },
}

const notFromHere =
  'The page of another site sent this, so it does not count. ' +
  'If the page of the bank stands in a sandboxed frame, give the frame "allow-same-origin".'

export function answerThreeDSecurePage(
  request: GatewayRequest,
  { page, serverTransId }: { readonly page: string; readonly serverTransId: string },
  gateway: GatewayState,
): WrittenAnswer {
  const entry = Object.hasOwn(pages, page) ? pages[page] : undefined
  const found = findThreeDSecureStage(serverTransId, gateway)
  if (entry === undefined || found === undefined) return noSuchPage()
  const { step } = found.threeDSecure
  if (!entry.steps.includes(step)) {
    const where = `This page is for the 3DS step "${entry.steps[0] ?? ''}", and the order is at "${step}".`
    return messagePage(410, 'Another step', `${where} Ask status which step comes next.`, found.order)
  }
  const visit = readVisit(request, found.order, gateway)
  if (visit.kind === 'refused') return visit.answer
  const typed = visit.kind === 'typed' ? visit.typed : undefined
  // The shop's form brings the customer here. The code and the button are of this page alone.
  const isAnswer = typed?.password !== undefined || typed?.cancel !== undefined
  if (visit.kind === 'typed' && !visit.ours && isAnswer) return refusedPage(notFromHere, found.order)
  const answer = entry.page({ ...found, typed, gateway })
  // The form that brings the customer here is posted too.
  const did = typed?.cancel !== undefined ? 'cancelled' : typed?.password === undefined ? 'opened' : 'sent'
  gateway.journal.add(found.order.orderId, { kind: 'page', page: entry.words, did, httpStatus: answer.status })
  return answer
}
