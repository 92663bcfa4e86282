import { type Answer, causeText } from '@tillkit/express-middleware/core'
import { isLoopbackHost } from '@tillkit/protocol'
import { codeOf } from '../payment/errors.js'
import { basePath, below } from './addresses.js'
import type { RoutesFinding } from './till.js'

/** The page by which a till knows its own routes. */
export const herePage = 'here'

const here = 'The routes of a till are here.'

/** The answer of that page: it says nothing of the merchant. */
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
  // Whoever leaves the loop cancels the body.
  for await (const part of body ?? []) {
    text += decoder.decode(part.subarray(0, most), { stream: true })
    if (text.length >= most) break
  }
  return text
}

/** Asks the till's own address whether its routes are there, in this process or another one. It never throws. */
export async function checkRoutes(address: URL): Promise<RoutesFinding> {
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
    const answer = await fetch(below(address, herePage), { redirect: 'manual', signal: AbortSignal.timeout(longest) })
    status = answer.status
    if (answer.ok && (await beginningOf(answer)).trim() === here)
      return found('ok', 'The routes of a till answer there.')
    if (!answer.ok) await answer.body?.cancel()
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
