import { type GatewayState, type Html, html, type WrittenAnswer, writeDocument } from '@tillkit/testing/gateway'
import { copyScript } from '../../signatures/copyable.js'
import { signatureStyle } from '../../signatures/style.js'
import { keysDialog, keysScript } from './keys.js'
import { dashboardScript } from './script.js'
import { dashboardStyle, storyStyle } from './style.js'

/** Where the dashboard begins. */
export const dashboardPath = '/__gateway/'

/** Address of the page that explains what is pasted into it. */
export const explainAddress = `${dashboardPath}explain`

/** Address of the page of an order. */
export const orderAddress = (orderId: string): string => `${dashboardPath}orders/${orderId}`

/** Address of the page of a call. */
export const callAddress = (number: number): string => `${dashboardPath}calls/${number}`

const places = [
  { path: '', name: 'Overview' },
  { path: 'orders', name: 'Orders' },
  { path: 'requests', name: 'Requests' },
  { path: 'explain', name: 'Explain a signature' },
] as const

type Place = (typeof places)[number]

function linkTo({ path, name }: Place, at?: Place['path'], under?: Place['path']): Html {
  const current = path === at ? 'page' : path === under ? 'true' : undefined
  return html`<a href="${dashboardPath}${path}"${current && html` aria-current="${current}"`}>${name}</a> `
}

interface DashboardPage {
  readonly title: string
  /** The place in the navigation that it is. Default: none of them. */
  readonly at?: Place['path']
  /** The place in the navigation that leads to it. */
  readonly under?: 'orders' | 'requests'
  readonly content: Html
  readonly notice?: string | undefined
  readonly status?: number
  /** Whether it is kept up to date. Default: true. */
  readonly live?: boolean
  readonly gateway: GatewayState
}

/** Writes a page with what every page has around it. */
export function dashboardPage(page: DashboardPage): WrittenAnswer {
  const { title, at, under, content, notice, status = 200, live = true, gateway } = page
  const { settings } = gateway
  const merchants = settings.merchants.map(({ login, endpoints }) => {
    const places = endpoints.map(({ id, group }) => html`, ${group ? 'group' : 'endpoint'} <code>${id}</code>`)
    return html`<p>login <code>${login}</code>${places}</p>\n`
  })
  const connection = html`<p class="connection"><span id="connection" role="status"
data-now="${String(gateway.clock.now())}"><noscript>Reload to see what is new</noscript></span></p>
`
  return writeDocument({
    title: `${title} · Test gateway`,
    status,
    style: `${dashboardStyle}${storyStyle}${signatureStyle}`,
    script: `${live ? dashboardScript : copyScript}${keysScript(`${dashboardPath}${under ?? 'orders'}`)}`,
    asksOrigin: true,
    body: html`<a class="skip" href="#content">To the content</a>
<header>
<p class="name"><a href="${dashboardPath}">Test gateway</a></p>
<nav aria-label="Dashboard">${places.map(place => linkTo(place, at, under))}</nav>
${live ? connection : undefined}</header>
<main id="content">
${notice === undefined ? undefined : html`<p class="notice" role="status">${notice}</p>`}
${content}
</main>
<footer>
<p>Requests go to <code>${gateway.origin()}${settings.prefix}</code></p>
${merchants}</footer>
${keysDialog}`,
  })
}
