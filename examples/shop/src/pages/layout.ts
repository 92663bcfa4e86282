/** Every page of the shop has this around it. */
import { type Html, html, trusted } from './html.js'
import { styles } from './styles.js'

/** One page. */
export interface Page {
  readonly title: string
  readonly body: Html
  /** Shown in the footer. */
  readonly gatewayAddress?: string
  /** Path of a script of our own. */
  readonly script?: string
}

/** What the shop is called. */
export const shopName = 'Tidewater Ceramics'

/** The icon of every page: a bowl. */
const icon =
  "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E" +
  "%3Cpath d='M2 6h12a6 7 0 0 1-12 0z' fill='%232f6f73'/%3E%3C/svg%3E"

/** Wraps a page. */
export function layout({ title, body, gatewayAddress, script }: Page): Html {
  return html`${trusted('<!doctype html>')}
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · ${shopName}</title>
<link rel="icon" href="${trusted(icon)}">
<style>${trusted(styles)}</style>
</head>
<body>
<header class="site"><div class="wrap"><a class="name" href="/">${shopName}</a><span>an example shop on Tillkit</span></div></header>
<main class="wrap">${body}</main>
<footer class="site"><div class="wrap">
Nothing here is for sale and no card is charged: the payment gateway is a fake that runs on this machine${
    gatewayAddress === undefined ? '' : html` at <code>${gatewayAddress}</code>`
  }.</div></footer>
${script !== undefined && html`<script src="${script}" defer></script>`}
</body>
</html>`
}
