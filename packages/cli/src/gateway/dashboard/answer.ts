import { type GatewayRequest, type GatewayState, html, readTyped, type WrittenAnswer } from '@tillkit/testing/gateway'
import { refuseStranger, runControl } from '../control/answer.js'
import { ControlError, decoded } from '../control/input.js'
import type { ControlRouteName } from '../control/routes.js'
import { findShownOrder } from '../inspection/orders.js'
import { callPage } from './call-page.js'
import { explainPage } from './explain-page.js'
import { ordersPage, requestsPage } from './list-pages.js'
import { dashboardPage, dashboardPath, orderAddress } from './look/layout.js'
import { orderPage } from './order-page.js'
import { overviewPage } from './overview-page.js'

/** What a page says after a button was pressed. */
const notices: { readonly [Name in ControlRouteName]?: string } = {
  actOnOrder: 'Done. A callback is on its way where the order asks for one about this.',
  resendCallback: 'The callback was sent once more.',
  armFault: 'The fault is armed.',
  armPreset: 'Armed for the next request that fits. Once it struck, the row of that request is marked with it.',
  disarmFault: 'The fault is disarmed.',
  clearFaults: 'No fault is armed any more.',
  planOutcome: 'The outcome is planned.',
  clearOutcomes: 'No outcome is planned any more, except those of the option "outcomes".',
  advanceClock: 'The clock was moved forward, and everything that fell due is done.',
  reset: 'Everything was forgotten.',
}

/** Answers a request to the dashboard: it shows a page, or does what a button asks for. */
export async function answerDashboard(request: GatewayRequest, gateway: GatewayState): Promise<WrittenAnswer> {
  const typed = readTyped(request, gateway.settings.maxBodyBytes)
  // The page that a button was pressed on: that of an order, or the overview.
  const page = typed?.page !== undefined && /^orders\/\d+$/.test(typed.page) ? typed.page : ''
  try {
    refuseStranger(request, gateway)
    const path = request.url.pathname.slice(dashboardPath.length)
    const isReading = request.method === 'GET' || request.method === 'HEAD'
    if (isReading) return show(path, request, gateway)
    if (request.method !== 'POST') throw new ControlError(405, 'The pages here take GET and POST only.')
    if (path === 'explain') return explainPage(gateway, readForm(typed))
    const name = path.replace(/^do\//, '')
    if (!path.startsWith('do/') || !isButton(name)) throw new ControlError(404, 'There is no such button.')
    const { page: _, ...sent } = readForm(typed)
    await runControl(name, sent, gateway)
    // A fault may have closed the port that the button was sent to.
    const open = gateway.isOpen() ? '' : (gateway.controlOrigin() ?? '')
    return leadTo(`${open}${dashboardPath}${page}?done=${name}`)
  } catch (error) {
    const [status, text] =
      error instanceof ControlError ? [error.status, error.message] : [500, `The fake failed: ${String(error)}`]
    const content = html`<h1>Not possible</h1>
<p class="problem" role="alert">${text}</p>
<p><a href="${dashboardPath}${page}">Back</a></p>`
    return dashboardPage({ title: 'Not possible', status, live: false, content, gateway })
  }
}

function readForm<Typed>(typed: Typed | undefined): Typed {
  if (typed === undefined) throw new ControlError(400, 'What was sent is no form, or is too long.')
  return typed
}

function show(path: string, request: GatewayRequest, gateway: GatewayState): WrittenAnswer {
  const done = request.url.searchParams.get('done') ?? ''
  const notice = isButton(done) ? notices[done] : undefined
  if (path === '') return overviewPage(gateway, notice)
  if (path === 'orders') return ordersPage(request.url.searchParams, gateway)
  if (path === 'requests') return requestsPage(request.url.searchParams, gateway)
  if (path === 'calls') return leadTo(`${dashboardPath}requests`)
  if (path === 'explain') return explainPage(gateway)
  const id = /^orders\/(.+)$/.exec(path)?.[1]
  const order = id === undefined ? undefined : findShownOrder(decoded(id), gateway)
  if (order !== undefined)
    return order.orderId === id ? orderPage(order, gateway, notice) : leadTo(orderAddress(order.orderId))
  const number = /^calls\/(\d+)$/.exec(path)?.[1]
  const call = gateway.log.list().find(each => String(each.number) === number)
  if (call !== undefined) return callPage(call, gateway)
  throw new ControlError(404, 'Nothing is at this address, or no longer: the gateway was reset, or its log is full.')
}

const leadTo = (location: string): WrittenAnswer => ({
  status: 303,
  headers: { location, 'cache-control': 'no-store' },
  body: '',
})

const isButton = (name: string): name is ControlRouteName => Object.hasOwn(notices, name)
