/**
 * What each request to the pages of 3DS does, by its method and page.
 *
 * @module
 */
import { notify } from '@tillkit/protocol'
import { browserRejection } from '../customer-return/visit.js'
import { endUnreadBody, seeOther } from '../http/answer.js'
import { readWhatIsThere } from '../http/parameters.js'
import { sendNotifiedPage } from './pages/pages.js'
import { leave, openGateway, showNext } from './show-step.js'
import { type BrowserResult, uploadBrowserResult } from './upload.js'
import { progressOf, standingOf, type Visit } from './visit.js'

/** Answers a request. */
export type Turn = (visit: Visit) => Promise<void>

/** The customer is here: on the way to the bank, looking again, or back from it. */
const look: Turn = async visit => {
  // Not from `request.query`: an application may have no query parser, and would wait for ever.
  const looks = Number(/[?&]look=(\d{1,3})(?:&|$)/.exec(visit.request.originalUrl)?.[1] ?? 0)
  const questions = visit.isExpired ? 1 : visit.polling.attempts
  await showNext(visit, await standingOf(visit, questions), looks)
}

/**
 * A bank or the gateway sends the customer back, by a POST from another site. Which of the two it is, and whether a result is
 * still wanted, status says.
 */
const comeBack: Turn = async visit => {
  const { clientOrderId, request, response, options } = visit
  const read = await readWhatIsThere(request)
  const result = read.read ? resultOf(read.parameters) : undefined
  if (result === undefined) {
    const rejection = browserRejection(read, { clientOrderId, options })
    if (rejection !== undefined) {
      endUnreadBody(response, rejection)
      notify(() => options.onRejected?.(rejection, request))
    }
  } else {
    const standing = await standingOf(visit, 1)
    if (standing !== undefined) await uploadBrowserResult(visit, result, standing)
  }
  seeOther(response, visit.addressOf())
}

/** Names as banks write them, in whatever case. */
function resultOf(parameters: readonly (readonly [string, string])[]): BrowserResult | undefined {
  const values = new Map(parameters.map(([name, value]) => [name.toLowerCase(), value]))
  const [cres, paRes, md] = ['cres', 'pares', 'md'].map(name => values.get(name))
  if (cres !== undefined) return { kind: 'challenge', cres }
  return paRes === undefined ? undefined : { kind: 'pares', paRes, md }
}

/** The bank notifies us, from the hidden frame, that its 3DS method is done. */
const takeNotice: Turn = async visit => {
  const read = await readWhatIsThere(visit.request)
  const data = read.read ? read.parameters.find(([name]) => name === 'threeDSMethodData')?.[1] : undefined
  const current = await progressOf(visit)
  const { method } = current
  if (method !== undefined && method.notifiedAt === undefined && transactionOf(data) === method.id) {
    const notified = { ...method, notifiedAt: visit.clock() }
    await visit.progress.save(visit.clientOrderId, { ...current, method: notified })
  }
  sendNotifiedPage(visit.response, visit.voice)
}

/** The 3DS method is done or its time is over. The page brought what its script knows of the browser. */
const finishMethod: Turn = async visit => {
  // Left in `request.body`, where the browser's fields are looked for.
  await readWhatIsThere(visit.request)
  await showNext(visit, await standingOf(visit, 1), 0)
}

/** The customer asks for the gateway's page again. */
const again: Turn = async visit => {
  const step = visit.isExpired ? undefined : (await standingOf(visit, 1))?.step
  if (step?.kind === 'gateway-run') return openGateway(visit, step)
  if (visit.isExpired) return leave(visit, 'checking')
  seeOther(visit.response, visit.addressOf())
}

/** Turns, by method and page. */
export const turns: Readonly<Partial<Record<string, Turn>>> = Object.assign(Object.create(null), {
  'GET ': look,
  'POST ': comeBack,
  'POST notify': takeNotice,
  'POST method': finishMethod,
  'GET again': again,
})

function transactionOf(data: string | undefined): string | undefined {
  try {
    const read: unknown = JSON.parse(Buffer.from(data ?? '', 'base64url').toString('utf8'))
    return String((read as { readonly threeDSServerTransID?: unknown }).threeDSServerTransID)
  } catch {
    return undefined
  }
}
