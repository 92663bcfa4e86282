/** Half of a surrogate pair, which has no UTF-8 form: text that was cut inside an emoji can be neither signed nor sent. */
import { describe, expect, it } from 'vitest'
import { type Client, createClient } from '../src/index.js'
import { anyReply, capturing } from './capturing-dispatcher.js'
import { controlKey, saleRequest } from './sample-requests.js'

const half = 'thank you \ud83d'
const payout = { clientOrderId: 'o-1', amount: '10.00', currency: 'EUR', accountNumber: 'DE02120300000000202051' }

describe('half of a surrogate pair', () => {
  it.each<[string, string, (client: Client) => Promise<unknown>]>([
    ['that a control value covers', 'email', client => client.sale({ ...saleRequest, email: half })],
    ['that is only sent', 'cardPrintedName', client => client.sale({ ...saleRequest, cardPrintedName: half })],
    ['in extra', 'note', client => client.sale({ ...saleRequest, extra: { note: half } })],
    ['that a header signs', 'orderDesc', client => client.payout({ ...payout, orderDesc: half })],
  ])('%s is refused, and nothing is sent', async (_where, field, act) => {
    const { dispatcher, captured } = capturing(anyReply)
    const client = createClient({
      baseUrl: 'https://gate.example',
      endpointId: 39,
      login: 'merchant',
      controlKey,
      dispatcher,
    })
    await expect(act(client)).rejects.toMatchObject({
      code: 'ERR_INVALID_REQUEST',
      message: expect.stringMatching(/half of a surrogate pair/i),
    })
    await expect(act(client)).rejects.toMatchObject({ field: expect.stringContaining(field) })
    expect(captured).toEqual([])
  })

  it('is said with the name of its parameter', async () => {
    const { dispatcher } = capturing(anyReply)
    const client = createClient({
      baseUrl: 'https://gate.example',
      endpointId: 39,
      login: 'merchant',
      controlKey,
      dispatcher,
    })
    await expect(client.sale({ ...saleRequest, cardPrintedName: half })).rejects.toThrow(
      'The sale request was not sent: Parameter "card_printed_name": Text holds half of a surrogate pair',
    )
  })
})
