/** What `client.order` shows, against the fake gateway over real HTTP. */
import { hangUp } from '@tillkit/testing'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ids, saleOf, start, startWatching, type Watching } from './watching.js'

const part = { amount: '3.00', currency: 'EUR' } as const
const nothing = { capture: false, void: false, return: undefined }

let watching: Watching
beforeEach(async () => {
  watching = await startWatching()
})
afterEach(() => watching.close())

describe('client.order', () => {
  it('shows a preauth as held, which may be captured, voided or cancelled', async () => {
    const { client } = watching
    await client.preauth(saleOf('123'))
    expect(await client.order({ clientOrderId: 'o-1' })).toMatchObject({
      stages: [{ stage: 'preauth', outcome: 'approved', amount: '10.42' }],
      totals: { currency: 'EUR', held: '10.42', captured: '0.00', returned: '0.00' },
      allowed: { capture: true, void: true, return: 'cancel' },
      evidence: 'status-reply',
      askedAt: start,
      remarks: [],
    })
  })

  it('adds up a partial capture by the serial numbers of both requests, and guesses nothing without them', async () => {
    const { client } = watching
    const { orderId, serialNumber: held } = await client.preauth(saleOf('123'))
    const { serialNumber: captured } = await client.capture({ ...ids(orderId), amount: '4.00', currency: 'EUR' })
    expect(await client.order(ids(orderId))).toMatchObject({
      stages: [{ stage: 'capture' }],
      totals: undefined,
      allowed: { capture: false, void: false, return: undefined },
    })
    const serialNumbers = [String(held), String(captured)]
    expect(await client.order({ ...ids(orderId), serialNumbers })).toMatchObject({
      stages: [{ stage: 'preauth' }, { stage: 'capture' }],
      totals: { held: '6.42', captured: '4.00', returned: '0.00' },
      allowed: { capture: true, void: true, return: 'reversal' },
    })
  })

  it('puts what is new beside what was known', async () => {
    const { client, clock } = watching
    const { orderId } = await client.sale(saleOf('123'))
    const before = await client.order(ids(orderId))
    const { serialNumber } = await client.return({ ...ids(orderId), ...part })
    await clock.advance(1)
    const serialNumbers = [String(serialNumber)]
    const after = await client.order({ ...ids(orderId), known: before.order, serialNumbers })
    expect(after).toMatchObject({
      stages: [{ stage: 'sale' }, { stage: 'reversal', serialNumber }],
      totals: { captured: '10.42', returned: '3.00', returnable: '7.42' },
      allowed: { return: 'reversal' },
      askedAt: start + 1,
    })
    expect(JSON.parse(JSON.stringify(after.order))).toEqual(after.order)
  })

  it('adds up no return of nobody knows what, and says what it needs', async () => {
    const { client } = watching
    const { orderId, serialNumber } = await client.sale(saleOf('123'))
    const { serialNumber: part1 } = await client.return({ ...ids(orderId), ...part })
    const alone = await client.order(ids(orderId))
    expect(alone).toMatchObject({ stages: [{ stage: 'reversal' }], totals: undefined, allowed: nothing })
    expect(alone.remarks.join()).toContain('"serialNumbers": those of all requests about this order')
    const whole = await client.order({ ...ids(orderId), serialNumbers: [serialNumber, part1].map(String) })
    expect(whole).toMatchObject({ totals: { captured: '10.42', returned: '3.00' } })
  })

  it('counts two equal partial returns as two, asked by their serial numbers', async () => {
    const { client, gateway } = watching
    const { orderId, serialNumber } = await client.sale(saleOf('123'))
    const first = await client.return({ ...ids(orderId), ...part })
    const second = await client.return({ ...ids(orderId), ...part })
    const serialNumbers = [serialNumber, first.serialNumber, second.serialNumber].map(String)
    const view = await client.order({ ...ids(orderId), serialNumbers })
    expect(view).toMatchObject({ totals: { captured: '10.42', returned: '6.00', returnable: '4.42' } })
    expect(gateway.calls('status')).toHaveLength(4)
  })

  it('says that a latest return may be one more, where it was not among those asked about', async () => {
    const { client } = watching
    const { orderId, serialNumber } = await client.sale(saleOf('123'))
    const first = await client.return({ ...ids(orderId), ...part })
    await client.return({ ...ids(orderId), ...part })
    const view = await client.order({ ...ids(orderId), serialNumbers: [serialNumber, first.serialNumber].map(String) })
    expect(view.remarks.join()).toMatch(
      /shows a reversal, "approved" over "3.00" "EUR", which may be one of those listed or another/,
    )
  })

  it('allows nothing while a stage is under way, and asks about it again by its serial number', async () => {
    await watching.close()
    watching = await startWatching({ processingTime: 60_000 })
    const { client, clock, gateway } = watching
    const sold = await client.sale(saleOf('123'))
    const orderId = sold.orderId
    const serialNumber = String(sold.serialNumber)
    const open = await client.order({ ...ids(orderId), serialNumbers: [serialNumber] })
    expect(open).toMatchObject({ stages: [{ status: 'processing' }], allowed: nothing })
    expect(open.remarks).toEqual(['The sale is "processing", so nothing is allowed now.'])
    await clock.advance(60_000)
    const over = await client.order({ ...ids(orderId), known: open.order })
    expect(over).toMatchObject({ stages: [{ status: 'approved' }], allowed: { return: 'reversal' }, remarks: [] })
    expect(gateway.calls('status').filter(({ fields }) => JSON.stringify(fields).includes(serialNumber))).toHaveLength(
      2,
    )
  })

  it('says that the gateway contradicted itself, and adds up nothing', async () => {
    const { client, clock } = watching
    const { orderId } = await client.sale(saleOf('123'))
    const { order: known } = await client.order(ids(orderId))
    await clock.advance(1)
    watching.answerStatus({ status: 'declined', transactionType: 'sale', ...ids(orderId) })
    const view = await client.order({ ...ids(orderId), known })
    expect(view).toMatchObject({ totals: undefined, allowed: nothing })
    expect(view.remarks[0]).toBe(
      'The gateway contradicted itself about the sale: "approved", then "declined". A person must look.',
    )
  })

  it('says that the gateway restated an amount, and adds up nothing', async () => {
    const { client, clock } = watching
    const { orderId } = await client.sale(saleOf('123'))
    const { order: known } = await client.order(ids(orderId))
    await clock.advance(1)
    const restated = { amount: '8.00', currency: 'EUR' }
    watching.answerStatus({ status: 'approved', transactionType: 'sale', ...restated, ...ids(orderId) })
    const view = await client.order({ ...ids(orderId), known })
    expect(view).toMatchObject({ stages: [{ amount: '10.42', restated }], totals: undefined, allowed: nothing })
    expect(view.remarks[0]).toBe(
      'The sale was approved over "10.42" "EUR", and a later reply said "8.00" "EUR". Which of them moved is not known: a ' +
        'person must look.',
    )
  })

  it('shows no part of an order for the whole: a question that fails is an error', async () => {
    const { client, gateway } = watching
    const { orderId } = await client.sale(saleOf('123'))
    gateway.handle({ status: ({ byRequestSn }) => (byRequestSn === 'a' ? hangUp() : undefined) })
    const asked = client.order({ ...ids(orderId), serialNumbers: ['a'] })
    await expect(asked).rejects.toMatchObject({ code: 'ERR_TRANSPORT' })
  })

  it.each([{ clientOrderId: 'o-2' }, { orderId: '1' }])('refuses a reply about another order: %j', async other => {
    const { client } = watching
    const { orderId } = await client.sale(saleOf('123'))
    watching.answerStatus({ status: 'approved', transactionType: 'sale', ...ids(orderId), ...other })
    await expect(client.order(ids(orderId), { retries: 0 })).rejects.toMatchObject({
      code: 'ERR_UNREADABLE_REPLY',
      clientOrderId: 'o-1',
      moneyMayHaveMoved: false,
    })
  })

  it('refuses a reply that does not say which order of the gateway it is about', async () => {
    const { client } = watching
    await client.sale(saleOf('123'))
    watching.answerStatus({ status: 'approved', transactionType: 'sale', clientOrderId: 'o-1' })
    await expect(client.order({ clientOrderId: 'o-1' })).rejects.toMatchObject({
      code: 'ERR_UNREADABLE_REPLY',
      message: expect.stringContaining('is about "o-1" and none'),
    })
  })

  it('says so when the reply names no stage', async () => {
    const { client } = watching
    const { orderId } = await client.sale(saleOf('123'))
    watching.answerStatus({ status: 'approved', ...ids(orderId) })
    expect(await client.order(ids(orderId))).toMatchObject({
      stages: [],
      totals: undefined,
      allowed: nothing,
      remarks: ['The status reply names no stage, so nothing was concluded from it.'],
    })
  })

  it('asks nothing when what is known is about another order', async () => {
    const { client, gateway } = watching
    const known = { clientOrderId: 'o-2', stages: [] }
    await expect(client.order({ clientOrderId: 'o-1', known })).rejects.toThrow('"known" is order "o-2" / none')
    const sameId = { clientOrderId: 'o-1', orderId: '1', stages: [] }
    await expect(client.order({ ...ids('2'), known: sameId })).rejects.toThrow(TypeError)
    expect(gateway.calls('status')).toHaveLength(0)
  })
})
