import { maskCardNumbers } from '@tillkit/protocol'
import { controlItems } from '@tillkit/signing'
import { type Html, html } from '@tillkit/testing/gateway'
import type { Explained } from '../../explain/explained.js'
import { comparedTable } from './compared-table.js'
import { writeCopyable } from './copyable.js'

const looks = { right: 'notice', wrong: 'problem', unjudged: 'unjudged' } as const
const words = { right: '✓ Right.', wrong: '✗ Wrong.', unjudged: '? Not judged.' } as const

/** Writes what was found out about something that was pasted. */
export function explainedPart(explained: Explained): Html {
  if (explained.kind === 'unclear') {
    return html`<section aria-labelledby="result"><h2 id="result">Not explained</h2>
<p class="problem" role="alert">${explained.text}</p></section>`
  }
  const { about, verdict, says, fix, lines, covered } = explained
  return html`<section aria-labelledby="result"><h2 id="result">${about}</h2>
<p class="${looks[verdict]}" role="status"><strong>${words[verdict]}</strong> ${says}</p>
${fix && html`<p class="fix"><strong>What to do:</strong> ${fix}</p>`}
${comparedTable(lines)}
${writeCopyable('covered', 'What is covered when it is right', covered)}</section>`
}

const items = [...new Set(Object.values(controlItems).flat())]

/** Labels of the items whose form is not plain from their name. */
const labels: Readonly<Record<string, string>> = { amount: 'amount, in minor units (10.42 EUR is 1042)' }

/** What was typed, by the names of inputs. */
export type Typed = Readonly<Record<string, string | undefined>>

/**
 * What of the form is written into it again: a control value and what it covers, to try with another value. Nothing else is,
 * since a request may have a card number and a key in it, and no card number, wherever it was typed.
 */
export const typedAgain = (typed: Typed): Typed =>
  /^\s*[0-9a-f]{40}\s*$/i.test(typed.text ?? '')
    ? Object.fromEntries(
        Object.entries(typed).filter(
          ([name, value = '']) => /^(text|operation|item-.*)$/.test(name) && maskCardNumbers(value) === value,
        ),
      )
    : {}

/** Writes the form that something is pasted into. */
export function pasteForm(action: string, typed: Typed = {}): Html {
  const inputs = items.map(
    item =>
      html`<div><label for="item-${item}">${labels[item] ?? item}</label><input id="item-${item}"
name="item-${item}" value="${typed[`item-${item}`] ?? ''}" autocomplete="off"></div>
`,
  )
  const operations = Object.keys(controlItems).map(
    name => html`<option${name === typed.operation ? html` selected` : undefined}>${name}</option>`,
  )
  return html`<form class="stack narrow" method="post" action="${action}">
<div><label for="text">A curl command, a base string or a control value</label>
<textarea id="text" name="text" rows="7" required spellcheck="false" autocomplete="off">${typed.text ?? ''}</textarea></div>
<div><label for="theirs">Base string or signature of the other side, if you have one</label>
<textarea id="theirs" name="theirs" rows="2" spellcheck="false" autocomplete="off"></textarea></div>
<div><label for="controlKey">Control key, where it is not the one of this gateway</label>
<input id="controlKey" name="controlKey" type="password" autocomplete="off"></div>
<div><label for="publicKey">Public key (PEM) for RSA-SHA256, where it is not the one that this gateway knows</label>
<textarea id="publicKey" name="publicKey" rows="3" spellcheck="false" autocomplete="off"></textarea></div>
<details${typed.text === undefined ? undefined : html` open`}>
<summary>For a control value alone: its operation, and what it covers</summary>
<div class="stack"><div><label for="operation">Operation</label><select id="operation" name="operation">
<option value="">none</option>${operations}</select></div>
${inputs}</div></details>
<div><button>Explain</button></div>
<p class="soft">What you type is read by this gateway and kept nowhere: not in its log, not in an address.
Keys and card data are on no page.</p>
</form>`
}
