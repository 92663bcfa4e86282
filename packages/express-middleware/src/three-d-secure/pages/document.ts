import { randomBytes } from 'node:crypto'
import type { Answer } from '../../http/answer.js'
import { accentStyle, type PageAccent } from './accent.js'

export interface Html {
  readonly html: string
}

/** Builds HTML. Strings are escaped; pieces are taken as they are, lists of them one after the other; undefined is nothing. */
export function html(
  texts: TemplateStringsArray,
  ...values: readonly (Html | readonly Html[] | string | undefined)[]
): Html {
  return { html: texts.map((text, index) => text + written(values[index])).join('') }
}

function written(value: Html | readonly Html[] | string | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
  return 'html' in value ? value.html : value.map(each => each.html).join('')
}

/** Marks text of our own as HTML. */
const trusted = (text: string): Html => ({ html: text })

export interface HtmlDocument {
  readonly voice: PageVoice
  readonly title: string
  readonly body: Html
  /** Runs at the end of the body. Default: none. */
  readonly script?: string
  /** Whether the script may ask its own site. Default: false. */
  readonly asksOwnSite?: boolean
  /** Rules after those of all pages. Default: none. */
  readonly style?: string
  /** Where it goes at once by itself, without a script. Default: nowhere. */
  readonly goesTo?: string
  /** Where its forms may lead, as sources of a policy. Default: nowhere. */
  readonly formSources?: readonly string[]
  /** What may be in its frames. Default: nothing. */
  readonly frameSources?: readonly string[]
  /** Whether pages of its own site may show it in a frame. Default: false. */
  readonly framed?: boolean
}

/** A document as an answer, with a policy of its own that replaces one set before it. */
export function documentAnswer(document: HtmlDocument): Answer {
  const { voice, title, body, script, goesTo, style = '' } = document
  const { shopName, language, direction } = voice
  const refresh = goesTo === undefined ? undefined : html`<meta http-equiv="refresh" content="0;url=${goesTo}">\n`
  const nonce = randomBytes(16).toString('base64url')
  const text = html`${trusted('<!doctype html>')}
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${shopName === undefined ? title : `${title} - ${shopName}`}</title>
<link rel="icon" href="data:,">
${refresh}<style nonce="${nonce}">${trusted(pageStyle + voice.accentStyle + style)}</style>
</head>
<body>
<main>
${shopName === undefined ? undefined : html`<p class="shop">${shopName}</p>\n`}${body}
</main>
${script === undefined ? undefined : html`<script nonce="${nonce}">${trusted(script)}</script>\n`}</body>
</html>
`
  return pageAnswer(text.html, policyOf(document, nonce))
}

/** A page that shows an order: no cache keeps it, and a frame of this site may show it only where the policy says so. */
export const pageAnswer = (body: string, policy: string): Answer => ({
  status: 200,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': policy,
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
  },
  body,
})

/** For a customer whose browser runs no scripts: a page that reloads by itself would be read aloud anew every time. */
export const lookAgain = (url: string, { texts }: PageVoice): Html =>
  html`<noscript><p>${texts.withoutScript}</p>\n<p><a class="button" href="${url}">${texts.lookAgain}</a></p></noscript>\n`

