import {
  type Answer,
  type AnyRequest,
  checkOrigin,
  endingUnread,
  queryOf,
  type RequestOrigin,
  readWhatIsThere,
  seeOther,
  withoutEndSlash,
} from '@tillkit/express-middleware/core'
import { pageVoice, type TillPages } from '../../pages/options.js'
import { notifiedPage } from '../../pages/three-d-secure.js'
import { browserRejection, findVisitor } from '../visitors.js'
import { createVisits } from '../visits.js'
import { leave, openGateway, showNext } from './steps.js'
import { type BrowserResult, uploadBrowserResult } from './upload.js'
import { standingOf, stepOf, type ThreeDSecureContext, track, type Visit } from './visit.js'

/**
 * Makes what stands between the shop and the customer's bank, for 3DS that the till runs and for 3DS that the gateway runs.
 *
 * One address for each order takes it all: it shows the step that status asks for, and the bank and the gateway send the customer back
 * to it. The till uploads or ignores what a browser brings, and never believes it; status says how the order ended.
 *
 * @returns A function that takes the request and the path below the address of the pages, and gives undefined if there is no such page.
 * It throws a `StateRejectedError` for a state in the path that is not the till's own, and a `TypeError` for a `Request` without
 * `remoteAddress`.
 * @see Interface specification, section 3 (rule 6), section 4 ("3DS uploads"), sections 6 and 8
 */
export function createThreeDSecure(context: ThreeDSecureContext, pages: TillPages) {
  const shared = {
    ...context,
    settle: createVisits(context, (settlement, account) => stepOf(settlement, account) !== undefined),
    uploads: new Map(),
    voice: pageVoice(pages),
  }
  return async (request: AnyRequest, path: string, origin: RequestOrigin = {}): Promise<Answer | undefined> => {
    const [token = '', page = '', ...rest] = withoutEndSlash(path).split('/').slice(1)
    const turn = rest.length > 0 || token === '' ? undefined : turns[`${request.method} ${page}`]
    if (turn === undefined) return undefined
    checkOrigin(request, origin)
    const own = `${context.address}/${token}`
    return turn({
      ...shared,
      ...(await findVisitor({ token, purpose: '3d-secure' }, context)),
      request,
      origin,
      addressOf: below => (below === undefined ? own : `${own}/${below}`),
    })
  }
}

/** Answers a request to one page. */
type Turn = (visit: Visit) => Promise<Answer>

/** The customer is here: on the way to the bank, looking again, or back from it. */
const look: Turn = async visit => {
  // An application may have no query parser: the query is read from the address itself.
  const looks = Number(/(?:^|&)look=(\d{1,3})(?:&|$)/.exec(queryOf(visit.request))?.[1] ?? 0)
  return showNext(visit, await standingOf(visit, visit.isExpired ? 1 : undefined), looks)
}

/**
 * A bank or the gateway sends the customer back, by a POST from another site. Status says which of the two it is,
 * and whether a result is still wanted.
 */
const comeBack: Turn = async visit => {
  const { request, warn } = visit
  const answer = seeOther(visit.addressOf())
  const read = await readWhatIsThere(request)
  const result = read.kind === 'read' ? resultOf(read.parameters) : undefined
  if (result !== undefined) {
    const standing = await standingOf(visit, 1)
    if (standing !== undefined) await uploadBrowserResult(visit, result, standing)
    return answer
  }
  const rejection = browserRejection(read, visit)
  if (rejection !== undefined) warn('WARN_CUSTOMER_REFUSED', rejection)
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
  const id = transactionOf(data)
  await track(visit, ({ progress: { method }, at }) =>
    method !== undefined && method.notifiedAt === undefined && method.id === id
      ? { method: { ...method, notifiedAt: at } }
      : {},
  )
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
  if (visit.isExpired) return leave(visit)
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
