import { setInterval } from 'node:timers/promises'
import { type GatewayAnswer, type GatewayRequest, type GatewayState, stageOutcome } from '@tillkit/testing/gateway'

/** How often a change is looked for, in milliseconds: many changes at once are told as one. */
const interval = 250

/** A sign of life each so many looks, ten seconds: pages that hear nothing for longer ask by themselves. */
const looksPerBeat = 40

/** Each is a connection that stays open. The tabs of one browser share one. */
const mostListeners = 32

/**
 * Makes what answers `/__gateway/events`: server-sent events that say that something changed, with the gateway's time.
 *
 * It looks for changes, and only while a page listens. A stage becomes final because time passes, so it has to look in any
 * case, and a gateway without listeners does nothing for them.
 *
 * @see https://html.spec.whatwg.org/multipage/server-sent-events.html
 */
export function createEvents() {
  let listeners = 0

  async function* follow(gateway: GatewayState, gone: AbortSignal): AsyncGenerator<string> {
    listeners += 1
    try {
      let before = whatPagesShow(gateway)
      yield `retry: 1000\n${message(gateway)}`
      let quiet = 0
      for await (const _ of setInterval(interval, undefined, { ref: false, signal: gone })) {
        const after = whatPagesShow(gateway)
        quiet += 1
        if (differ(before, after)) yield message(gateway)
        else if (quiet >= looksPerBeat) yield `event: beat\n${message(gateway)}`
        else continue
        before = after
        quiet = 0
      }
    } finally {
      listeners -= 1
    }
  }

  return ({ method }: GatewayRequest, gateway: GatewayState): GatewayAnswer => {
    if (listeners >= mostListeners) {
      const body = `${mostListeners} pages listen already. The others ask every few seconds.\n`
      return {
        status: 503,
        headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' },
        body,
      }
    }
    const headers = {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
      'cross-origin-resource-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      // nginx would hold events back until there are many.
      'x-accel-buffering': 'no',
    }
    if (method === 'HEAD') return { status: 200, headers, body: '' }
    return { status: 200, headers, stream: gone => follow(gateway, gone) }
  }
}

const message = ({ clock }: GatewayState): string => `data: ${clock.now()}\n\n`

interface Shown {
  /** What is replaced when it changes. */
  readonly objects: readonly unknown[]
  readonly facts: string
  /** By how much the clock was advanced, in milliseconds. */
  readonly advanced: number
}

function whatPagesShow({ orders, log, journal, callbackSender, faults, outcomes, clock, isOpen }: GatewayState): Shown {
  const now = clock.now()
  const known = orders.orders()
  let open = 0
  for (const { stages } of known) for (const stage of stages) if (stageOutcome(stage, now) === 'processing') open += 1
  return {
    objects: [...known, log.list().at(-1), journal.list().at(-1), callbackSender.list().at(-1)],
    facts: JSON.stringify([open, faults.armed(), outcomes.planned(), isOpen()]),
    advanced: now - clock.base(),
  }
}

function differ(before: Shown, after: Shown): boolean {
  return (
    before.facts !== after.facts ||
    // The clock may go on between the two readings of it.
    Math.abs(before.advanced - after.advanced) > 100 ||
    before.objects.length !== after.objects.length ||
    before.objects.some((each, index) => each !== after.objects[index])
  )
}
