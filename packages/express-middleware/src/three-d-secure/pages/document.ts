/**
 * An HTML document that may load and run nothing but the style sheet and the script it carries.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { systemNonce } from '../../config/time.js'
import type { PageVoice } from './texts.js'

/** A document. */
export interface HtmlDocument {
  readonly voice: PageVoice
  readonly title: string
  readonly body: Html
  /** Runs at the end of the body. Default: none. */
  readonly script?: string
  /** Goes to an address by itself, without a script. */
  readonly refresh?: { readonly seconds: number; readonly url: string; readonly onlyWithoutScript?: boolean }
  /** Where its forms may lead, as sources of a policy. Default: nowhere. */
  readonly formSources?: readonly string[]
  /** What may be in its frames. Default: nothing. */
  readonly frameSources?: readonly string[]
  /** Whether pages of its own site may show it in a frame. Default: false. */
  readonly framed?: boolean
}

/** Sends a document with a policy of its own, which replaces one that came before it. It is never stored. */
export function sendDocument(response: ServerResponse, document: HtmlDocument): void {
  const { voice, title, body, script, refresh } = document
  const nonce = systemNonce()
  const text = html`${trusted('<!doctype html>')}
<html lang="${voice.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
${refreshTag(refresh)}<style nonce="${nonce}">${trusted(style)}</style>
</head>
<body>
<main>
${voice.shopName === undefined ? undefined : html`<p class="shop">${voice.shopName}</p>\n`}${body}
</main>
${script === undefined ? undefined : html`<script nonce="${nonce}">${trusted(script)}</script>\n`}</body>
</html>
`
  response.statusCode = 200
  privateHeaders(response, policyOf(document, nonce))
  response.end(text.html)
}

/** Headers of every page that sees an order. A frame of this site may show it only where the policy says so. */
export function privateHeaders(response: ServerResponse, policy: string): void {
  response.setHeader('Content-Type', 'text/html; charset=utf-8')
  response.setHeader('Content-Security-Policy', policy)
  response.setHeader('Cache-Control', 'no-store')
  response.setHeader('Referrer-Policy', 'no-referrer')
  response.setHeader('X-Content-Type-Options', 'nosniff')
}

function refreshTag(refresh: HtmlDocument['refresh']): Html | undefined {
  if (refresh === undefined) return undefined
  const tag = html`<meta http-equiv="refresh" content="${String(refresh.seconds)};url=${refresh.url}">`
  return refresh.onlyWithoutScript === true ? html`<noscript>${tag}</noscript>\n` : html`${tag}\n`
}

function policyOf(document: HtmlDocument, nonce: string): string {
  const { script, formSources = [], frameSources = [], framed = false } = document
  return [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src ${script === undefined ? "'none'" : `'nonce-${nonce}'`}`,
    'img-src data:',
    `form-action ${sources(formSources)}`,
    `frame-src ${sources(frameSources)}`,
    "base-uri 'none'",
    `frame-ancestors ${framed ? "'self'" : "'none'"}`,
  ].join('; ')
}

const sources = (list: readonly string[]): string => (list.length === 0 ? "'none'" : list.join(' '))

/**
 * Sources for a form or a frame that leads to a bank: any https site, because banks pass browsers on among sites of
 * theirs and a policy counts every one of them. A bank of a test on this very machine is named by itself.
 */
export function bankSources(address: string): readonly string[] {
  const { protocol, origin } = new URL(address)
  return protocol === 'https:' ? ['https:'] : ['https:', origin]
}

/** A piece of HTML. */
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

/** Marks text of our own as HTML. */
export const trusted = (text: string): Html => ({ html: text })

function written(value: Html | readonly Html[] | string | undefined): string {
  if (value === undefined) return ''
  if (typeof value === 'string') return value.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
  return 'html' in value ? value.html : value.map(each => each.html).join('')
}

/** The style sheet. */
export const style = `
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
button, .button { display: block; width: 100%; min-height: 3rem; padding: .7rem 1rem; border: 0; border-radius: .65rem; background: var(--accent); color: var(--on-accent); font: inherit; font-weight: 650; text-decoration: none; cursor: pointer; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 3px; }
iframe { display: none; }
`
