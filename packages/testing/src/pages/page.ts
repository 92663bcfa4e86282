/**
 * A page for customers: one panel in the middle.
 *
 * @module
 */
import type { WrittenAnswer } from '../http/gateway-message.js'
import { webAddress } from '../http/web-address.js'
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

/** A page that only says something. */
export interface Message {
  readonly title: string
  readonly text: string
  readonly status: number
  /** Where the shop takes its customers back. Default: there is no way on. */
  readonly shop?: URL | undefined
}

/** Writes it. */
export const messagePage = ({ title, text, status, shop }: Message) => {
  const back = shop === undefined ? undefined : html`\n<p><a href="${shop.href}">Back to the shop</a></p>`
  return writePage({ title, status, body: html`<h1>${title}</h1>\n<p>${text}</p>${back}` })
}

/** Says that a page was filled in before, and how to learn what came of it. */
export const donePage = ({ redirectUrl }: { readonly redirectUrl?: string | undefined }) =>
  messagePage({
    title: 'Already done',
    text: 'This page was filled in before, or the payment has ended otherwise. The shop shows what is known of it.',
    status: 410,
    shop: webAddress(redirectUrl),
  })
