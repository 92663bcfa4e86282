import { randomBytes } from 'node:crypto'
import type { Answer } from '@tillkit/express-middleware/core'
import { type Html, html, trusted } from './html.js'
import type { PageVoice } from './options.js'
import { pageStyle } from './style.js'

/** A page. */
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
  /** The address that it goes to at once by itself, without a script. Default: none. */
  readonly goesTo?: string
  /** The places that its forms may lead to, as sources of a policy. Default: none. */
  readonly formSources?: readonly string[]
  /** The sources of a policy that its frames may show. Default: none. */
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
