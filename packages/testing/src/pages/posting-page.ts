/**
 * A page that posts a form to another site by itself, the way banks and gateways hand a customer over.
 *
 * @module
 */
import type { Parameter } from '@tillkit/signing'
import type { WrittenAnswer } from '../http/gateway-message.js'
import { html } from './html.js'
import { writePage } from './page.js'
import { submitScript } from './style.js'

/** A page that posts. */
export interface PostingPage {
  readonly title: string
  readonly heading: string
  readonly text: string
  /** Where it posts to, an absolute http or https address. */
  readonly to: URL
  readonly fields: readonly Parameter[]
  /** Text of the button, for browsers without scripts. */
  readonly button: string
  /** Whether other sites may show it in a frame. Default: false. */
  readonly framed?: boolean
}

/** Writes a page that submits itself, and has a button for browsers without scripts. */
export function postingPage({ title, heading, text, to, fields, button, framed = false }: PostingPage): WrittenAnswer {
  const inputs = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)
  return writePage({
    title,
    framed,
    formOrigin: to.origin,
    body: html`<h1>${heading}</h1>
<p>${text}</p>
<form method="post" action="${to.href}">
${inputs}<button type="submit">${button}</button>
</form>`,
    script: submitScript,
  })
}
