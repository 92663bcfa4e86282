/**
 * A certification as text for a terminal.
 *
 * @module
 */
import { textTable } from '@tillkit/testing/gateway'
import { type CertifiedCase, type CertifyFinding, type CertifyReport, findingKinds } from './report.js'

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

function resultOf({ findings, applied }: CertifiedCase): string {
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