function policyOf(document: HtmlDocument, nonce: string): string {
  const { script, asksOwnSite = false, formSources = [], frameSources = [], framed = false } = document
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src ${script === undefined ? "'none'" : `'nonce-${nonce}'`}`,
    ...(asksOwnSite ? ["connect-src 'self'"] : []),
    'img-src data:',
    `form-action ${sources(formSources)}`,
    `frame-src ${sources(frameSources)}`,
    "base-uri 'none'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
  ].join('; ')
}

const sources = (list: readonly string[]): string => (list.length === 0 ? "'none'" : list.join(' '))

const pageStyle = `
:root { color-scheme: light dark; --ink: #1b2530; --soft: #566373; --paper: #f4f6f8; --card: #fff; --line: #d5dbe1; --accent: #23527c; --on-accent: #fff; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8edf2; --soft: #a5b1bd; --paper: #12171c; --card: #1c232a; --line: #36414c; --accent: #8fc1ee; --on-accent: #0e1b27; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1rem; background: var(--paper); color: var(--ink); font: 1rem/1.55 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { width: 100%; max-width: 27rem; background: var(--card); border: 1px solid var(--line); border-radius: 1rem; padding: clamp(1.5rem, 6vw, 2.5rem); text-align: center; }
.shop { margin: 0 0 1.25rem; color: var(--soft); font-size: .925rem; overflow-wrap: anywhere; }
h1 { margin: 0 0 .5rem; font-size: 1.3rem; line-height: 1.3; text-wrap: balance; }
p { margin: 0 0 1.25rem; color: var(--soft); text-wrap: pretty; }
p:last-child, p:has(+ iframe) { margin: 0; }
.busy { width: 2.25rem; height: 2.25rem; margin: 0 auto 1.25rem; border: .25rem solid var(--line); border-top-color: var(--accent); border-radius: 50%; animation: turn 1s linear infinite; }
@keyframes turn { to { transform: rotate(1turn); } }
@media (prefers-reduced-motion: reduce) { .busy { animation-duration: 6s; } }
button, .button { display: block; width: 100%; min-height: 3rem; padding: .7rem 1rem; border: 1px solid transparent; border-radius: .65rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--ink); outline-offset: 3px; }
iframe { display: none; }
`

/** The texts, in plain text. */
export interface ThreeDSecureTexts {
  readonly preparingTitle: string
  readonly preparing: string
  readonly bankTitle: string
  readonly bank: string
  readonly bankButton: string
  readonly waitingTitle: string
  readonly waiting: string
  /** On the waiting page, for a customer who came back before the bank's page was done. */
  readonly bankAgain: string
  /** On pages that go on by themselves, for a browser that runs no scripts; and the link below it. */
  readonly withoutScript: string
  readonly lookAgain: string
}

/** The texts in English. */
export const englishTexts: ThreeDSecureTexts = {
  preparingTitle: 'Preparing your payment',
  preparing: 'Your bank is getting ready to confirm it. This takes a few seconds; please stay on this page.',
  bankTitle: 'On to your bank',
  bank: 'Your bank wants to confirm that it is you who pays. You come back here afterwards.',
  bankButton: 'Continue to your bank',
  waitingTitle: 'Checking your payment',
  waiting: 'We are waiting to hear how it went. Please do not pay again; this page goes on by itself.',
  bankAgain: 'Not finished at your bank?',
  withoutScript: 'Scripts are off in this browser, so you have to look again yourself, every few seconds.',
  lookAgain: 'Look again',
}

/** How the pages look and speak. */
export interface ThreeDSecurePages {
  /** Shown above the heading, so that customers see whose page it is. Default: none. */
  readonly shopName?: string
  /** BCP 47 tag of the texts. Default: `en`. */
  readonly language?: string
  /** Texts in place of the English ones. */
  readonly texts?: Partial<ThreeDSecureTexts>
  /** Your colour of buttons. The text on them is black or white, whichever is easier to read. Default: blue. */
  readonly accent?: PageAccent
}

/** Pages with their defaults filled in. */
export type PageVoice = ReturnType<typeof pageVoice>

/** Fills in the defaults. @throws {TypeError} when a colour is none. */
export const pageVoice = ({ shopName, language = 'en', texts, accent }: ThreeDSecurePages = {}) => ({
  shopName,
  language,
  direction: directionOf(language),
  texts: { ...englishTexts, ...texts },
  accentStyle: accentStyle(accent),
})

/** Scripts that are written from right to left, ISO 15924. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** Which way a language is written. One that is no BCP 47 tag is written from left to right. */
function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}
