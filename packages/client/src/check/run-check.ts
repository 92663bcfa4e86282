import { checkedLater, checkOptions, type OptionTable } from '@tillkit/protocol'
import { generateKeyPair, importPrivateKey } from '@tillkit/signing'
import { lazy } from '../config/lazy.js'
import { settingsOf } from '../config/merchant.js'
import type { Merchant } from '../config/options.js'
import type { Settings } from '../config/settings.js'
import { addressWrong } from './address-finding.js'
import { type AskedProbe, type AskInput, ask } from './ask.js'
import { type Evidence, judge, neverSeenIn, type SchemeEvidence } from './judge.js'
import type { CheckFinding, CheckOptions, CheckProbe, CheckReport, ProbeVariant } from './types.js'

type Scheme = CheckProbe['scheme']
type Asking = (scheme: Scheme, sent: ProbeVariant) => Promise<AskedProbe>

/** A key that no gateway knows. Making one takes long, so a process makes one at its first check of a private key. */
const wrongKey = lazy(() => importPrivateKey(generateKeyPair().privateKey))

/** Checks address, clock, endpoint, login and keys with at most twenty-four questions, one after the other. */
export async function runCheck(
  options: CheckOptions,
  { settings: ours, connections }: Omit<AskInput, 'options' | 'wrongKey'>,
): Promise<CheckReport> {
  checkOptions('check()', options, checkTable)
  const { timeout, signal, merchant } = options
  const settings = merchant === undefined ? ours : ofMerchant(merchant, ours)
  const input: AskInput = {
    settings,
    connections,
    wrongKey,
    options: { ...(timeout === undefined ? {} : { timeout }), ...(signal === undefined ? {} : { signal }) },
  }
  const probes: AskedProbe[] = []
  const asking: Asking = async (scheme, sent) => {
    const probe = await ask(scheme, sent, input)
    probes.push(probe)
    return probe
  }
  const evidence = await gather(schemesOf(options, settings), asking)
  const findings = judge(evidence, settings)
  const verdict = overall(findings)
  const orderNeverSeen = neverSeenIn(evidence)
  const width = Math.max(...findings.map(({ subject }) => subject.length))
  const lines = findings.map(
    each => `  ${each.subject.padEnd(width)}  ${each.verdict.padEnd('cannot-tell'.length)}  ${each.explanation}`,
  )
  const text = [`Check of ${settings.baseUrl.address}: ${verdict}`, ...lines].join('\n')
  const learnt = orderNeverSeen === undefined ? {} : { orderNeverSeen }
  return { verdict, findings, probes: probes.map(shown), ...learnt, text }
}

/** Options of a call are checked with the first question. */
const checkTable: OptionTable<CheckOptions> = {
  timeout: checkedLater,
  signal: checkedLater,
  schemes: checkedLater,
  merchant: checkedLater,
}

function ofMerchant(merchant: Merchant, ours: Settings): Settings {
  const { settings, lacksEndpoint } = settingsOf(merchant, ours)
  if (!lacksEndpoint) return settings
  throw new TypeError('"merchant" names no endpoint, and the client’s belongs to another login. Give it "endpointId".')
}

/** Asks only what the answers so far leave open. */
async function gather(schemes: readonly Scheme[], asking: Asking): Promise<Evidence> {
  const answers: SchemeEvidence[] = []
  let endpoint: Evidence['endpoint']
  for (const scheme of schemes) {
    const first = await asking(scheme, 'as-configured')
    if (answers.length === 0) {
      const address = addressWrong(first)
      if (address !== undefined) return { address, answers: [] }
    }
    // Ours, theirs, theirs, ours: a gateway that answers one and the same question differently, or otherwise from some
    // question on, proves nothing by a difference.
    const firstWrong = await asking(scheme, 'wrong-key')
    const wrongKey = steady(firstWrong, await asking(scheme, 'wrong-key'))
    const ours = steady(first, await asking(scheme, 'as-configured'))
    const asked = async (sent: ProbeVariant): Promise<AskedProbe> => {
      const other = steady(await asking(scheme, sent), await asking(scheme, sent))
      const { isSteady } = steady(first, await asking(scheme, 'as-configured'))
      return { ...other, isSteady: other.isSteady && isSteady }
    }
    const isRefused = ours.answer === 'authentication-refused'
    const isOpen = isRefused || ours.comparable === wrongKey.comparable
    const unknownLogin = isOpen ? await asked('unknown-login') : undefined
    answers.push({ scheme, ours, wrongKey, unknownLogin })
    if (!isRefused) endpoint ??= { ours, unknown: await asked('unknown-endpoint') }
  }
  return { answers, endpoint }
}

/** Two answers to one question as one: what they differ in says nothing. */
function steady(first: AskedProbe, second: AskedProbe): AskedProbe & { readonly isSteady: boolean } {
  return { ...first, isSteady: isSaid(first) && isSaid(second) && first.comparable === second.comparable }
}

/** An answer to too many questions says nothing about keys. */
const isSaid = ({ httpStatus, errorMessage = '' }: AskedProbe): boolean =>
  httpStatus !== 429 && !/too many|rate.?limit|throttl/i.test(errorMessage)

const allSchemes: readonly Scheme[] = ['control', 'oauth-hmac-sha1', 'oauth-rsa-sha256']

function schemesOf({ schemes = allSchemes }: CheckOptions, { controlKey, privateKey }: Settings): readonly Scheme[] {
  if (schemes.some(each => !allSchemes.includes(each))) {
    throw new TypeError(`"schemes" of check() may hold ${allSchemes.join(', ')} and nothing else.`)
  }
  return allSchemes.filter(
    each => schemes.includes(each) && (each === 'oauth-rsa-sha256' ? privateKey : controlKey) !== undefined,
  )
}

const shown = ({ comparable: _comparable, isSteady: _isSteady, error: _error, ...probe }: AskedProbe): CheckProbe =>
  probe

function overall(findings: readonly CheckFinding[]): CheckReport['verdict'] {
  if (findings.some(({ verdict }) => verdict === 'wrong')) return 'wrong'
  const needed = findings.filter(({ subject, verdict }) => {
    if (subject === 'baseUrl' || subject === 'login') return true
    return (subject === 'controlKey' || subject === 'privateKey') && verdict !== 'not-checked'
  })
  return needed.every(({ verdict }) => verdict === 'ok') ? 'ok' : 'cannot-tell'
}
