/** The customer’s steps of 3DS while an outcome is waited for, over real HTTP. */

import { threeDSecure1Card } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { expectedSale, ids, orderOf, saleOf, startWatching, type Watching } from './watching.js'

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

const money = { currency: 'EUR' } as const

describe('awaitOutcome, when the customer has to do something', () => {
  const cresOf = (serverTransId: string | undefined) =>
    Buffer.from(JSON.stringify({ threeDSServerTransID: serverTransId, transStatus: 'Y' })).toString('base64url')

  it('leads through the method and the challenge of 3DS 2 to the outcome', async () => {
    const { client } = watching
    const question = await watching.sell('321')
    const method = await client.awaitOutcome(question)
    if (method.kind !== 'needs-customer' || method.step.kind !== 'method') throw new Error(method.explanation)
    expect(method).toMatchObject({
      evidence: 'status-reply',
      moneyMoved: 'unknown',
      step: { upload: 'uploadMethodUrlResult' },
    })
    expect(method.step.methodUrl).toContain('/3ds/method/')
    await client[method.step.upload]({ ...orderOf(question), threeDSCompInd: 'N' })

    const challenge = await client.awaitOutcome(question, { shownSteps: method.shownSteps })
    if (challenge.kind !== 'needs-customer' || challenge.step.kind !== 'challenge')
      throw new Error(challenge.explanation)
    expect(challenge.step.threeDSServerTransId).toBe(method.step.threeDSServerTransId)
    await client[challenge.step.upload]({ ...orderOf(question), cres: cresOf(challenge.step.threeDSServerTransId) })

    const { shownSteps } = challenge
    const ended = await client.awaitOutcome(question, { shownSteps })
    expect(ended).toMatchObject({ kind: 'approved', moneyMoved: 'captured' })
  })

  it('leads through 3DS 1.0.2', async () => {
    const { client } = watching
    const { orderId } = await client.sale({ ...saleOf('123'), creditCardNumber: threeDSecure1Card })
    const question = { ...ids(orderId), ...expectedSale }
    const step = await client.awaitOutcome(question)
    if (step.kind !== 'needs-customer' || step.step.kind !== 'pares') throw new Error(step.explanation)
    expect(step.step).toMatchObject({ acsUrl: expect.stringContaining('/3ds/pareq/'), upload: 'uploadParesResult' })
    // python3 -c "import base64,zlib; print(base64.b64encode(zlib.compress(b'<status>Y</status>')).decode())"
    const paRes = 'eJyzKS5JLCkttou00YeyAEBWBsU='
    await client[step.step.upload]({ ...ids(orderId), paRes })
    const { shownSteps } = step
    expect(await client.awaitOutcome(question, { shownSteps })).toMatchObject({ kind: 'approved' })
  })

  it('follows 3DS that the gateway runs from its address to the outcome', async () => {
    await watching.close()
    watching = await startWatching({ threeDSecure: 'gateway' })
    const { client } = watching
    const { orderId } = await client.sale({ ...saleOf('321'), redirectUrl: 'http://127.0.0.1/back' })
    const question = { ...ids(orderId), ...expectedSale }
    const step = await client.awaitOutcome(question)
    if (step.kind !== 'needs-customer' || step.step.kind !== 'gateway-run') throw new Error(step.explanation)
    expect(step.step).not.toHaveProperty('upload')
    const atBank = await fetch(step.step.redirectTo ?? '', {
      method: 'POST',
      body: new URLSearchParams({ password: 'hint' }),
    })
    expect(atBank.status).toBe(200)
    const ended = await client.awaitOutcome(question, { shownSteps: step.shownSteps })
    expect(ended).toMatchObject({ kind: 'approved', evidence: 'status-reply' })
  })

  it('hands over the gateway’s own redirect once, however often status repeats it', async () => {
    const question = await watching.sell()
    const waiting = {
      status: 'processing',
      transactionType: 'sale',
      ...orderOf(question),
      redirectTo: 'https://gate.example/3ds/1',
      html: '<form>',
    }
    watching.answerStatus(waiting, waiting, waiting, 'gateway')
    const first = await watching.client.awaitOutcome(question)
    expect(first).toMatchObject({
      kind: 'needs-customer',
      step: { kind: 'gateway-run', redirectTo: 'https://gate.example/3ds/1', html: '<form>' },
    })
    const second = await watching.client.awaitOutcome(question, { shownSteps: first.shownSteps })
    expect(second).toMatchObject({ kind: 'approved', asked: 3 })
  })

  it('sends nobody to an address that is not https', async () => {
    const question = await watching.sell()
    const redirectTo = 'http://gate.example/3ds'
    watching.answerStatus({ status: 'processing', transactionType: 'sale', ...orderOf(question), redirectTo })
    const ended = await watching.client.awaitOutcome(question)
    expect(ended).toMatchObject({ kind: 'needs-person', reason: 'unusable-step', moneyMoved: 'unknown' })
    expect(ended.explanation).not.toContain(redirectTo)
    const { shownSteps } = ended
    expect(await watching.client.awaitOutcome(question, { shownSteps })).toMatchObject({ kind: 'approved' })
  })

  it('takes no step from a reply about another stage', async () => {
    const { client } = watching
    const { orderId } = await client.preauth(saleOf('123'))
    const { serialNumber } = await client.capture(ids(orderId))
    const redirectTo = 'https://gate.example/3ds'
    watching.answerStatus({ status: 'processing', transactionType: 'preauth', ...ids(orderId), redirectTo }, 'gateway')
    const question = { ...ids(orderId), stages: ['capture'], serialNumber, amount: '10.42', ...money }
    expect(await client.awaitOutcome(question)).toMatchObject({ kind: 'approved' })
  })
})
