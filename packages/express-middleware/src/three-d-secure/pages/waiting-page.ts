/**
 * The page for a customer who waits for an outcome. It looks again by itself, without a script.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { sendDocument } from './document.js'
import { html } from './html.js'
import type { PageVoice } from './texts.js'

/** What the page does. */
export interface Waiting {
  /** Where it looks again. */
  readonly nextUrl: string
  /** How long until then, in seconds. */
  readonly seconds: number
  /** Where the customer can go on at the bank, for who came back too early. */
  readonly bankUrl?: string | undefined
}

/** Sends the page. */
export function sendWaitingPage(
  response: ServerResponse,
  { nextUrl, seconds, bankUrl }: Waiting,
  voice: PageVoice,
): void {
  const { texts } = voice
  const again =
    bankUrl === undefined
      ? undefined
      : html`
<p>${texts.bankAgain}</p>
<p><a class="button" href="${bankUrl}">${texts.bankButton}</a></p>`
  sendDocument(response, {
    voice,
    title: texts.waitingTitle,
    refresh: { seconds, url: nextUrl },
    body: html`<div class="busy" aria-hidden="true"></div>
<h1>${texts.waitingTitle}</h1>
<p role="status">${texts.waiting}</p>${again}`,
  })
}
