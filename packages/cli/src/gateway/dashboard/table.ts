/**
 * Tables and lists of facts.
 *
 * @module
 */
import { type Html, html } from '@tillkit/testing/gateway'

/** A table. */
export interface Table {
  /** What it lists, for those who do not see what is around it. */
  readonly caption: string
  readonly head: readonly string[]
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly Html[])[]
  /** What to say when there are none. */
  readonly empty: string
}

/** Writes a table, or why there is none. It scrolls by itself where the window is narrow. */
export function writeTable({ caption, head, rows, empty }: Table): Html {
  if (rows.length === 0) return html`<p class="empty">${empty}</p>`
  const headings = head.map(title => html`<th scope="col">${title}</th>`)
  const lines = rows.map(([first = html``, ...cells]) => {
    const others = cells.map(cell => html`<td>${cell}</td>`)
    return html`<tr><th scope="row">${first}</th>${others}</tr>\n`
  })
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${headings}</tr></thead>
<tbody>
${lines}</tbody></table></div>`
}

/** A name and what it stands for. Undefined is left out. */
export type Fact = readonly [name: string, value: Html | string | undefined]

/** Writes facts, one a line. */
export function writeFacts(facts: readonly Fact[]): Html {
  const lines = facts.flatMap(([name, value]) =>
    value === undefined ? [] : [html`<dt>${name}</dt><dd>${value}</dd>\n`],
  )
  return html`<dl>
${lines}</dl>`
}

/** Writes names and values as they were sent. */
export const writeNamed = (pairs: readonly (readonly [name: string, value: string])[], caption: string): Html =>
  writeTable({
    caption,
    head: ['Name', 'Value'],
    rows: pairs.map(([name, value]) => [html`<code>${name}</code>`, html`<code>${value}</code>`]),
    empty: 'None.',
  })
