import { encodeForm, type Parameter } from '@tillkit/signing'
import { type Dispatcher, request } from 'undici'
import { testCard, threeDSecurePassword } from '../fixtures/cards.js'
import { formsOf, mistakesOn, type OpenPage, type PageForm, refreshOf, submitsItself } from './open-page.js'

/** What the customer types, under the names of the records. */
export interface CustomerInput {
  /** Default: `testCard`. */
  readonly creditCardNumber?: string
  /** Default: `JOAN BAKER`. */
  readonly cardPrintedName?: string
  /** Default: `12`. */
  readonly expireMonth?: string
  /** Default: `2099`. */
  readonly expireYear?: string
  /** Decides the outcome, see the README: `123` is approved, `321` asks for 3DS. Default: `123`. */
  readonly cvv2?: string
  /** Account that a payout goes to. Default: none, and the payout goes to the card. */
  readonly accountNumber?: string
  /** Code of 3DS. Default: the right one, `threeDSecurePassword`. */
  readonly password?: string
  /** Presses "Cancel" on the first page of the gateway that has it. Default: false. */
  readonly cancels?: boolean
}

/** Options of {@link payAsCustomer}. */
export interface PayAsCustomerOptions extends CustomerInput {
  /** Whose pages are filled in: a fake gateway, or the settings of a client of one that is another process. */
  readonly gateway: PayingGateway
}

/** A gateway whose pages a customer fills in. */
export interface PayingGateway {
  /** Default: pages are fetched over HTTP. */
  readonly dispatcher?: Dispatcher
  readonly clientOptions: { readonly baseUrl: URL | string }
}

const mostPages = 30

/**
 * Goes where a customer is sent, types a card and a code where the gateway or the test bank asks for them, and follows
 * redirects and pages that go on by themselves, until a page of yours is reached that does not.
 *
 * It runs no scripts, keeps no cookies and waits for nothing: a page that would look again in a while is where it ends.
 *
 * @example
 * ```ts
 * const sent = await fetch(`${shop}/orders/1/pay`, { method: 'POST', redirect: 'manual' })
 * const page = await payAsCustomer(sent, { gateway, cvv2: '321' })
 * expect(page.url.pathname).toBe('/orders/1')
 * ```
 *
 * @param start The address that the customer is sent to, or your answer that sends them there.
 * @throws An error when the gateway does not take what was typed, saying why; when the gateway has no such page,
 * or leads to one that is not there (404); or after 30 pages in a row.
 */
export async function payAsCustomer(start: Response | URL | string, options: PayAsCustomerOptions): Promise<OpenPage> {
  const walk: Walk = { ...options, pagesLeft: mostPages, from: undefined }
  return follow(await pageOf(start, walk), walk)
}

interface Walk extends PayAsCustomerOptions {
  pagesLeft: number
  /** The page that led on to the one that is opened now. */
  from: URL | undefined
}

async function pageOf(start: Response | URL | string, walk: Walk): Promise<OpenPage> {
  if (typeof start === 'string' || start instanceof URL) return open(addressOf(start), walk)
  const location = start.headers.get('location')
  if (location !== null) return open(new URL(location, start.url), walk)
  return { url: new URL(start.url), status: start.status, html: await start.text() }
}

function addressOf(start: string | URL): URL {
  if (URL.canParse(String(start))) return new URL(start)
  throw new TypeError(
    `payAsCustomer: ${JSON.stringify(start)} is a path, not a whole address. ` +
      'It may be your own page, because the payment is over: ' +
      'a store that is kept in a file knows the payments of an earlier run. ' +
      'Delete that file, or hand over the Response that sends the customer there.',
  )
}

async function follow(start: OpenPage, walk: Walk): Promise<OpenPage> {
  let page = start
  for (;;) {
    const next = await nextPage(page, walk)
    if (next === undefined) return page
    page = next
  }
}

/** Where the page leads; undefined where it stays. */
async function nextPage(page: OpenPage, walk: Walk): Promise<OpenPage | undefined> {
  const refresh = refreshOf(page)
  if (refresh !== undefined) return open(refresh, walk)
  const forms = formsOf(page)
  const framed = forms.find(({ target }) => target !== undefined)
  const form = forms.find(({ target }) => target === undefined)
  if (submitsItself(page)) {
    if (framed !== undefined) {
      const inFrame = await follow(await submit(framed, walk), walk)
      // The page around it goes on once the bank has led the frame back to where the page comes from.
      if (inFrame.url.origin !== page.url.origin) return undefined
    }
    return form && submit(form, walk)
  }
  if (form === undefined || page.url.origin !== originOf(walk)) return undefined
  return typeInto(page, form, walk)
}

