import { createHash } from 'node:crypto'
import type { WrittenAnswer } from '../http/message.js'

export interface HtmlDocument {
  readonly title: string
  /** The content of its body. */
  readonly body: Html
  readonly style: string
  /** Runs at the end of the body. Default: none. */
  readonly script?: string
  /** HTTP status. Default: 200. */
  readonly status?: number
  /** Where its forms post to, besides its own origin. */
  readonly formOrigin?: string | undefined
  /** Whether other sites may show it in a frame. Default: false. */
  readonly framed?: boolean
  /** Whether its script asks its own origin. Default: false. */
  readonly asksOrigin?: boolean
}

/** Writes a document. The policy names its style sheet and its script by their hashes. */
export function writeDocument(document: HtmlDocument): WrittenAnswer {
  const { title, body, style, script, status = 200 } = document
  const running = script === undefined ? undefined : html`<script>${{ html: script }}</script>\n`
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policyOf(document),
      'cache-control': 'no-store',
      // With "no-referrer" a browser writes "Origin: null" into the page's own form, which then looks like a stranger's.
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
    },
    body: html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${{ html: style }}</style>
</head>
<body>
${body}
${running}</body>
</html>
`.html,
  }
}

function policyOf({ style, script, formOrigin, framed = false, asksOrigin = false }: HtmlDocument): string {
  return [
    "default-src 'none'",
    `style-src ${hash(style)}`,
    `script-src ${script === undefined ? "'none'" : hash(script)}`,
    'img-src data:',
    ...(asksOrigin ? ["connect-src 'self'"] : []),
    `form-action 'self'${formOrigin === undefined ? '' : ` ${formOrigin}`}`,
    "base-uri 'none'",
    ...(framed ? [] : ["frame-ancestors 'none'"]),
  ].join('; ')
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`

export interface Html {
  readonly html: string
}

type Piece = Html | string | undefined | readonly Html[]

/** Builds HTML. Strings are escaped, pieces of HTML and lists of them are taken as they are, undefined is nothing. */
export function html(texts: TemplateStringsArray, ...pieces: readonly Piece[]): Html {
  const parts = texts.flatMap((text, index) => [text, write(pieces[index])])
  return { html: parts.join('') }
}

function write(piece: Piece): string {
  if (piece === undefined) return ''
  if (typeof piece === 'string') return escapeText(piece)
  return 'html' in piece ? piece.html : piece.map(({ html: text }) => text).join('')
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeText = (text: string): string => text.replace(/[&<>"']/g, character => entities[character] ?? character)
