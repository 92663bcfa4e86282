import type { Call, CallbackDelivery, FakeGateway } from '@tillkit/testing'
import { writeDuration } from '../gateway/dashboard/look/duration.js'

/** Longest a history is; what is left out is in the middle. */
const mostLines = 16

/** Longest that is shown of what a reply says. */
const mostCharacters = 90

/** The lines, oldest first. Everything in them was redacted when it was logged. */
export function historyOf(
  { calls, callbacks }: Pick<FakeGateway, 'calls' | 'callbacks'>,
  { from, after }: { readonly from: number; readonly after: number },
): readonly string[] {
  const events = [
    ...calls()
      .filter(({ number }) => number > after)
      .map(call => ({ at: call.at, text: describeCall(call) })),
    ...callbacks
      .list()
      .filter(({ at }) => at >= from)
      .map(delivery => ({ at: delivery.at, text: describeDelivery(delivery) })),
  ].sort((one, other) => one.at - other.at)
  const lines = events.map(({ at, text }) => `+${writeDuration(at - from).padEnd(10)} ${text}`)
  const half = mostLines / 2
  const left = lines.length - mostLines
  return left <= 0 ? lines : [...lines.slice(0, half), `… ${left} more …`, ...lines.slice(-half)]
}

function describeCall({ operation, path, fields, fault, httpStatus, verdict, explanation, reply }: Call): string {
  const order = fields.find(([name]) => /^client[-_]order-?id$/.test(name))?.[1]
  const answer = httpStatus === undefined ? 'no answer' : `HTTP ${httpStatus}`
  const said = reply?.status ?? (verdict === 'refused' ? explanation : undefined)
  return [
    [operation ?? path, order].filter(Boolean).join(' '),
    ` → ${answer}`,
    said === undefined ? '' : `, ${said.length > mostCharacters ? `${said.slice(0, mostCharacters)}…` : said}`,
    fault === undefined ? '' : ` (fault ${fault})`,
  ].join('')
}

function describeDelivery({ parameters, attempt, httpStatus, error }: CallbackDelivery): string {
  const value = (...names: readonly string[]) => parameters.find(([name]) => names.includes(name))?.[1] ?? ''
  const about = [value('merchant_order', 'client_orderid'), value('type'), value('status')].filter(Boolean).join(' ')
  return `callback ${about}, attempt ${attempt} → ${httpStatus === undefined ? error : `HTTP ${httpStatus}`}`
}
