import { hidden, maskCardNumbers, shortMasked, type WireProfile } from '@tillkit/protocol'
import { encodeForm, type Parameter } from '@tillkit/signing'
import { request } from 'undici'
import type { Ending } from '../command-line/exit-codes.js'
import { InterruptedError, stopSignal, withProgress } from '../command-line/progress.js'
import type { Surroundings } from '../command-line/surroundings.js'
import { columnsOf, paintFor, printable, withoutUser } from '../command-line/wrap.js'
import { section, table } from './transcript.js'

/** A callback on its way to a shop. */
export interface Parcel {
  /** The shop's address, without the parameters. */
  readonly url: URL
  readonly method: 'GET' | 'POST'
  readonly parameters: readonly Parameter[]
  /** Of the gateway that it is signed as: it says which parameter is secret. */
  readonly profile: WireProfile
}

/** What the shop answered. */
type Delivered =
  | {
      readonly kind: 'answered'
      readonly httpStatus: number
      readonly text: string
      readonly location: string | undefined
    }
  | { readonly kind: 'no-answer'; readonly reason: string }

/** How long the shop may take, in milliseconds. */
const patience = 30_000

/** Most characters of the shop's answer that are shown. */
const mostShown = 300

/** Sends a callback to a shop and says what its answer means. */
export async function deliver(
  parcel: Parcel,
  { json }: { readonly json?: true },
  surroundings: Surroundings,
): Promise<Ending> {
  const signal = stopSignal(surroundings)
  const delivered = await withProgress(surroundings, `Waiting for ${parcel.url.host}`, () => send(parcel, signal))
  if (signal.aborted) {
    throw new InterruptedError(
      `${parcel.url.host} had not answered: the callback may have arrived. Look into the log of the shop.`,
    )
  }
  const means = meaningOf(delivered, parcel.url)
  const { kind, ...answer } = delivered
  const sent = {
    method: parcel.method,
    to: shownAddress(parcel.url),
    parameters: Object.fromEntries(shown(parcel)),
  }
  surroundings.say(
    json === true
      ? `${JSON.stringify({ kind: means.taken ? 'taken' : kind === 'answered' ? 'not-taken' : kind, sent, answer, means: means.text })}\n`
      : describe(parcel, { delivered, means }, surroundings),
  )
  return means.taken ? 'done' : 'failed'
}

async function send({ url, method, parameters, profile }: Parcel, signal: AbortSignal): Promise<Delivered> {
  const address = new URL(url)
  const form = encodeForm(parameters)
  if (method === 'GET') address.search = address.search === '' ? form : `${address.search}&${form}`
  try {
    const { statusCode, headers, body } = await request(address, {
      method,
      signal: AbortSignal.any([signal, AbortSignal.timeout(patience)]),
      ...(method === 'POST' ? { body: form, headers: { 'content-type': 'application/x-www-form-urlencoded' } } : {}),
    })
    const text = maskCardNumbers((await body.text()).slice(0, 10_000))
    const secret = parameters.find(([name]) => name === profile.callbackParameters.value.control)?.[1] ?? ''
    const { location } = headers
    return {
      kind: 'answered',
      httpStatus: statusCode,
      text: shortMasked(withoutUser(secret === '' ? text : text.replaceAll(secret, hidden)).trim(), mostShown),
      location: typeof location === 'string' ? withoutQuery(location) : undefined,
    }
  } catch (error) {
    const { code = '', name = '', message = '' } = error as NodeJS.ErrnoException
    const reason = name === 'TimeoutError' ? `nothing came in ${patience / 1_000} s` : message || code || name
    return { kind: 'no-answer', reason }
  }
}

/** A shop that redirects repeats what it was sent. */
const withoutQuery = (location: string): string => maskCardNumbers(withoutUser(location.replace(/[?#].*$/s, '?…')))

interface Means {
  readonly taken: boolean
  readonly text: string
}

/** @see The public page of merchant callbacks: the gateway takes HTTP 200 as received, and repeats what is answered otherwise. */
function meaningOf(delivered: Delivered, { host }: URL): Means {
  if (delivered.kind === 'no-answer') {
    const text = `${host} did not answer: ${delivered.reason}. A gateway would call again later. Does the shop run, at this address?`
    return { taken: false, text }
  }
  const { httpStatus } = delivered
  if (httpStatus === 200) {
    return {
      taken: true,
      text: 'The shop took it: a gateway would not call again. Whether the order is paid only status says.',
    }
  }
  return { taken: false, text: `${reasonOf(httpStatus)} A gateway takes HTTP 200 only, and would call again later.` }
}

function reasonOf(status: number): string {
  if (status >= 300 && status < 400) return 'The shop sent a redirect, which a gateway does not follow.'
  if (status === 401 || status === 403) {
    return 'The shop refused it: does it have the same control key, and does it ask for a login or a CSRF token there?'
  }
  if (status === 404 || status === 405) return 'The shop has no such page for this method: is the path right?'
  if (status === 503)
    return (
      'The shop cannot settle it now: look into its log. Shops answer so too where status does not say the same, ' +
      'or where --order-id is not the gateway’s id of the order.'
    )
  if (status >= 500) return 'The shop failed: look into its log.'
  return 'The shop did not take it.'
}

/** Parameters as they may be seen: the control value says who signed, and could be sent again. */
const shown = ({ parameters, profile }: Parcel): readonly Parameter[] =>
  parameters.map(([name, value]) => [
    name,
    name === profile.callbackParameters.value.control ? hidden : maskCardNumbers(value),
  ])

const shownAddress = ({ origin, pathname }: URL): string => `${origin}${pathname}`

function describe(
  parcel: Parcel,
  { delivered, means }: { readonly delivered: Delivered; readonly means: Means },
  surroundings: Surroundings,
): string {
  const { url, method } = parcel
  const paint = paintFor(surroundings)
  const look = { paint, columns: columnsOf(surroundings.terminal) }
  const answer =
    delivered.kind === 'no-answer'
      ? [`nothing: ${delivered.reason}`]
      : [
          `HTTP ${delivered.httpStatus}${delivered.location === undefined ? '' : ` to ${delivered.location}`}`,
          ...delivered.text.split('\n', 6),
        ].filter(line => line !== '')
  const kind = paint(means.taken ? 'good' : 'bad', means.taken ? 'taken' : 'not taken')
  const parts = [
    section('Sent', [printable(`${method} ${shownAddress(url)}`), ...table(shown(parcel))], look),
    section('Answered', answer.map(printable), look),
    section('Means', [`${kind}: ${means.text}`], look),
  ]
  return `${parts.join('\n\n')}\n`
}
