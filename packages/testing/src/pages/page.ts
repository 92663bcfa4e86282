/**
 * A hosted page: its frame, and headers that let it load nothing and post to named places only.
 *
 * @module
 */
import type { WrittenAnswer } from '../gateway-message.js'
import { type Html, html } from './html.js'
import { scriptSource, style, styleSource } from './style.js'

/** A page. */
export interface Page {
  readonly title: string
  readonly body: Html
  /** HTTP status. Default: 200. */
  readonly status?: number
  /** Where its form posts to, besides the page's own origin. */
  readonly formOrigin?: string
  /** Whether other sites may show it in a frame, as shops show the pages of 3DS. Default: false. */
  readonly framed?: boolean
}

/** Writes a page. */
export function writePage({ title, body, status = 200, formOrigin, framed = false }: Page): WrittenAnswer {
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource}`,
    `script-src ${scriptSource}`,
    'img-src data:',
    `form-action 'self'${formOrigin === undefined ? '' : ` ${formOrigin}`}`,
    "base-uri 'none'",
    ...(framed ? [] : ["frame-ancestors 'none'"]),
  ].join('; ')
  return {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
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
<main>
<div class="panel">
${body}
</div>
</main>
</body>
</html>
`.html,
  }
}

/** Writes a page that only says something. */
export const messagePage = ({
  title,
  text,
  status,
}: {
  readonly title: string
  readonly text: string
  readonly status: number
}) => writePage({ title, status, body: html`<h1>${title}</h1>\n<p>${text}</p>` })
