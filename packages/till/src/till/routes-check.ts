import { type Answer, causeText } from '@tillkit/express-middleware/core'
import type { Accounts } from '../payment/accounts.js'
import { basePath, below } from './addresses.js'
import type { AccountCheck, RoutesFinding } from './till.js'

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

/** Asks the till's own address whether its routes are there, in this process or another one. It never throws. */
async function checkRoutes(address: URL): Promise<RoutesFinding> {
  const mount = `Mount the routes there: app.use(${JSON.stringify(basePath(address) || '/')}, till.express()).`
  const found = (verdict: RoutesFinding['verdict'], explanation: string): RoutesFinding => ({
    subject: 'address',
    verdict,
    explanation,
  })
  try {
    const answer = await fetch(below(address, herePage), { redirect: 'manual', signal: AbortSignal.timeout(longest) })
    if (answer.ok && (await answer.text()).trim() === here) return found('ok', 'The routes of a till answer there.')
    const what = `Something else answers at ${address.href}, with HTTP ${answer.status}: the gateway and customers would not find the till.`
    return found('wrong', `${what} ${mount}`)
  } catch (error) {
    const why = causeText(error instanceof Error && error.cause !== undefined ? error.cause : error)
    const what = `Nothing answers this process at ${address.href}: ${why}. Either no server listens there yet, or this machine cannot reach its own public address.`
    return found('cannot-tell', `${what} ${mount}`)
  }
}

/** Checks every account, and whether the till's routes are at its address. @throws What the store throws. */
export async function checkAccounts({ all }: Accounts, address: URL): Promise<readonly AccountCheck[]> {
  const found = await checkRoutes(address)
  const reports: AccountCheck[] = []
  for (const { login, client } of all) {
    const { findings, verdict, text, ...report } = await client.check()
    reports.push({
      ...report,
      login,
      findings: [...findings, found],
      // Where this machine cannot reach its own address, the account is right all the same.
      verdict: found.verdict === 'wrong' ? found.verdict : verdict,
      text: `${text}\n  ${found.subject}  ${found.verdict}  ${found.explanation}`,
    })
  }
  return reports
}
