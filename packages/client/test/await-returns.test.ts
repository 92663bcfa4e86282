/** Waiting for returns at gateways that do not say which request they speak of, over real HTTP. */

import { defineProfile } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { outcomeOf } from '../src/index.js'
import { fewQuestions, orderOf, startWatching, type Watching } from './watching.js'

const part = { amount: '3.00', currency: 'EUR' } as const

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

describe('awaitOutcome, where status ignores the serial number it is asked about', () => {
  it.each(['declined', 'approved'])('does not settle a return by the %s of another one', async status => {
    const { client, gateway } = watching
    const order = orderOf(await watching.sell())
    const first = await client.return({ ...order, ...part })
    gateway.handle({ status: () => ({ status, transactionType: 'reversal', ...order, ...part }) })
    const question = { ...order, stages: ['reversal'], ...part }
    const one = await client.awaitOutcome({ ...question, serialNumber: first.serialNumber }, fewQuestions)
    const second = await client.return({ ...order, ...part })
    const two = await client.awaitOutcome({ ...question, serialNumber: second.serialNumber }, fewQuestions)
    for (const ended of [one, two]) {
      expect(ended).toMatchObject({ kind: 'still-unknown', moneyMoved: 'unknown' })
      expect(ended.explanation).toContain('defineProfile({ statusEchoesSerialNumber: false })')
    }
  })

  it('settles it where the profile says that this gateway never echoes a serial number', async () => {
    const { client, gateway } = watching
    const order = orderOf(await watching.sell())
    const { serialNumber } = await client.return({ ...order, ...part })
    gateway.handle({ status: () => ({ status: 'approved', transactionType: 'reversal', ...order, ...part }) })
    const another = watching.another({ profile: defineProfile({ statusEchoesSerialNumber: false }) })
    const ended = await another.awaitOutcome({ ...order, stages: ['reversal'], serialNumber, ...part })
    expect(ended).toMatchObject({ kind: 'approved', moneyMoved: 'returned', stage: { serialNumber } })
  })
})

describe('awaitOutcome, asked with outcomeOf', () => {
  it('knows how a return ended', async () => {
    const { client } = watching
    const order = orderOf(await watching.sell())
    const request = { ...order, ...part }
    const question = outcomeOf('return', { request, reply: await client.return(request) })
    expect(await client.awaitOutcome(question)).toMatchObject({ kind: 'approved', moneyMoved: 'returned' })
  })
})
