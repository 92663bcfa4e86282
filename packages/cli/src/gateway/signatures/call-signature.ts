import { asCode, asCurl, type RequestToWrite } from '@tillkit/signing/explain'
import type { ComparedSignature } from '@tillkit/testing'
import { type Html, html } from '@tillkit/testing/gateway'
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
