/**
 * The page that takes a customer to the bank: it posts a form by itself, and has a button for browsers without scripts.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { bankSources, sendDocument } from './document.js'
import { html } from './html.js'
import type { PageVoice } from './texts.js'

/** A form for the bank. */
export interface BankForm {
  /** https, or http on loopback. */
  readonly action: string
  readonly fields: Readonly<Record<string, string>>
}

/** Sends the page. */
export function sendBankPage(response: ServerResponse, { action, fields }: BankForm, voice: PageVoice): void {
  const { texts } = voice
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  sendDocument(response, {
    voice,
    title: texts.bankTitle,
    formSources: bankSources(action),
    script: 'document.forms[0].submit()',
    body: html`<h1>${texts.bankTitle}</h1>
<p>${texts.bank}</p>
<form method="post" action="${action}">
${inputs}<button>${texts.bankButton}</button>
</form>`,
  })
}

/** Sends the page for a bank that takes an address instead of a form. It goes there at once, by itself. */
export function sendAddressPage(response: ServerResponse, address: string, voice: PageVoice): void {
  const { texts } = voice
  sendDocument(response, {
    voice,
    title: texts.bankTitle,
    refresh: { seconds: 0, url: address },
    body: html`<h1>${texts.bankTitle}</h1>
<p>${texts.bank}</p>
<p><a class="button" href="${address}">${texts.bankButton}</a></p>`,
  })
}
