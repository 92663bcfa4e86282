import type { Parameter } from '@tillkit/signing'
import { webAddress } from '../http/addresses.js'
import { isSentByAnotherSite } from '../http/another-site.js'
import type { GatewayRequest, WrittenAnswer } from '../http/message.js'
import { type GatewaySettings, settingsOfLogin } from '../merchants/settings.js'
import { type Order, stageAmount } from '../orders/order.js'
import type { GatewayState } from '../state/gateway-state.js'
import { decodeBody } from '../verification/fields.js'
import { type Html, type HtmlDocument, html, writeDocument } from './document.js'
import { type Mistakes, type Typed, writeAlert } from './field.js'

export type Page = Omit<HtmlDocument, 'style' | 'asksOrigin'>

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

/** The order of a page: its shop takes the customer back. */
type ShopOrder = Pick<Order, 'redirectUrl'>

/** Writes a page that says something, with a way back to the shop where an order names one. */
export function messagePage(status: number, title: string, text: string, order?: ShopOrder): WrittenAnswer {
  const shop = webAddress(order?.redirectUrl)
  const back = shop === undefined ? undefined : html`\n<p><a href="${shop.href}">Back to the shop</a></p>`
  return writePage({ title, status, body: html`<h1>${title}</h1>\n<p>${text}</p>${back}` })
}

export const noSuchPage = (): WrittenAnswer =>
  messagePage(
    404,
    'No such page',
    'The address is wrong, or this test gateway was started anew since, and its orders are gone. ' +
      'The shop shows what it knows of the payment. To test on, begin a new payment there.',
  )

/** Says that a page was filled in before, and that the shop knows the outcome. */
export const donePage = (order: ShopOrder) =>
  messagePage(
    410,
    'Already done',
    'This page was filled in before, or the payment has ended otherwise. The shop shows what is known of it.',
    order,
  )

/** Says that a page can be filled in no longer. */
export const endedPage = (order: ShopOrder) =>
  messagePage(
    410,
    'The time to pay is over',
    'This page was open for as long as it may be, and nothing was charged. Go back to the shop to begin again.',
    order,
  )

interface PostingPage {
  readonly title: string
  readonly heading: string
  readonly text: string
  /** Where it posts to, an absolute http or https address. */
  readonly to: URL
  readonly fields: readonly Parameter[]
  /** Text of the button, for browsers without scripts. */
  readonly button: string
  /** Whether other sites may show it in a frame. Default: false. */
  readonly framed?: boolean
}

/** Writes a page that submits itself, and has a button for browsers without scripts. */
export function postingPage({ title, heading, text, to, fields, button, framed = false }: PostingPage): WrittenAnswer {
  const inputs = fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)
  return writePage({
    title,
    framed,
    formOrigin: to.origin,
    body: html`<h1>${heading}</h1>
<p>${text}</p>
<form method="post" action="${to.href}">
${inputs}<button type="submit">${button}</button>
</form>`,
    script: 'document.forms[0].submit()',
  })
}

interface FormPage {
  readonly title: string
  /** What stands above the form. */
  readonly above: Html
  readonly fields: Html
  /** Text of the button. */
  readonly button: string
  readonly note: Html
  readonly mistakes?: Mistakes | undefined
  readonly framed?: boolean
}

/** Writes a page with a form that can be cancelled. */
export const formPage = ({ above, fields, button, note, mistakes = {}, ...page }: FormPage): WrittenAnswer =>
  writePage({
    ...page,
    status: Object.keys(mistakes).length === 0 ? 200 : 422,
    body: html`${above}${writeAlert(mistakes)}<form method="post" novalidate>
${fields}<button type="submit">${button}</button>
<button type="submit" class="quiet" name="cancel" value="1">Cancel</button>
</form>
${note}`,
  })

/** An order to show at a gateway, which knows whose it is, and how many digits its amount has. */
export interface OrderToShow {
  readonly order: Order
  readonly gateway: { readonly settings: GatewaySettings }
}

/** Writes `1234567.00` as `1,234,567.00`. */
export const groupDigits = (number: string): string =>
  number.replace(/^\d+/, whole => whole.replace(/\B(?=(\d{3})+$)/g, ','))

/** Such as `1,234.50 EUR`. */
export function amountText({ order, gateway }: OrderToShow): string {
  const amount = stageAmount(order, order.stages[0], gateway.settings.profile) ?? ''
  return `${groupDigits(amount)} ${order.currency ?? ''}`
}

/** Writes who the merchant is, what for, and how much. A verification takes no money and says so. */
export function orderHeading(shown: OrderToShow): Html {
  const { order, gateway } = shown
  const { merchantName } = settingsOfLogin(order.login, gateway.settings)
  const title = order.description ?? `Order ${order.clientOrderId}`
  const verification = order.stages[0].stage === 'verification'
  const line = verification
    ? html`<p class="soft">Your card is checked. No money is taken.</p>`
    : html`<p class="amount">${amountText(shown)}</p>`
  return html`<p class="merchant" dir="auto">${merchantName}</p>
<h1 dir="auto">${title}</h1>
${line}
`
}

