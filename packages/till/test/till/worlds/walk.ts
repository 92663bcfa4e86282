/**
 * A customer's way through a world: types a card, goes through 3DS, and comes back to the shop; or goes away in the middle.
 *
 * @module
 */
import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { type FakeGateway, testCard, threeDSecurePassword } from '@tillkit/testing'
import type { Chance } from '../../../../client/test/worlds/chance.js'
import { formsOf, type OpenPage, refreshOf, submitsItself } from '../../../../testing/src/customer/open-page.js'
import type { Till } from '../../../src/index.js'

interface Answered {
  readonly status: number
  readonly location: string | undefined
  readonly html: string
}

/** A customer's surroundings on a walk. */
export interface Walk {
  readonly gateway: FakeGateway
  readonly till: Till
  readonly chance: Chance
  /** Origin of the shop. */
  readonly shop: string
  readonly cvv2: string
}

const mostPages = 20

/** Walks until a page of the shop is reached that leads nowhere, or the customer goes away. */
export async function walk(address: string, way: Walk): Promise<void> {
  const { chance, cvv2 } = way
  let next: { readonly url: URL; readonly body?: string } | undefined = { url: new URL(address, way.shop) }
  for (let pages = 0; next !== undefined && pages < mostPages; pages += 1) {
    if (chance.of(0.05)) return
    const { url }: { readonly url: URL } = next
    const { status, location, html }: Answered = await open(next, way)
    if (location !== undefined && status >= 300 && status < 400) {
      next = { url: new URL(location, url) }
      continue
    }
    next = leadsTo({ url, status, html }, cvv2)
  }
}

function leadsTo(page: OpenPage, cvv2: string): { readonly url: URL; readonly body?: string } | undefined {
  const refresh = refreshOf(page)
  if (refresh !== undefined) return { url: refresh }
  const form = formsOf(page).find(({ target }) => target === undefined)
  const isShop = page.url.hostname === 'shop.example'
  // A button of the shop begins anew: that is for the merchant to be asked.
  if (form === undefined || (isShop && !submitsItself(page))) return undefined
  const typed: Readonly<Record<string, string>> = {
    credit_card_number: testCard,
    card_printed_name: 'JOAN BAKER',
    expire_month: '12',
    expire_year: '2099',
    cvv2,
    password: threeDSecurePassword,
  }
  const fields = form.fields.map(([name, value]): [string, string] => [name, typed[name] ?? value])
  return { url: form.action, body: new URLSearchParams(fields).toString() }
}

const open = (request: { readonly url: URL; readonly body?: string }, way: Walk): Promise<Answered> =>
  request.url.origin === way.shop ? openShop(request, way) : openGateway(request, way)

async function openShop(
  { url, body }: { readonly url: URL; readonly body?: string },
  { till }: Walk,
): Promise<Answered> {
  const message = new IncomingMessage(new Socket())
  const headers = {
    accept: 'text/html',
    ...(body === undefined ? {} : { 'content-type': form, 'content-length': String(Buffer.byteLength(body)) }),
  }
  const method = body === undefined ? 'GET' : 'POST'
  const request = Object.assign(message, { method, url: `${url.pathname}${url.search}`, headers })
  if (body !== undefined) message.push(body)
  message.push(null)
  const answer = await till.answer(request)
  const location = answer?.headers.Location ?? answer?.headers.location
  return {
    status: answer?.status ?? 404,
    location: location === undefined ? undefined : String(location),
    html: String(answer?.body ?? ''),
  }
}

const form = 'application/x-www-form-urlencoded'

const openGateway = (
  { url, body }: { readonly url: URL; readonly body?: string },
  { gateway }: Walk,
): Promise<Answered> =>
  new Promise(resolve => {
    let [status, location, html] = [0, undefined as string | undefined, '']
    gateway.dispatcher.dispatch(
      {
        origin: url.origin,
        path: `${url.pathname}${url.search}`,
        method: body === undefined ? 'GET' : 'POST',
        headers: { accept: 'text/html', ...(body === undefined ? {} : { 'content-type': form }) },
        ...(body === undefined ? {} : { body }),
      },
      {
        onRequestStart() {},
        onResponseStart(_, code, headers) {
          status = code
          const to = headers.location
          location = typeof to === 'string' ? to : undefined
        },
        onResponseData(_, chunk) {
          html += chunk.toString()
        },
        onResponseEnd: () => resolve({ status, location, html }),
        onResponseError: () => resolve({ status, location, html }),
      },
    )
  })
