import { asCode, asCurl, type RequestToWrite } from '@tillkit/signing/explain'
import type { ComparedSignature } from '@tillkit/testing'
import { type Html, html } from '@tillkit/testing/gateway'
import type { SignatureView } from '../inspection/signatures.js'
import { comparedTable } from './compared-table.js'
import { writeCopyable } from './copyable.js'

/** Writes a signature that does not match: the likely mistake, what to do, and both sides. */
export function comparedPart({ lines, mistake, fix }: ComparedSignature): Html {
  const unknown =
    'No single mistake makes this signature. The key may be another one, or several things differ: compare each line with yours.'
  return html`${mistake === undefined ? html`<p class="problem">${unknown}</p>` : html`<p class="problem"><strong>The likely mistake:</strong> ${mistake.replace(/\.$/, '')}.</p>`}
${fix && html`<p class="fix"><strong>What to do:</strong> ${fix}</p>`}
${comparedTable(lines)}`
}

/** Writes a request signed right, as it can be sent. */
export const rewrittenPart = (request: RequestToWrite): Html =>
  html`${writeCopyable('as-curl', 'Signed right, as curl', asCurl(request))}
${writeCopyable('as-code', 'Signed right, as code', asCode(request))}`

/** Writes a form for what the shop signed, where no mistake explains its signature. */
export const compareForm = (call: number, scheme: SignatureView['scheme'], action: string): Html =>
  html`<form class="stack" method="post" action="${action}"><input type="hidden" name="call" value="${String(call)}">
<div><label for="signed">Compare it with yours: ${scheme === 'control' ? 'the text that your shop digested, the key left out' : 'the base string that your shop signed'}</label>
<textarea id="signed" name="text" rows="3" required spellcheck="false" autocomplete="off"></textarea></div>
<div><button>Compare</button></div></form>
`
