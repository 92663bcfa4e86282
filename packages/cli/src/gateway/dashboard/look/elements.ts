import type { StageView } from '@tillkit/testing'
import { groupDigits, type Html, html } from '@tillkit/testing/gateway'
import type { ControlRouteName } from '../../control/routes.js'
import { dashboardPath } from './layout.js'

type Standing = 'good' | 'bad' | 'wait' | 'gone'

/** `gone`: it went well, for the bank that took the money back. */
const signs: Readonly<Record<Standing, string>> = { good: '✓', bad: '✗', wait: '…', gone: '↩' }

/** Writes a word with a sign and a colour; the word alone says it all. */
export const writeMark = (word: string, standing: Standing): Html =>
  html`<span class="mark ${standing}"><span aria-hidden="true">${signs[standing]}</span> ${word}</span>`

type StageStatus = Pick<StageView, 'stage' | 'status' | 'final'>

/** Writes the status of a stage: final ones are good or bad, the others wait. */
export const writeStatus = ({ stage, status, final }: StageStatus, words = status): Html =>
  writeMark(words, !final ? 'wait' : status !== 'approved' ? 'bad' : stage === 'chargeback' ? 'gone' : 'good')

/** Writes an amount with its thousands apart. @param amount As on the wire, with a point before the fraction. */
export const writeMoney = (amount: string | undefined, currency = ''): Html | undefined =>
  amount === undefined ? undefined : html`<span class="money">${groupDigits(amount)} ${currency}</span>`

/** Writes how a request or a delivery was answered. */
export function writeHttpStatus(status: number | undefined, otherwise = 'no answer'): Html {
  if (status === undefined) return writeMark(otherwise, 'bad')
  return writeMark(`HTTP ${status}`, status < 400 ? 'good' : 'bad')
}

/** Writes a moment in UTC, to the second. @param at In milliseconds since the epoch. */
export function writeMoment(at: number): Html {
  const text = new Date(at).toISOString()
  return html`<time datetime="${text}">${text.slice(0, 19).replace('T', ' ')}</time>`
}

/** Writes a moment that the script says as "12 s ago", on the gateway's clock. @param at In milliseconds since the epoch. */
export function writeAgo(at: number): Html {
  const iso = new Date(at).toISOString()
  const text = iso.slice(0, 19).replace('T', ' ')
  return html`<time datetime="${iso}" title="${text} UTC" data-ago>${text}</time>`
}

interface Column {
  readonly title: string
  /** `end`: numbers, their digits under each other. `fit`: as wide as what is in it. `long`: a text that needs a line. */
  readonly look?: 'end' | 'fit' | 'long'
  /** Whether it is left out where the window is narrow. */
  readonly wide?: boolean
}

interface Table {
  /** What it lists, for those who do not see what is around it. */
  readonly caption: string
  readonly head: readonly (string | Column)[]
  /** Its rows come as things happen: they wait while somebody reads. */
  readonly grows?: true
  /** The first cell of a row names it. An undefined one is empty. */
  readonly rows: readonly (readonly (Html | string | undefined)[])[]
  readonly empty: string
}

/** Writes a table, or why there is none. It scrolls by itself where the window is narrow. */
export function writeTable({ caption, head, grows, rows, empty }: Table): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  const columns = head.map(each => (typeof each === 'string' ? { title: each } : each))
  const classes = columns.map(({ look, wide }) => {
    const names = [look, wide && 'wide'].filter(Boolean).join(' ')
    return names === '' ? undefined : html` class="${names}"`
  })
  const headings = columns.map(
    ({ title }, index) => html`<th role="columnheader" scope="col"${classes[index]}>${title}</th>`,
  )
  // The roles are those that the elements have: a narrow window shows the cells of a row as a block, which takes them away.
  const lines = rows.map(([first, ...cells]) => {
    const others = cells.map((cell, place) => html`<td role="cell"${classes[place + 1]}>${cell}</td>`)
    return html`<tr role="row"><th role="rowheader" scope="row">${first}</th>${others}</tr>\n`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}, table">
<table role="table"${grows && html` data-rows="${caption}"`}>
<thead role="rowgroup"><tr role="row">${headings}</tr></thead>
<tbody role="rowgroup">
${lines}</tbody></table></div>`
}

/** Writes facts, one a line; those that are undefined are left out. */
export function writeFacts(facts: readonly (readonly [name: string, value: Html | string | undefined])[]): Html {
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`],
  )
  return html`<dl>
${lines}</dl>`
}

/** Writes names and values as they were sent. */
export const writeNamed = (pairs: readonly (readonly [name: string, value: string])[], caption: string): Html =>
  writeTable({
    caption,
    head: [{ title: 'Name', look: 'fit' }, 'Value'],
    rows: pairs.map(([name, value]) => [html`<code>${name}</code>`, html`<code>${value}</code>`]),
    empty: 'None.',
  })

interface FormLook {
  /** What is sent besides what is typed. `page`: the page to come back to, below {@link dashboardPath}. */
  readonly sends?: Readonly<Record<string, string>>
  readonly look?: 'stack' | 'line' | 'line steps'
}

/** Writes a form that sends a route of the control API what is in its inputs. */
export function writeControlForm(
  route: ControlRouteName,
  content: Html,
  { sends = { page: '' }, look = 'line' }: FormLook = {},
): Html {
  const hidden = Object.entries(sends).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form class="${look}" method="post" action="${dashboardPath}do/${route}">${hidden}${content}</form>
`
}

interface InputLook {
  /** Default: its name. */
  readonly id?: string
  readonly hint: string
  readonly inputMode?: 'text' | 'numeric' | 'decimal'
}

export const writeInput = (name: string, label: string, { id = name, hint, inputMode = 'text' }: InputLook): Html =>
  html`<div><label for="${id}">${label}</label><input id="${id}" name="${name}"
placeholder="${hint}" autocomplete="off" inputmode="${inputMode}"></div>`

/** Writes a list to choose from. The option `any` is an empty text. */
export function writeSelect(name: string, label: string, options: readonly string[], id = name): Html {
  const choices = options.map(each => html`<option value="${each === 'any' ? '' : each}">${each}</option>`)
  return html`<div><label for="${id}">${label}</label><select id="${id}" name="${name}">${choices}</select></div>`
}

/** Writes a section under a heading. */
export const writeSection = (id: string, heading: string, content: Html): Html =>
  html`<section aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>
${content}</section>`

/** Writes what the script keeps up to date. */
export const writeLive = (id: string, content: Html | undefined): Html =>
  html`<div id="${id}" data-live>${content}</div>`
