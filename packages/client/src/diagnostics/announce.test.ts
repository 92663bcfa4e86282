import { describe, expect, it } from 'vitest'
import type { CallResult } from '../reply/conclude.js'
import { announcePoll, announceRequest } from './announce.js'
import { channels, onChannel, type PollMessage, type RequestMessage } from './channels.js'

const conclusion: CallResult = { ending: 'answered', httpStatus: 200, reply: { raw: {} } }
const described = (): RequestMessage => ({
  operation: 'status',
  effect: 'reads',
  scheme: 'control',
  path: '/paynet/api/v2/status/{endpointId}',
  serverAddress: 'gate.example',
  serverPort: 443,
  startedAt: 1000,
})
const poll: PollMessage = { stages: ['sale'], count: 1, answer: 'not-final', nextIn: 4000 }

const never = () => {
  throw new Error('nobody listens')
}

describe('announceRequest', () => {
  it('computes nothing when nobody listens', async () => {
    const run = async () => conclusion
    expect(await announceRequest({ describe: never, clock: never, run })).toBe(conclusion)
  })

  it.each([channels.requestStart, channels.requestError, channels.requestEnd])(
    'describes the request when somebody listens to %s alone',
    async name => {
      let asked = 0
      const stop = onChannel(name, () => {})
      const describe = () => {
        asked += 1
        return described()
      }
      await announceRequest({ describe, clock: () => 1000, run: async () => conclusion })
      stop()
      expect(asked).toBe(1)
    },
  )

  it('passes an outcome on although the clock fails', async () => {
    const ended: unknown[] = []
    const stop = onChannel(channels.requestEnd, message => ended.push(message))
    const run = async () => conclusion
    expect(await announceRequest({ describe: described, clock: never, run })).toBe(conclusion)
    stop()
    expect(ended).toEqual([])
  })
})

describe('announcePoll', () => {
  it('computes nothing when nobody listens', () => {
    expect(() => announcePoll(never)).not.toThrow()
  })

  it('publishes what it is given until nobody listens any more', () => {
    const seen: PollMessage[] = []
    const stop = onChannel(channels.poll, message => seen.push(message))
    announcePoll(() => poll)
    stop()
    announcePoll(() => poll)
    expect(seen).toEqual([poll])
  })
})