async function typeInto(page: OpenPage, form: PageForm, walk: Walk) {
  const typed = inputOf(form, walk)
  const fields = form.fields.map(([name, value]): Parameter => [name, typed[name] ?? value])
  const next = await submit({ ...form, fields: walk.cancels ? [...fields, ['cancel', '1']] : fields }, walk)
  const mistakes = mistakesOn(next)
  if (mistakes.length === 0) return next
  throw new Error(`The page ${page.url.pathname} of the gateway did not take what was typed: ${mistakes.join(' ')}`)
}

function inputOf({ inputs }: PageForm, input: CustomerInput): Readonly<Record<string, string>> {
  const { creditCardNumber = testCard, accountNumber, password = threeDSecurePassword } = input
  if (accountNumber !== undefined && inputs.includes('account_number')) return { account_number: accountNumber }
  return {
    credit_card_number: creditCardNumber,
    card_printed_name: input.cardPrintedName ?? 'JOAN BAKER',
    expire_month: input.expireMonth ?? '12',
    expire_year: input.expireYear ?? '2099',
    cvv2: input.cvv2 ?? '123',
    password,
  }
}

const originOf = ({ gateway }: Walk): string => new URL(gateway.clientOptions.baseUrl).origin

/** An address without what is secret in it. */
const placeOf = ({ origin, pathname }: URL): string =>
  `${origin}${pathname.length > 60 ? `${pathname.slice(0, 60)}…` : pathname}`

/** A page of the gateway, or one that it leads to, is always there. */
function lost(url: URL, from: URL | undefined, walk: Walk, [what, ofGateway, ofShop]: readonly string[]): string {
  const way = from === undefined ? 'was sent' : `was led from ${placeOf(from)}`
  return `The customer ${way} to ${placeOf(url)}, ${what} ${url.origin === originOf(walk) ? ofGateway : ofShop}`
}

const noPage = [
  'where there is no page (404).',
  'The gateway was started anew since it gave that address, and its orders are gone. ' +
    'Delete the store of your shop, or use a new reference.',
  'Most likely the routes of your till are not mounted: app.use(path of its "address", till.express()).',
] as const

const submit = ({ action, fields }: PageForm, walk: Walk) => open(action, walk, fields)

/** Opens a page and follows redirects, which turn a POST into a GET. */
async function open(url: URL, walk: Walk, fields?: readonly Parameter[]): Promise<OpenPage> {
  if (walk.pagesLeft === 0) throw new Error(`The customer was led on ${mostPages} times, the last time to ${url.href}`)
  walk.pagesLeft -= 1
  const accept = { accept: 'text/html' }
  const { dispatcher } = walk.gateway
  const { from } = walk
  walk.from = url
  const { statusCode, headers, body } = await request(url, {
    ...(dispatcher !== undefined && url.origin === originOf(walk) ? { dispatcher } : {}),
    ...(fields === undefined
      ? { method: 'GET', headers: accept }
      : {
          method: 'POST',
          headers: { ...accept, 'content-type': 'application/x-www-form-urlencoded' },
          body: encodeForm(fields),
        }),
  }).catch(cause => {
    const noAnswer = [
      `and no answer came (${cause instanceof Error ? cause.message : cause}).`,
      'Is the gateway listening?',
      `Most likely your shop does not listen there: compare the till's "address" with the port that your shop listens on.`,
    ]
    throw new Error(lost(url, from, walk, noAnswer), { cause })
  })
  const html = await body.text()
  const isLedByGateway = from?.origin === originOf(walk)
  if (statusCode === 404 && (isLedByGateway || url.origin === originOf(walk)))
    throw new Error(lost(url, from, walk, noPage))
  const { location } = headers
  const isRedirect = statusCode >= 300 && statusCode < 400 && typeof location === 'string'
  if (isRedirect) return open(new URL(location, url), walk)
  return { url, status: statusCode, html }
}
