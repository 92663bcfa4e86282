import type { ComparedSignature } from '@tillkit/testing'
import { type Html, html } from '@tillkit/testing/gateway'
import { noMistake } from '../../explain/explained.js'
import type { SignatureView } from '../inspection/signatures.js'
import { comparedTable } from './compared-table.js'

/** Writes a signature that does not match: the likely mistake, what to do, and both sides. */
export function comparedPart({ lines, mistake, fix }: ComparedSignature): Html {
  return html`${mistake === undefined ? html`<p class="problem">${noMistake}</p>` : html`<p class="problem"><strong>The likely mistake:</strong> ${mistake.replace(/\.$/, '')}.</p>`}
${fix && html`<p class="fix"><strong>What to do:</strong> ${fix}</p>`}
${comparedTable(lines)}`
}

/** Writes a form for what the shop signed, where no mistake explains its signature. */
export const compareForm = (call: number, scheme: SignatureView['scheme'], action: string): Html =>
  html`<form class="stack" method="post" action="${action}"><input type="hidden" name="call" value="${String(call)}">
<div><label for="signed">Compare it with yours: ${scheme === 'control' ? 'the text that your shop digested, the key left out' : 'the base string that your shop signed'}</label>
<textarea id="signed" name="text" rows="3" required spellcheck="false" autocomplete="off"></textarea></div>
<div><button>Compare</button></div></form>
`
