/**
 * The page that takes a customer to the bank: it posts a form by itself, and has a button for browsers without scripts.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { customerBrowserScript } from './customer-browser.js'
import { bankSources, html, privateHeaders, sendDocument } from './document.js'
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

/**
 * Its markup may run scripts and lead anywhere by https, and is no page of this site to the browser: `sandbox` without
 * `allow-same-origin` keeps it from cookies, storage and everything else of the shop.
 */
const policy = [
  'sandbox allow-forms allow-scripts allow-popups allow-top-navigation',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** Sends it as it is. */
export function sendGatewayPage(response: ServerResponse, markup: string): void {
  response.statusCode = 200
  privateHeaders(response, policy)
  const isDocument = /^\s*<(?:!doctype|html)\b/i.test(markup)
  response.end(isDocument ? markup : `<!doctype html>\n<meta charset="utf-8">\n${markup}`)
}

/** A method step. */
export interface MethodFrame {
  readonly methodUrl: string
  /** Value of the field of that name. */
  readonly threeDSMethodData: string
  /** Where the page goes on, by POST. */
  readonly doneUrl: string
  /** Where it goes on without a script, by GET. */
  readonly selfUrl: string
  /** How long to wait for the bank, in milliseconds. */
  readonly timeLeft: number
}

/** What our page in the frame tells the page around it. */
const doneMessage = 'tillkit: 3DS method done'

/** Sends the page. */
export function sendMethodPage(response: ServerResponse, frame: MethodFrame, voice: PageVoice): void {
  const { methodUrl, threeDSMethodData, doneUrl, selfUrl, timeLeft } = frame
  const { texts } = voice
  sendDocument(response, {
    voice,
    title: texts.preparingTitle,
    formSources: ["'self'", ...bankSources(methodUrl)],
    frameSources: ["'self'", ...bankSources(methodUrl)],
    // Nothing posts into the frame without a script, so that nobody notifies: the step ends when its time is over.
    refresh: { seconds: Math.ceil(timeLeft / 1000), url: selfUrl, onlyWithoutScript: true },
    body: html`<div class="busy" aria-hidden="true"></div>
<h1>${texts.preparingTitle}</h1>
<p role="status">${texts.preparing}</p>
<iframe name="method" title="3DS" sandbox="allow-forms allow-scripts allow-same-origin"></iframe>
<form id="start" method="post" action="${methodUrl}" target="method" hidden>
<input type="hidden" name="threeDSMethodData" value="${threeDSMethodData}">
</form>
<form id="done" method="post" action="${doneUrl}" data-customer-browser data-time-left="${String(timeLeft)}" hidden></form>`,
    script: `${customerBrowserScript}
(() => {
  const done = document.getElementById('done')
  let isOver = false
  const goOn = () => {
    if (isOver) return
    isOver = true
    done.submit()
  }
  addEventListener('message', event => {
    if (event.origin === location.origin && event.data === '${doneMessage}') goOn()
  })
  setTimeout(goOn, Number(done.dataset.timeLeft))
  document.getElementById('start').submit()
})()`,
  })
}

/** Sends the page that the bank's notification is answered with. It is in the hidden frame and tells the page around it. */
export function sendNotifiedPage(response: ServerResponse, voice: PageVoice): void {
  sendDocument(response, {
    voice,
    title: voice.texts.preparingTitle,
    framed: true,
    body: html`<h1>${voice.texts.preparingTitle}</h1>`,
    script: `parent.postMessage('${doneMessage}', location.origin)`,
  })
}

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
