import { type Answer, customerBrowserScript } from '@tillkit/express-middleware/core'
import { documentAnswer, type HtmlDocument, lookAgain, pageAnswer } from './document.js'
import { type Html, html } from './html.js'
import type { PageVoice } from './options.js'

/** The page that takes a customer to the bank: it posts a form by itself, and has a button for browsers without scripts. */
export function bankPage(action: string, fields: Readonly<Record<string, string>>, voice: PageVoice): Answer {
  const inputs = Object.entries(fields).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`,
  )
  const form = html`<form method="post" action="${action}">
${inputs}<button>${voice.texts.bankButton}</button>
</form>`
  return wayPage(form, { voice, formSources: bankSources(action), script: 'document.forms[0].submit()' })
}

/** The page for a bank that takes an address instead of a form. It goes there at once, by itself. */
export function addressPage(address: string, voice: PageVoice): Answer {
  return wayPage(bankLink(address, voice), { voice, goesTo: address })
}

/** A page that takes the customer to the bank by itself, or at the press of what is in it. */
function wayPage(way: Html, how: Omit<HtmlDocument, 'title' | 'body'>): Answer {
  const { bankTitle: title, bank } = how.voice.texts
  return documentAnswer({ ...how, title, body: html`<h1>${title}</h1>\n<p>${bank}</p>\n${way}` })
}

const bankLink = (address: string, { texts }: PageVoice): Html =>
  html`<p><a class="button" href="${address}">${texts.bankButton}</a></p>`

/**
 * Sources for a form or a frame that leads to a bank: any https site, because banks pass browsers on between their own sites,
 * and the policy must allow each of them. A test bank on this machine is listed by its origin.
 */
function bankSources(address: string): readonly string[] {
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' ? ['https:'] : ['https:', origin]
}

/**
 * Markup of the gateway may run scripts and lead anywhere by https, and is no page of this site to the browser: `sandbox`
 * without `allow-same-origin` keeps it from cookies, storage and everything else of the shop.
 */
const gatewayPolicy = [
  'sandbox allow-forms allow-scripts allow-popups allow-top-navigation',
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page that the gateway wrote, as a response of its own. */
export function gatewayPage(markup: string): Answer {
  const isDocument = /^\s*<(?:!doctype|html)\b/i.test(markup)
  return pageAnswer(isDocument ? markup : `<!doctype html>\n<meta charset="utf-8">\n${markup}`, gatewayPolicy)
}

interface MethodFrame {
  readonly methodUrl: string
  readonly threeDSMethodData: string
  /** The address to which the page goes on: by POST, and without a script by GET. */
  readonly doneUrl: string
  readonly selfUrl: string
  /** How long to wait for the bank, in milliseconds. */
  readonly timeLeft: number
}

/** The message that our page in the frame sends to the page around it. */
const doneMessage = 'tillkit: 3DS method done'

/**
 * A hidden frame posts to the bank, and the page goes on when the bank has notified us or its time is over. Without a script nothing posts
 * into the frame and the bank notifies nothing: the step ends when its time is over and the customer looks again.
 */
export function methodPage(frame: MethodFrame, voice: PageVoice): Answer {
  const { methodUrl, threeDSMethodData, doneUrl, selfUrl, timeLeft } = frame
  const { texts } = voice
  return documentAnswer({
    voice,
    title: texts.preparingTitle,
    formSources: ["'self'", ...bankSources(methodUrl)],
    frameSources: ["'self'", ...bankSources(methodUrl)],
    body: html`<div class="busy" aria-hidden="true"></div>
<h1>${texts.preparingTitle}</h1>
<p role="status">${texts.preparing}</p>
${lookAgain(selfUrl, voice)}<iframe name="method" title="3DS" sandbox="allow-forms allow-scripts allow-same-origin"></iframe>
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

/** The page that the bank's notification is answered with. It is in the hidden frame and tells the page around it. */
export function notifiedPage(voice: PageVoice): Answer {
  return documentAnswer({
    voice,
    title: voice.texts.preparingTitle,
    framed: true,
    body: html`<h1>${voice.texts.preparingTitle}</h1>`,
    script: `parent.postMessage('${doneMessage}', location.origin)`,
  })
}

/**
 * The page for a customer who waits for an outcome. It looks again by itself, and without scripts at the press of a link.
 *
 * @param bankUrl Where the customer can go on at the bank, after coming back too early.
 */
export function waitingPage(
  { url, seconds }: { readonly url: string; readonly seconds: number },
  bankUrl: string | undefined,
  voice: PageVoice,
): Answer {
  const { texts } = voice
  const again = bankUrl === undefined ? undefined : html`<p>${texts.bankAgain}</p>\n${bankLink(bankUrl, voice)}`
  return documentAnswer({
    voice,
    title: texts.waitingTitle,
    body: html`<div class="busy" id="busy" data-url="${url}" data-seconds="${String(seconds)}" aria-hidden="true"></div>
<h1>${texts.waitingTitle}</h1>
<p role="status">${texts.waiting}</p>
${lookAgain(url, voice)}${again}`,
    // Each look by a reload would be one more step for the back button.
    script: `(() => {
  const { url, seconds } = document.getElementById('busy').dataset
  setTimeout(() => location.replace(url), 1000 * Number(seconds))
})()`,
  })
}
