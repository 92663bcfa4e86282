/** A gateway whose status replies name no stage: what a wait makes of it, over real HTTP. */

import { defineProfile } from '@tillkit/protocol'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fewQuestions, orderOf, startWatching, type Watching } from './watching.js'

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

const money = { amount: '10.42', currency: 'EUR' }

describe('a wait where status replies name no stage', () => {
  it('stays unknown by default, and says which entry of the profile to set', async () => {
    const question = await watching.sell()
    watching.gateway.handle({ status: () => ({ status: 'approved', ...orderOf(question), ...money }) })
    const ended = await watching.client.awaitOutcome(question, fewQuestions)
    expect(ended).toMatchObject({ kind: 'still-unknown', moneyMoved: 'unknown' })
    expect(ended.explanation).toContain('"statusNamesStage"')
  })

  it('sends the customer to 3DS and settles, where the profile says that none does', async () => {
    const question = await watching.sell()
    const redirectTo = 'https://gate.example/3ds'
    watching.answerStatus(
      { status: 'processing', ...orderOf(question), redirectTo },
      { status: 'approved', ...orderOf(question), ...money },
    )
    const client = watching.another({ profile: defineProfile({ statusNamesStage: false }) })
    const step = await client.awaitOutcome(question)
    expect(step).toMatchObject({ kind: 'needs-customer', step: { redirectTo } })
    const ended = await client.awaitOutcome(question, { shownSteps: step.shownSteps })
    expect(ended).toMatchObject({ kind: 'approved', moneyMoved: 'captured', stage: { stage: 'sale' } })
  })
})
