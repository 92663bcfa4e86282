import { type Answer, causeText } from '@tillkit/express-middleware/core'
import { isLoopbackHost } from '@tillkit/protocol'
import { formsMayLeadTo } from '../pages/form-action.js'
import { codeOf } from '../payment/errors.js'
import { basePath, below } from './addresses.js'
import type { RoutesFinding } from './till.js'

/** The page by which a till knows its own routes. */
export const herePage = 'here'

const here = 'The routes of a till are here.'

/**
 * The gateway and its customers send this by POST, below the till's address. `here` stands where the token would. Customers come from a
 * page of the gateway or of their bank.
 */
const posted = [
  { path: `return/${herePage}`, who: 'Customers who come back', isFromPage: true },
  { path: `3ds/${herePage}`, who: 'Customers who come back from their bank', isFromPage: true },
  { path: `callback?${herePage}`, who: 'The gateway’s callbacks', isFromPage: false },
] as const

/** Whether a request asks whether the till's routes are here. @param query Without its `?`. */
export function asksWhoIsHere(method: string | undefined, path: string, query: string): boolean {
  if (method === 'GET') return path === herePage
  return method === 'POST' && posted.some(each => each.path === path || each.path === `${path}?${query}`)
}

/** The answer to that: it says nothing of the merchant. */
export const hereAnswer: Answer = {
  status: 200,
  headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' },
  body: here,
}

/** Longest time until an answer, in milliseconds. */
const longest = 5_000

/** Most characters that are read of an answer: that of a till has fewer. */
const most = 100

/** An answer of something before the shop: a login, a bot filter, a server that starts. It says nothing of the routes. */
const isInTheWay = (status: number): boolean => [401, 403, 408, 429].includes(status) || status >= 500

/** How a body begins. The rest is not read. */
async function beginningOf({ body }: Response): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  // Leaving the loop cancels the body.
  for await (const part of body ?? []) {
    text += decoder.decode(part.subarray(0, most), { stream: true })
    if (text.length >= most) break
  }
  return text
}

/** Whether an answer is that of a till. */
async function isHere(answer: Response): Promise<boolean> {
  if (answer.ok) return (await beginningOf(answer)).trim() === here
  await answer.body?.cancel()
  return false
}

/** @param more Besides what both questions have. */
const ask = (url: string, more: RequestInit = {}): Promise<Response> =>
  fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(longest), ...more })

/**
 * Asks the till's own address whether its routes are there, in this process or another one: as a browser opens a page, and as the
 * gateway and its customers send forms. It never throws.
 *
 * @param pageOrigins Origins of the pages that customers are sent to.
 */
export async function checkRoutes(address: URL, pageOrigins: readonly string[] = []): Promise<RoutesFinding> {
  const mount = `Mount the routes there: app.use(${JSON.stringify(basePath(address) || '/')}, till.express()).`
  const found = (verdict: RoutesFinding['verdict'], explanation: string): RoutesFinding => ({
    subject: 'address',
    verdict,
    explanation,
  })
  // A name and a password in the address are not for a log.
  const place = `${address.origin}${address.pathname}`
  let status: number | undefined
  try {
    const answer = await ask(below(address, herePage))
    status = answer.status
    if (await isHere(answer)) {
      const [verdict, explanation] = (await checkPosts(address)) ??
        checkPolicy(answer, pageOrigins) ?? ['ok', 'The routes of a till answer there.']
      return found(verdict, explanation)
    }
    if (isInTheWay(status)) {
      const who = 'A login, a filter, or a server that is not up yet may stand before it.'
      return found('cannot-tell', `This process was not let through at ${place}: HTTP ${status}. ${who} ${mount}`)
    }
    const what = `Something else answers at ${place}, with HTTP ${status}: the gateway and customers would not find the till.`
    return found('wrong', `${what} ${mount}`)
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error
    const why = causeText(cause)
    if (status !== undefined)
      return found('cannot-tell', `There was no whole answer at ${place}, with HTTP ${status}: ${why}. ${mount}`)
    const what = `Nothing answers this process at ${place}: ${why}.`
    const elsewhere = 'or this machine cannot reach its own public address.'
    if (codeOf(cause) === 'ECONNREFUSED') {
      const who = isLoopbackHost(address.hostname)
        ? 'No server listens there.'
        : `No server listens there, ${elsewhere}`
      const cure = 'Compare the port of "address" with the port that your shop listens on, and check once it listens.'
      return found('cannot-tell', `${what} ${who} ${cure}`)
    }
    return found('cannot-tell', `${what} Either no server listens there yet, ${elsewhere} ${mount}`)
  }
}

type Found = readonly [verdict: RoutesFinding['verdict'], explanation: string]

/** Whether forms from elsewhere arrive as well. @returns undefined if they do. */
async function checkPosts(address: URL): Promise<Found | undefined> {
  // A made-up origin: every bank of a customer has another one.
  const ofPage = { Origin: 'https://bank.invalid', 'Sec-Fetch-Site': 'cross-site' }
  for (const { path, who, isFromPage } of posted) {
    const url = below(address, path)
    const answer = await ask(url, {
      method: 'POST',
      body: new URLSearchParams({ here: '1' }),
      headers: isFromPage ? ofPage : {},
    })
    if (await isHere(answer)) continue
    const [place] = url.split('?')
    const what = `A GET reaches the till, and a POST to ${place} does not: it was answered with HTTP ${answer.status}.`
    if (answer.status === 408 || answer.status === 429 || answer.status >= 500) {
      return ['cannot-tell', `${what} A server that is not up yet may stand before it, or a limit.`]
    }
    const cure = "mount the till's routes before it, or exempt them from it."
    if (!isFromPage && (answer.status === 401 || answer.status === 403)) {
      const allowed = 'That is right if only addresses of the gateway are let through.'
      return ['cannot-tell', `${what} ${allowed} CSRF protection would refuse the gateway as well: ${cure}`]
    }
    return ['wrong', `${what} ${who} come by POST, and would not arrive. CSRF protection refuses them so: ${cure}`]
  }
  return undefined
}

/** Whether the policy of the shop's answers, if its page with the button has it too, lets customers go on to the gateway. */
function checkPolicy({ headers }: Response, pageOrigins: readonly string[]): Found | undefined {
  const policy = headers.get('content-security-policy') ?? ''
  const stopped = pageOrigins.filter(origin => !formsMayLeadTo(new URL(origin), policy))
  if (stopped.length === 0) return undefined
  const sources = ["'self'", ...stopped].map(each => JSON.stringify(each)).join(', ')
  return [
    'cannot-tell',
    'The routes of a till answer there, ' +
      `with a Content-Security-Policy whose form-action leaves out ${stopped.join(', ')}. If the page with ` +
      `your button has it too, Chrome stops customers on their way there. With helmet: formAction: [${sources}].`,
  ]
}
