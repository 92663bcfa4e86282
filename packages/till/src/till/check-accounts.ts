import type { Accounts } from '../payment/accounts.js'
import { keepLearnt } from '../said/learnt.js'
import { pageOrigins } from './forms.js'
import { checkRoutes } from './here-page.js'
import type { AccountCheck } from './till.js'

/**
 * Checks one account or all of them, and whether the till's routes are at its address, if it has one.
 *
 * @throws {TypeError} for a login that no account has, and what the store throws.
 */
export async function checkAccounts(
  accounts: Accounts,
  address: URL | undefined,
  login?: string,
): Promise<readonly AccountCheck[]> {
  const chosen = login === undefined ? accounts.all : [accounts.choose({ login })]
  const found = address === undefined ? undefined : await checkRoutes(address, pageOrigins(accounts))
  const reports: AccountCheck[] = []
  for (const { login, client } of chosen) {
    const checked = await client.check()
    const { orderNeverSeen } = checked
    if (orderNeverSeen !== undefined) await keepLearnt(orderNeverSeen, login, accounts.engine)
    if (found === undefined) {
      reports.push({ ...checked, login })
      continue
    }
    const { findings, verdict: ofAccount, text, ...report } = checked
    // This machine may be unable to reach its own address: the account is right all the same.
    const verdict = found.verdict === 'wrong' ? found.verdict : ofAccount
    const line = `  ${found.subject.padEnd('controlKey'.length)}  ${found.verdict.padEnd('cannot-tell'.length)}  ${found.explanation}`
    reports.push({
      ...report,
      login,
      findings: [...findings, found],
      verdict,
      text: `${text.replace(/^(.*): [a-z-]+/, `$1: ${verdict}`)}\n${line}`,
    })
  }
  return reports
}
