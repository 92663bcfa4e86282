/**
 * The page of the 3DS method: a hidden frame posts to the bank, and the page goes on when the bank has notified us or its
 * time is over.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { customerBrowserScript } from './customer-browser.js'
import { bankSources, sendDocument } from './document.js'
import { html } from './html.js'
import type { PageVoice } from './texts.js'

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
