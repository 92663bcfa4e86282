import {
  faultNames,
  type GatewayState,
  groupDigits,
  type Html,
  html,
  type WrittenAnswer,
} from '@tillkit/testing/gateway'
import { findCalls, findOrders, noAnswer, type Sought, soughtStatuses } from '../inspection/find.js'
import { shownOrder } from '../inspection/orders.js'
import { writeLive } from './look/elements.js'
import { dashboardPage, dashboardPath } from './look/layout.js'
import { callsTable, ordersTable } from './tables.js'

/** Rows of one page. */
const pageSize = 50

type Query = URLSearchParams

/** Every order, to be searched. What is looked for is in the address, so that it can be sent to somebody. */
export function ordersPage(query: Query, gateway: GatewayState): WrittenAnswer {
  const sought = readSought(query)
  const found = findOrders(sought, gateway)
  const operations = Object.keys(gateway.settings.operations)
  const rows = pageOf(found, query).map(order => shownOrder(order, gateway))
  return listPage({
    title: 'Orders',
    path: 'orders',
    query,
    gateway,
    filters: html`${pick('status', 'Status', soughtStatuses, sought)}
${pick('operation', 'Operation', operations, sought)}
${pick('fault', 'Struck by', faultNames, sought)}`,
    found: found.length,
    kept: `The gateway keeps ${grouped(gateway.settings.maxOrders)} orders; when it is full, the oldest that has ended is dropped.`,
    table: ordersTable(rows.toReversed()),
    elsewhere: requestsWith(sought, gateway),
  })
}

/** A request that was refused made no order: it is among the requests. */
function requestsWith({ q }: Sought, gateway: GatewayState): Html | undefined {
  if (q === '') return undefined
  const count = findCalls({ ...readSought(new URLSearchParams()), q }, gateway).length
  if (count === 0) return undefined
  const address = addressOf('requests', { query: new URLSearchParams({ q }), page: 1 })
  const have = count === 1 ? 'has' : 'have'
  return html`<a href="${address}">${grouped(count)} of the requests</a> ${have} it: what was refused made no order.`
}

/** Every request that the log still has, to be searched. */
export function requestsPage(query: Query, gateway: GatewayState): WrittenAnswer {
  const sought = readSought(query)
  const found = findCalls(sought, gateway)
  const [first] = gateway.log.list()
  const { maxCalls } = gateway.settings
  const dropped =
    first === undefined || first.number === 1 ? '' : ` Requests before number ${first.number} were dropped.`
  const { operations } = gateway.settings
  return listPage({
    title: 'Requests',
    path: 'requests',
    query,
    gateway,
    filters: html`${pick('verdict', 'Verdict', ['refused', 'accepted'], sought)}
${pick('status', 'Answered status', [...soughtStatuses, noAnswer], sought)}
${pick('operation', 'Operation', Object.keys(operations), sought)}
${pick('fault', 'Struck by', faultNames, sought)}`,
    found: found.length,
    kept: `The log keeps ${grouped(maxCalls)} requests.${dropped}`,
    table: callsTable(pageOf(found, query), gateway),
  })
}

interface ListPage {
  readonly title: string
  /** Below {@link dashboardPath}. */
  readonly path: 'orders' | 'requests'
  readonly query: Query
  readonly gateway: GatewayState
  readonly filters: Html
  readonly found: number
  /** What is kept and what was dropped. */
  readonly kept: string
  readonly table: Html
  readonly elsewhere?: Html | undefined
}

function listPage({ title, path, query, gateway, filters, found, kept, table, elsewhere }: ListPage): WrittenAnswer {
  const sought = readSought(query)
  const pages = Math.max(1, Math.ceil(found / pageSize))
  const page = Math.min(pageNumber(query), pages)
  const to = (target: number, text: string, rel: string): Html =>
    html`<a href="${addressOf(path, { query, page: target })}" rel="${rel}">${text}</a> `
  const newer = page > 1 ? to(page - 1, 'Newer', 'prev') : undefined
  const older = page < pages ? to(page + 1, 'Older', 'next') : undefined
  const turning = html`<nav aria-label="Pages of the list" class="line">
<p>${newer}Page ${grouped(page)} of ${grouped(pages)} ${older}</p></nav>`
  const search = html`<form method="get" action="${dashboardPath}${path}" class="filters" role="search">
<div class="sought"><label for="q">Id, e-mail or last four digits</label><input id="q" name="q" type="search"
dir="auto" value="${sought.q}" autocomplete="off"></div>
${filters}
${moment('from', 'From, UTC', sought)}
${moment('until', 'Until, UTC', sought)}
<div class="press"><button>Find</button> <a href="${dashboardPath}${path}">All</a></div>
</form>`
  const nothing = html`<p class="empty">Nothing fits. ${elsewhere} <a href="${dashboardPath}${path}">Show all</a></p>`
  return dashboardPage({
    title,
    at: path,
    gateway,
    content: html`<h1>${title}</h1>
<section aria-label="Search">${search}</section>
<section aria-label="${title}">${writeLive('count', html`<p class="soft">${grouped(found)} found. ${kept}</p>`)}
${writeLive('found', found === 0 ? nothing : table)}
${writeLive('pages', turning)}</section>`,
  })
}

const soughtNames = [
  'q',
  'operation',
  'status',
  'fault',
  'verdict',
  'from',
  'until',
] as const satisfies readonly (keyof Sought)[]

const readSought = (query: Query): Sought =>
  Object.fromEntries(soughtNames.map(name => [name, (query.get(name) ?? '').trim().slice(0, 128)])) as unknown as Sought

const pageNumber = (query: Query): number => Math.max(1, Number(/^\d{1,6}$/.exec(query.get('page') ?? '')?.[0] ?? 1))

function pageOf<Row>(rows: readonly Row[], query: Query): readonly Row[] {
  const page = Math.min(pageNumber(query), Math.max(1, Math.ceil(rows.length / pageSize)))
  return rows.slice((page - 1) * pageSize, page * pageSize)
}

function addressOf(path: string, { query, page }: { readonly query: Query; readonly page: number }): string {
  const kept = Object.entries(readSought(query)).filter(([, value]) => value !== '')
  return `${dashboardPath}${path}?${new URLSearchParams([...kept, ['page', String(page)]])}`
}

function pick(name: keyof Sought, label: string, choices: readonly string[], sought: Sought): Html {
  const options = choices.map(
    value => html`<option value="${value}"${sought[name] === value ? html` selected` : undefined}>${value}</option>`,
  )
  return html`<div><label for="${name}">${label}</label><select id="${name}" name="${name}">
<option value="">any</option>${options}</select></div>`
}

const moment = (name: 'from' | 'until', label: string, sought: Sought): Html =>
  html`<div><label for="${name}">${label}</label><input id="${name}"
name="${name}" type="datetime-local" step="1" value="${sought[name]}"></div>`

const grouped = (count: number): string => groupDigits(String(count))