export const style = `
:root { --ink: #1c2733; --soft: #55626f; --line: #c9d1d9; --edge: #8794a1; --paper: #eef2f5; --card: #fff; --accent: #1f5fa8;
  --on-accent: #fff; --bad: #a32020; --bad-paper: #fdecec; --note: #f5f7f9; --focus: #7fb2ea; color-scheme: light dark; }
@media (prefers-color-scheme: dark) {
:root { --ink: #e6ebf0; --soft: #a5b1bd; --line: #3a4652; --edge: #76848f; --paper: #10161c; --card: #1a222b; --accent: #8fc1f5;
  --on-accent: #0c1a29; --bad: #ff9d97; --bad-paper: #3a1d1e; --note: #202a34; --focus: #4f8fd6; }
}
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--paper); color: var(--ink);
  font: 1rem/1.5 system-ui, -apple-system, 'Segoe UI', sans-serif; }
main { max-width: 30rem; margin: 0 auto; padding: clamp(1rem, 5vw, 3rem) 1rem; }
.panel { background: var(--card); border: 1px solid var(--line); border-radius: .9rem;
  padding: clamp(1.1rem, 4vw, 1.9rem); box-shadow: 0 1px 3px rgb(28 39 51 / .08); }
h1 { font-size: 1.35rem; line-height: 1.25; margin: 0 0 .25rem; overflow-wrap: anywhere; }
.merchant { margin: 0 0 .35rem; color: var(--soft); font-weight: 600; font-size: .925rem; overflow-wrap: anywhere; }
.bank { display: inline-block; margin: 0 0 .9rem; padding: .15rem .6rem; border-radius: .4rem;
  background: #134e3a; color: #fff; font-weight: 650; font-size: .875rem; }
.amount { font-size: 1.75rem; font-weight: 700; font-variant-numeric: tabular-nums; margin: 0 0 1.1rem; }
p { margin: 0 0 1rem; } .panel > :last-child { margin-bottom: 0; } .soft { color: var(--soft); font-size: .925rem; }
fieldset { border: 0; padding: 0; margin: 0; min-width: 0; } legend { padding: 0; font-weight: 600; margin-bottom: .3rem; }
.row { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); gap: 0 .75rem; }
.field { margin-bottom: 1rem; } label { display: block; font-weight: 600; font-size: .925rem; margin-bottom: .25rem; }
input { width: 100%; font: inherit; padding: .65rem .7rem; min-height: 2.75rem;
  border: 1px solid var(--edge); border-radius: .5rem; background: var(--card); color: inherit; }
input[aria-invalid] { border-color: var(--bad); border-width: 2px; }
.error { color: var(--bad); font-size: .875rem; margin: .25rem 0 0; }
.alert { border-left: .3rem solid var(--bad); background: var(--bad-paper);
  padding: .7rem .9rem; border-radius: .3rem; margin-bottom: 1.1rem; }
button { font: inherit; font-weight: 650; width: 100%; min-height: 3rem; border-radius: .6rem; cursor: pointer;
  border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); margin-top: .3rem; }
button.quiet { background: transparent; color: var(--accent); margin-top: .6rem; }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
a { color: var(--accent); }
.note { background: var(--note); border: 1px solid var(--line); border-radius: .7rem;
  padding: .7rem 1rem; margin-top: 1.1rem; color: var(--soft); font-size: .875rem; }
.note summary { cursor: pointer; } .note p { margin: .5rem 0; }
.note dl { display: grid; grid-template-columns: max-content 1fr; gap: .15rem .75rem; margin: .5rem 0 0; }
.note dd { margin: 0; } .note code { font-size: .95em; color: var(--ink); }
@media (max-width: 24rem) { .row { grid-template-columns: 1fr 1fr; } .row .field:last-child { grid-column: 1 / -1; } }
`

export type Visit =
  | { readonly kind: 'opened' }
  /** `ours`: no page of another site sent it. */
  | { readonly kind: 'typed'; readonly typed: Typed; readonly ours: boolean }
  | { readonly kind: 'refused'; readonly answer: WrittenAnswer }

export function readVisit(request: GatewayRequest, order: ShopOrder, gateway: GatewayState): Visit {
  const { method } = request
  if (method === 'GET' || method === 'HEAD') return { kind: 'opened' }
  if (method !== 'POST')
    return { kind: 'refused', answer: messagePage(405, notPossible, 'The page takes GET and POST only.', order) }
  const typed = readTyped(request, gateway.settings.maxBodyBytes)
  if (typed !== undefined) return { kind: 'typed', typed, ours: !isSentByAnotherSite(request, gateway) }
  return { kind: 'refused', answer: refusedPage('What was sent is no form, or too much of it.', order) }
}

/** @returns undefined when the body is larger than `limit` bytes or cannot be decoded. */
export function readTyped({ body }: GatewayRequest, limit: number): Typed | undefined {
  if (body.byteLength > limit) return undefined
  try {
    return Object.fromEntries(decodeBody(body))
  } catch {
    return undefined
  }
}

const notPossible = 'Not possible'

export const refusedPage = (text: string, order: ShopOrder): WrittenAnswer => messagePage(400, notPossible, text, order)
