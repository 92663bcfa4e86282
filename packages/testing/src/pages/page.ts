/**
 * A page for customers: one panel in the middle.
 *
 * @module
 */
import type { WrittenAnswer } from '../gateway-message.js'
import { type HtmlDocument, writeDocument } from './document.js'
import { html } from './html.js'
import { style } from './style.js'

/** A page. */
export type Page = Omit<HtmlDocument, 'style' | 'asksOrigin'>

/** Writes a page. */
export const writePage = ({ body, ...page }: Page): WrittenAnswer =>
  writeDocument({
    ...page,
    style,
    body: html`<main>
<div class="panel">
${body}
</div>
</main>`,
  })

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
