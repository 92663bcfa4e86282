import type { FinalOutcome } from '@tillkit/protocol'
import type { FaultName, OrderView } from '@tillkit/testing'
import { textTable } from '@tillkit/testing/gateway'

/** What can be wrong. The first five are about money, the last two about a merchant that does not get that far. */
export const findingKinds = {
  'charged-twice': 'The customer was charged more than once for one purchase.',
  'paid-without-money': 'The merchant calls an order paid for which the gateway has no money.',
  'money-without-paid': 'The gateway has the money, and the merchant says that the order is not paid.',
  'left-unknown': 'Status says how it ended, or that there is no such order, and the merchant never finds out.',
  'lost-callback': 'A callback was not taken, or was answered with 200 and forgotten.',
  hung: 'The merchant did not answer.',
  failed: 'The merchant failed where nothing was wrong, or crashed.',
} as const

/** Kind of a finding. */
export type FindingKind = keyof typeof findingKinds

/** Something that is wrong. */
export interface CertifyFinding {
  readonly kind: FindingKind
  /** Name of the case; the option `only` runs it again. */
  readonly case: string
  /** The seed of the gateway. */
  readonly seed: string
  /** What is wrong, with what the merchant said and what the gateway has. */
  readonly explanation: string
  /** Requests, replies and callbacks as the gateway saw them, one line each, redacted. */
  readonly history: readonly string[]
  /** What to do about it. */
  readonly advice: string
}

/** A case that was run. */
export interface CertifiedCase {
  readonly name: string
  /** What the acquirer decides in it. */
  readonly outcome: FinalOutcome | 'unknown'
  readonly faults: readonly FaultName[]
  /** Whether its faults struck, and its forgeries found an address. A case that did not apply proves nothing. */
  readonly applied: boolean
  /** What the merchant said in the end, order by order. */
  readonly answers: Readonly<Record<string, string>>
  /** Orders of the case, as the gateway has them. */
  readonly orders: readonly OrderView[]
  readonly findings: readonly CertifyFinding[]
}

/** The result of a certification. */
export interface CertifyReport {
  /** Whether nothing was found. */
  readonly passed: boolean
  readonly seed: string
  readonly cases: readonly CertifiedCase[]
  readonly findings: readonly CertifyFinding[]
  /** Why the rest was not run. */
  readonly stopped?: string
}

/** What to do about a finding. */
export const advice: { readonly [Kind in FindingKind]: string } = {
  'charged-twice':
    'Never send a payment again after a timeout, a broken connection, HTTP 5xx or an answer that cannot be read: it may have ' +
    'arrived, and the same client_orderid can make a second order. ' +
    'Ask status by it, and tell the customer "we are checking", not "it failed".',
  'paid-without-money':
    'Call an order paid only when a status reply says approved, for both ids and over the right amount. The answer to a payment ' +
    'request only says that it was accepted; a callback or a browser is a reason to ask. ' +
    'If a final word is taken back, hand the order to a person.',
  'money-without-paid':
    'An error is not a "no". While you do not know, keep the order open and ask status by client_orderid until the word is ' +
    'final, also after "order not found": a request may take effect late.',
  'left-unknown':
    'Ask on: from a job of your own, not only when a callback comes or a customer looks. Status takes client_orderid alone ' +
    'when the orderid never came. Words you do not know are not final. If status says twice, a minute apart and ' +
    'after a quarter of an hour without a request, that there is no such order, say "not paid"; else hand it to a person.',
  'lost-callback':
    'Answer 200 only when what the callback told you is stored, or acted upon. Otherwise answer 503: the gateway repeats it 30 times ' +
    'in 14 days. A callback about an order that is closed may be a correction: ask status then as well.',
  hung: 'Give every request to the gateway a deadline, and answer the customer when it is over: the order stays open.',
  failed:
    'Catch what your gateway calls throw. Reject (or answer HTTP 400 and above) only where the payment is known to have failed.',
}

/**
 * Writes a report: a table of the cases, then of each kind of finding one with what happened, and what to do.
 *
 * @param again How a finding is run again, in words. Default: by a call of `certify`.
 */
export function describeCertification(
  { cases, findings, seed, stopped }: CertifyReport,
  { again = callAgain }: { readonly again?: (finding: CertifyFinding) => string } = {},
): string {
  const silent = cases.filter(each => resultOf(each) === doesNotApply).length
  const summary = [
    `${count(findings.length, 'finding')} in ${count(cases.length, 'case')} (seed "${seed}").`,
    ...(silent === 0 ? [] : [`${count(silent, 'case')} did not apply to this merchant.`]),
    ...(stopped === undefined ? [] : [stopped]),
  ].join(' ')
  const rows = cases.map(each => [
    each.name,
    [...new Set(Object.values(each.answers))].join(', ') || '-',
    resultOf(each),
  ])
  const kinds = [...new Set(findings.map(({ kind }) => kind))]
  const parts = kinds.map(kind =>
    describeKind(
      findings.filter(finding => finding.kind === kind),
      again,
    ),
  )
  return [summary, textTable(['case', 'merchant says', 'result'], rows), ...parts].join('\n\n')
}

const doesNotApply = 'did not apply'

/** The result of a case in a word or two: `ok`, or the kinds of its findings. */
export function resultOf({ findings, applied }: CertifiedCase): string {
  if (findings.length > 0) return findings.map(({ kind }) => kind).join(', ')
  return applied ? 'ok' : doesNotApply
}

const callAgain = ({ seed, case: name }: CertifyFinding): string =>
  `certify(merchant, { seed: ${JSON.stringify(seed)}, only: [${JSON.stringify(name)}] })`

function describeKind(
  [finding, ...others]: readonly CertifyFinding[],
  again: (finding: CertifyFinding) => string,
): string {
  if (finding === undefined) return ''
  return [
    `${finding.kind.toUpperCase().replaceAll('-', ' ')}. ${findingKinds[finding.kind]}`,
    `  Case           ${finding.case}`,
    `  Found          ${finding.explanation}`,
    ...(finding.history.length === 0 ? ['no request and no callback'] : finding.history).map(
      (line, index) => `  ${(index === 0 ? 'In the gateway' : '').padEnd(14)} ${line}`,
    ),
    `  What to do     ${finding.advice}`,
    `  Again          ${again(finding)}`,
    ...(others.length === 0 ? [] : [`  Also in        ${others.map(other => other.case).join('; ')}`]),
  ].join('\n')
}

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`
