import { notify } from '@tillkit/protocol'
import { StateRejectedError } from '../config/errors.js'
import { browserRejection } from '../customer-return/visit.js'
import { merchantAddress, returnAddress, withPathSegment } from '../http/addresses.js'
import { type Answer, endingUnread, seeOther } from '../http/answer.js'
import { queryOf, readWhatIsThere, withoutEndSlash } from '../http/parameters.js'
import { findState, issueState } from '../state/state.js'
import type { ThreeDSecureVisitOptions } from './options.js'
import { checkOrigin, type RequestOrigin } from './pages/customer-browser.js'
import { notifiedPage } from './pages/pages.js'
import { leave, openGateway, showNext } from './steps.js'
import { type BrowserResult, uploadBrowserResult } from './upload.js'
import { noteProgress, progressOf, standingOf, type Visit, type VisitRequest, visitsOf } from './visit.js'

/**
 * Makes what stands between the shop and the customer's bank, for 3DS that the merchant runs and for 3DS that the gateway runs.
 *
 * One address for each order takes it all: it shows the step that status asks for, and the bank and the gateway send the
 * customer back to it. What a browser brings is uploaded or ignored, never believed; status says how the order ended.
 *
 * @see Interface specification, section 3 (rule 6), section 4 ("3DS uploads"), sections 6 and 8
 */
export function threeDSecureReceiver<Transaction>(given: ThreeDSecureVisitOptions<VisitRequest, Transaction>) {
  const visits = visitsOf(given)
  const { options, profile, addresses, clock } = visits
  const { address, stateLifetime = 86_400 } = options
  const kept = { store: given.store, payments: given.client.payments }
  const mountedAt = () => merchantAddress('address', typeof address === 'function' ? address() : address, addresses)

  return {
    /**
     * Answers a request to the pages.
     *
     * @param path Path below the address of the pages.
     * @param origin Where the customer comes from, which a `Request` of the Web does not say.
     * @returns undefined where there is no such page.
     * @throws {@link StateRejectedError} when the state in the path is forged; {@link TypeError} for a `Request` without
     * `remoteAddress`; and what the merchant's functions throw.
     */
    async answer(request: VisitRequest, path: string, origin: RequestOrigin = {}): Promise<Answer | undefined> {
      const [token = '', page = '', ...rest] = withoutEndSlash(path).split('/').slice(1)
      const turn = rest.length > 0 || token === '' ? undefined : turns[`${request.method} ${page}`]
      if (turn === undefined) return undefined
      checkOrigin(request, origin)
      const state = await findState({ token, purpose: '3d-secure', now: clock() }, { ...options, ...kept })
      if (state.kind === 'refused') {
        notify(() => options.onRejected?.(state, request))
        throw new StateRejectedError()
      }
      const own = withPathSegment(mountedAt(), token)
      return turn({
        ...visits,
        request,
        origin,
        clientOrderId: state.clientOrderId,
        isExpired: state.kind === 'expired',
        addressOf: below => (below === undefined ? own : withPathSegment(own, below)).href,
      })
    },
    /** Address of an order's 3DS. @throws {TypeError} when it is longer than the gateway takes. */
    async addressOf(clientOrderId: string): Promise<string> {
      const subject = { clientOrderId, purpose: '3d-secure', lifetime: stateLifetime, now: clock() } as const
      return returnAddress(mountedAt(), {
        state: await issueState(subject, { ...options, ...kept }),
        profile,
        operation: 'sale',
      })
    },
  }
}

/** Answers a request to one page. */
type Turn = (visit: Visit) => Promise<Answer>

/** The customer is here: on the way to the bank, looking again, or back from it. */
const look: Turn = async visit => {
  // Not from `request.query`: an application may have no query parser, and would never get past the first look.
  const looks = Number(/(?:^|&)look=(\d{1,3})(?:&|$)/.exec(queryOf(visit.request))?.[1] ?? 0)
  return showNext(visit, await standingOf(visit, visit.isExpired ? 1 : visit.polling.attempts), looks)
}

/**
 * A bank or the gateway sends the customer back, by a POST from another site. Which of the two it is, and whether a result is
 * still wanted, status says.
 */
const comeBack: Turn = async visit => {
  const { clientOrderId, request, options } = visit
  const answer = seeOther(visit.addressOf())
  const read = await readWhatIsThere(request)
  const result = read.kind === 'read' ? resultOf(read.parameters) : undefined
  if (result !== undefined) {
    const standing = await standingOf(visit, 1)
    if (standing !== undefined) await uploadBrowserResult(visit, result, standing)
    return answer
  }
  const rejection = browserRejection(read, clientOrderId, options)
  if (rejection !== undefined) notify(() => options.onRejected?.(rejection, request))
  return endingUnread(answer, { rejection, request })
}

/** Names as banks write them, in upper or lower case. */
function resultOf(parameters: readonly (readonly [string, string])[]): BrowserResult | undefined {
  const values = new Map(parameters.map(([name, value]) => [name.toLowerCase(), value]))
  const [cres, paRes, md] = ['cres', 'pares', 'md'].map(name => values.get(name))
  if (cres !== undefined) return { kind: 'challenge', content: cres, md: undefined }
  return paRes === undefined ? undefined : { kind: 'pares', content: paRes, md }
}

/** The bank notifies us, from the hidden frame, that its 3DS method is done. */
const takeNotice: Turn = async visit => {
  const read = await readWhatIsThere(visit.request)
  const data = read.kind === 'read' ? read.parameters.find(([name]) => name === 'threeDSMethodData')?.[1] : undefined
  const { method } = (await progressOf(visit)).progress
  if (method !== undefined && method.notifiedAt === undefined && transactionOf(data) === method.id) {
    await noteProgress(visit, at => ({ method: { ...method, notifiedAt: at } }))
  }
  return notifiedPage(visit.voice)
}

function transactionOf(data: string | undefined): string | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(data ?? '', 'base64url').toString('utf8'))
    return String((read as { readonly threeDSServerTransID?: unknown }).threeDSServerTransID)
  } catch {
    return undefined
  }
}

/** The 3DS method is done or its time is over. The page brought what its script knows of the browser. */
const finishMethod: Turn = async visit => {
  const read = await readWhatIsThere(visit.request)
  const body = read.kind === 'read' ? Object.fromEntries(read.parameters) : undefined
  return showNext({ ...visit, origin: { ...visit.origin, body } }, await standingOf(visit, 1), 0)
}

/** The customer asks for the gateway's page again. */
const again: Turn = async visit => {
  if (visit.isExpired) return leave(visit, 'checking')
  const step = (await standingOf(visit, 1))?.step
  return step?.kind === 'gateway-run' ? openGateway(visit, step) : seeOther(visit.addressOf())
}

const turns: Readonly<Partial<Record<string, Turn>>> = Object.assign(Object.create(null), {
  'GET ': look,
  'POST ': comeBack,
  'POST notify': takeNotice,
  'POST method': finishMethod,
  'GET again': again,
})
