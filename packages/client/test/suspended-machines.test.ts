/** A machine that sleeps in the middle of a call: its timers and its monotonic clock stand still, and the clock of the day goes on. */
import type { Dispatcher } from 'undici'
import { describe, expect, it } from 'vitest'
import { createClient, type RequestDispatcher } from '../src/index.js'
import { anyReply } from './capturing-dispatcher.js'
import { recordAttempts } from './recorded-attempts.js'
import { controlKey, saleRequest } from './sample-requests.js'

const hour = 3_600_000
const began = Date.UTC(2026, 0, 5)

/** Where in its call a machine falls asleep, or where its clock is set. */
type Moment = 'signed' | 'connecting' | 'sent' | 'answering'

/** Sells through a client whose clock moves by `by` at that moment. */
async function sellWhile({ moment, by }: { readonly moment: Moment; readonly by: number }) {
  let now = began
  const reach = (reached: Moment): void => {
    if (reached === moment) now += by
  }
  const { observer, attempts } = recordAttempts()
  let sent = 0
  const dispatcher: RequestDispatcher = {
    reportsStart: true,
    dispatch(_options, handler) {
      reach('connecting')
      let stopped: Error | undefined
      const abort = (reason: Error): void => {
        stopped ??= reason
      }
      const controller = { abort } as Dispatcher.DispatchController
      handler.onRequestStart?.(controller, {})
      if (stopped !== undefined) {
        handler.onResponseError?.(controller, stopped)
        return true
      }
      sent += 1
      reach('sent')
      handler.onResponseStart?.(controller, 200, { 'content-type': 'application/vnd.pay+json' }, 'OK')
      reach('answering')
      handler.onResponseData?.(controller, Buffer.from(anyReply))
      handler.onResponseEnd?.(controller, {})
      return true
    },
  }
  const client = createClient({
    baseUrl: 'https://gate.example/paynet',
    endpointId: 39,
    login: 'merchant',
    controlKey,
    dispatcher,
    clock: () => now,
    observer: { ...observer, signed: () => reach('signed') },
  })
  const ended = await client.sale(saleRequest).then(
    () => 'answered',
    (error: { readonly code: string }) => error.code,
  )
  await client.close()
  return { ended, sent, ends: attempts().map(({ end }) => end?.kind) }
}

describe('a sale on a machine that sleeps for an hour', () => {
  it.each<Moment>(['signed', 'connecting'])(
    'at "%s" is not sent when it wakes, and the observer hears so',
    async moment => {
      expect(await sellWhile({ moment, by: hour })).toEqual({ ended: 'ERR_NOT_SENT', sent: 0, ends: ['not-sent'] })
    },
  )

  it.each<Moment>(['sent', 'answering'])('at "%s" takes the answer that is there when it wakes', async moment => {
    expect(await sellWhile({ moment, by: hour })).toEqual({ ended: 'answered', sent: 1, ends: ['accepted'] })
  })
})

it.each<Moment>(['signed', 'connecting', 'sent', 'answering'])(
  'a sale goes on where the clock is set back an hour at "%s"',
  async moment => {
    expect(await sellWhile({ moment, by: -hour })).toEqual({ ended: 'answered', sent: 1, ends: ['accepted'] })
  },
)
