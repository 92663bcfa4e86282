import type { Accounts } from '../payment/accounts.js'
import { keepLearnt } from '../said/learnt.js'
import type { DocumentStore } from '../store/store.js'
import { pageOrigins } from './forms.js'
import { checkRoutes } from './here-page.js'
import { checkRisks } from './store-check.js'
import type { AccountCheck, RoutesFinding, StoreFinding } from './till.js'

/** The parts that are checked besides the accounts. */
interface Checked {
  /** Undefined: the till has none. */
  readonly address: URL | undefined
  readonly store: DocumentStore
  /** Default: all accounts. */
  readonly login: string | undefined
}

/**
 * Checks one account or all of them, whether the till's routes are at its address, if it has one, and whether its store may lose something.
 *
 * @throws {TypeError} for a login that no account has, and what the store throws.
 */
export async function checkAccounts(
  accounts: Accounts,
  { address, store, login }: Checked,
): Promise<readonly AccountCheck[]> {
  const chosen = login === undefined ? accounts.all : [accounts.choose({ login })]
  const routes = address === undefined ? undefined : await checkRoutes(address, pageOrigins(accounts))
  const shared = [routes, await checkRisks(store, accounts.all[0].runs.clocks.system)].filter(
    each => each !== undefined,
  )
  const lines = shared.map(lineOf).join('')
  const reports: AccountCheck[] = []
  for (const { login, client } of chosen) {
    const checked = await client.check()
    const { orderNeverSeen } = checked
    if (orderNeverSeen !== undefined) await keepLearnt(orderNeverSeen, login, accounts.engine)
    const { findings, verdict: ofAccount, text, ...report } = checked
    // This machine may be unable to reach its own address: the account is right all the same.
    const verdict = shared.some(each => each.verdict === 'wrong') ? 'wrong' : ofAccount
    reports.push({
      ...report,
      login,
      findings: [...findings, ...shared],
      verdict,
      text: `${text.replace(/^(.*): [a-z-]+/, `$1: ${verdict}`)}${lines}`,
    })
  }
  return reports
}

const lineOf = ({ subject, verdict, explanation }: RoutesFinding | StoreFinding): string =>
  `\n  ${subject.padEnd('controlKey'.length)}  ${verdict.padEnd('cannot-tell'.length)}  ${explanation}`
