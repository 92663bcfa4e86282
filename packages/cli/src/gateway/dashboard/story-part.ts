import { type CallbackDelivery, faultTable, type OrderActionName } from '@tillkit/testing'
import { type GatewayState, groupDigits, type Html, html } from '@tillkit/testing/gateway'
import { type Callback, callbackTitle, fieldsOfCall } from '../inspection/orders.js'
import { callbackSignature } from '../inspection/signatures.js'
import type { Expected, StoryEvent } from '../inspection/story.js'
import { writeDuration } from './look/duration.js'
import { writeHttpStatus, writeMoment, writeMoney, writeNamed, writeStatus } from './look/elements.js'
import { callAddress, dashboardPath } from './look/layout.js'
import { answerPart, faultMark, signaturePart } from './tables.js'

type Told = {
  readonly [Kind in StoryEvent['kind']]: (event: Extract<StoryEvent, { kind: Kind }>, page: StoryPage) => Html
}

interface StoryPage {
  readonly currency: string | undefined
  readonly gateway: GatewayState
}

/** Events of one page: an order that is asked about without end would fill it. */
const mostEvents = 300

/** Writes what happened to an order, oldest first. Times count from the first event. */
export function storyPart(events: readonly StoryEvent[], page: StoryPage): Html {
  const [first] = events
  if (first === undefined)
    return html`<p class="empty">The log has nothing of it any more: it keeps the latest requests only.</p>`
  // Of what a request made the request comes first, as long as the log has it.
  const [oldest] = page.gateway.log.list()
  const dropped =
    oldest !== undefined && oldest.number > 1 && oldest.at > first.at && !events.some(({ kind }) => kind === 'request')
  const lines = events.slice(-mostEvents).map(
    event => html`<li class="${event.kind}">${timeOf(event.at, event.at === first.at ? '0' : `+ ${writeDuration(event.at - first.at)}`)}
<span class="sign" aria-hidden="true">${signs[event.kind]}</span>
<div>${tell(event, page)}</div></li>
`,
  )
  const begins = dropped
    ? ` Its first requests are no longer in the log, which begins with number ${oldest.number}.`
    : ''
  const latest =
    events.length > mostEvents ? ` These are the latest ${mostEvents} of ${groupDigits(String(events.length))}.` : ''
  return html`<p class="soft">Times count from ${writeMoment(first.at)} UTC, on the gateway's clock.${begins}${latest}</p>
<ol class="story">
${lines}</ol>`
}

const exact = (at: number): string => `${new Date(at).toISOString().replace('T', ' ').replace('Z', '')} UTC`

const timeOf = (at: number, text: string): Html =>
  html`<time datetime="${new Date(at).toISOString()}" title="${exact(at)}">${text}</time>`

const signs: Readonly<Record<StoryEvent['kind'], string>> = {
  request: '→',
  page: '☐',
  action: '☝',
  ended: '●',
  fault: '!',
  callback: '←',
  clock: '»',
}

// The table gives each kind its own event, which the compiler cannot follow.
const tell = (event: StoryEvent, page: StoryPage): Html => tellings[event.kind](event as never, page)

const tellings: Told = {
  request({ call, count }, { gateway }) {
    const { number, operation, path, fault, duration } = call
    const times = count > 1 ? html`, ${String(count)} times, always the same answer` : undefined
    const { amount, currency } = fieldsOfCall(call, gateway)
    const money = amount === undefined ? undefined : html` of ${writeMoney(amount, currency)}`
    const asked = html`<a href="${callAddress(number)}">${String(number)} ${operation ?? path}</a>${money}${times}`
    const struck = fault && html`<p class="soft">${faultTable[fault].does}</p>`
    return html`${asked} <span class="soft">in ${writeDuration(duration)}</span> ${answerPart(call, gateway)}${struck}`
  },
  ended: ({ stage }, { currency }) => {
    const { amount, errorMessage, comment } = stage
    const why = errorMessage ?? comment
    const reason = why && html`<p class="why" dir="auto">${why}</p>`
    return html`<strong>${stage.stage}</strong> ${writeStatus(stage)} ${writeMoney(amount, currency)}${reason}`
  },
  callback({ delivery, callback }, { gateway }) {
    const { attempt, httpStatus, error, repeatsAt } = delivery
    const again =
      repeatsAt === undefined ? undefined : html`<p class="soft">It is sent again at ${writeMoment(repeatsAt)}.</p>`
    const title = html`<strong>${callbackTitle(delivery, gateway)}</strong>${attempt > 1 ? `, delivery ${attempt},` : ''}`
    const content = delivery === callback[0] ? contentOf(callback, gateway) : undefined
    return html`Callback ${title} to <code>${addressOf(delivery)}</code> ${writeHttpStatus(httpStatus)} ${error}${again}${content}`
  },
  page: ({ page, did, httpStatus }) =>
    html`The customer ${did === 'cancelled' ? 'cancelled at' : did} the ${page}${pageAnswers[httpStatus] ?? ''}.`,
  action({ action, stage, was, fault, toldApartBy }) {
    const by = fault === undefined ? 'hand' : html`the fault <code>${fault}</code>`
    const unlike = toldApartBy && html` <span class="soft">${unlikeOthers[toldApartBy]}</span>`
    return html`${acted[action as OrderActionName]} by ${by}${was && `: the ${stage} was ${was}`}.${unlike}`
  },
  fault: ({ fault }) => html`${faultMark(fault)} <span class="soft">${faultTable[fault].does}</span>`,
  clock: ({ milliseconds }) => html`The clock was moved forward by ${writeDuration(milliseconds)}.`,
}

const unlikeOthers = {
  codes: 'Nobody can ask for it by number: its RRN and its approval code tell it apart.',
  nothing: 'Nothing tells it apart from an equal one.',
} as const

const acted: Readonly<Record<OrderActionName, string>> = {
  approve: 'Approved',
  decline: 'Declined',
  'end-form': 'The form was ended',
  correct: 'Corrected',
  reverse: 'Reversed',
  'charge-back': 'Charged back',
}

const pageAnswers: Readonly<Record<number, string>> = {
  400: ', which refused what was posted',
  410: ', which was no longer open',
  422: ' with a mistake in it',
}

const addressOf = ({ url }: CallbackDelivery): string => url.split('?')[0] ?? url

function contentOf(callback: Callback, gateway: GatewayState): Html {
  const [first] = callback
  const id = `callback-${gateway.callbackSender.list().indexOf(first)}`
  return html`<details id="${id}"><summary>What it said</summary>
${writeNamed(first.parameters, 'Parameters of the callback')}
<h3>Its control value</h3>
${signaturePart(callbackSignature(first, gateway), { id: `${id}-covered` })}
</details>`
}

/** Writes what will happen to an order by itself. */
export function expectedPart(expected: readonly Expected[], now: number): Html | undefined {
  if (expected.length === 0) return undefined
  const lines = expected.map(each => {
    const when = html`in ${timeOf(each.at, writeDuration(each.at - now))}`
    if (each.kind === 'form-end') return html`<li>The form for the customer ends ${when}, unpaid.</li>`
    if (each.kind === 'amount') return html`<li>Status shows the amount of the ${each.stage.stage} ${when}.</li>`
    return each.kind === 'end'
      ? html`<li>The ${each.stage.stage} is ${each.outcome} ${when}.</li>`
      : html`<li>The callback is sent again ${when}: nobody took it.</li>`
  })
  return html`<h3>What happens by itself</h3><ul>${lines}</ul>
<p class="soft">On the gateway's clock, which the <a href="${dashboardPath}">overview</a> moves forward.</p>`
}
