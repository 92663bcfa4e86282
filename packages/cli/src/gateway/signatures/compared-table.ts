import { type ComparedLine, cutAtDifference } from '@tillkit/signing/explain'
import type { ComparedSignature } from '@tillkit/testing'
import { type Html, html } from '@tillkit/testing/gateway'
import { charactersOf, sayDifference, visible } from '../../explain/difference.js'
import { noMistake } from '../../explain/explained.js'

/** Writes what differs first in words, and both sides of a signature line by line, each line that differs marked. */
export function comparedTable(lines: readonly ComparedLine[]): Html {
  const isCompared = lines.some(({ differs }) => differs !== undefined)
  const first = lines.find(({ differs }) => differs)
  const rows = lines.map(line => writeLine(line, { isCompared, isFirst: line === first }))
  const sides = isCompared
    ? html`<th role="columnheader" scope="col">Signed</th><th role="columnheader" scope="col">Expected</th>`
    : html`<th role="columnheader" scope="col">Expected</th>`
  // The roles are those that the elements have: a narrow window shows the cells one below the other, which takes them away.
  return html`${
    first &&
    html`<p class="first-difference">${sayDifference(first)}</p>
`
  }<table class="compared" role="table">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Part</th>${sides}</tr></thead>
<tbody role="rowgroup">
${rows}</tbody></table>
`
}

interface Place {
  readonly isCompared: boolean
  readonly isFirst: boolean
}

function writeLine({ name, ours, theirs, differs = false }: ComparedLine, { isCompared, isFirst }: Place): Html {
  const cut = cutAtDifference(ours ?? '', theirs ?? '')
  const cell = (side: string | undefined, rest: string, label: string) =>
    html`<td role="cell" data-side="${label}">${writeSide(side, differs ? { same: cut.same, rest } : undefined)}</td>`
  const marked = differs
    ? html`<span class="differs"><span aria-hidden="true">≠</span> <span class="said">differs</span></span> `
    : undefined
  const expected = cell(ours, cut.ours, 'Expected')
  const look = [...(differs ? ['wrong'] : []), ...(isFirst ? ['first'] : [])].join(' ')
  const signed = isCompared ? cell(theirs, cut.theirs, 'Signed') : undefined
  const heading = html`<th role="rowheader" scope="row">${marked}<code>${name}</code></th>`
  return html`<tr role="row" class="${look}">${heading}${signed}${expected}</tr>
`
}

function writeSide(text: string | undefined, cut: { readonly same: string; readonly rest: string } | undefined): Html {
  if (text === undefined) return html`<span class="soft">not covered</span>`
  if (cut === undefined) return text === '' ? html`<span class="soft">empty</span>` : html`<code>${text}</code>`
  const [lit = '', ...after] = cut.rest === '' ? [] : charactersOf(cut.rest)
  const mark = html`<mark>${lit === '' ? '⟨end⟩' : visible(lit)}</mark>`
  return html`<code>${cut.same}${mark}${after.join('')}</code>`
}

/** Writes a signature that does not match: the likely mistake, what to do, and both sides. */
export function comparedPart({ lines, mistake, fix }: ComparedSignature): Html {
  const likely =
    mistake === undefined ? noMistake : html`<strong>The likely mistake:</strong> ${mistake.replace(/\.$/, '')}.`
  return html`<p class="problem">${likely}</p>
${fix && html`<p class="fix"><strong>What to do:</strong> ${fix}</p>`}
${comparedTable(lines)}`
}
