/**
 * An HTML document that may load and run nothing but the style sheet and the script it carries.
 *
 * @module
 */
import type { ServerResponse } from 'node:http'
import { systemNonce } from '../../config/time.js'
import { type Html, html, trusted } from './html.js'
import { style } from './style.js'
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
