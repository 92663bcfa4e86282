/** The words of a settlement that settles nothing, and of a mistake in the expectation. */
import { describe, expect, it } from 'vitest'
import { aboutRequest, statusReply } from '../../test/status-reply.js'
import { awaitedStages } from '../operations/stages.js'
import { emptyOrder } from './order.js'
import { checkExpected, needsPerson, type SettleInput, settle } from './settle.js'

type Expected = SettleInput['expected']

const order = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
const sale: Expected = { stages: ['sale'], amount: '10.00', currency: 'EUR' }
const returned: Expected = { stages: ['cancel', 'reversal'], serialNumber: 'b' }
const settleWith = (fields: Parameters<typeof statusReply>[0], expected: Expected = sale) =>
  settle({ order, expected, observation: { reply: statusReply(fields), askedAt: 1 } })

describe('a settlement explains', () => {
  it.each<[string, Parameters<typeof statusReply>[0], Expected, string]>([
    [
      'other-order',
      { status: 'approved', clientOrderId: 'o-2', orderId: '78' },
      sale,
      'Asked for clientOrderId "o-1" and orderId "77", the status reply is about "o-2" and "78". Nothing was concluded from it.',
    ],
    [
      'other-stage',
      { status: 'approved', transactionType: 'preauth' },
      returned,
      'The status reply is about preauth, not about the cancel or reversal that is waited for.',
    ],
    [
      'other-stage',
      { status: 'approved', transactionType: 'reversal' },
      returned,
      'Which reversal the status reply is about cannot be told. Ask with the serial number of the request.',
    ],
    ['not-final', { status: 'processing' }, sale, 'The sale is "processing", which is not final.'],
    [
      'amount-differs',
      { status: 'approved', amount: '1.00' },
      sale,
      'The sale was approved over "1.00" "EUR", expected was "10.00" "EUR". Deliver nothing; a person must look.',
    ],
    [
      'amount-differs',
      { status: 'approved', currency: 'USD' },
      sale,
      'The sale was approved over "10.00" "USD", expected was "10.00" "EUR". Deliver nothing; a person must look.',
    ],
  ])('%s: %j', (kind, fields, expected, explanation) => {
    const settlement = settleWith(fields, expected)
    expect(settlement).toMatchObject({ kind, explanation })
    expect(needsPerson(settlement)).toBe(kind === 'amount-differs')
  })

  it('that a reply is about another request, or does not say about which', () => {
    const reply = statusReply({ status: 'approved', transactionType: 'reversal' })
    const another = aboutRequest('b', { reply: { ...reply, byRequestSn: 'a' }, askedAt: 1 })
    const observation = { reply, askedAt: 1, bySerialNumber: 'b' }
    expect(settle({ order, expected: returned, observation: another })).toHaveProperty(
      'explanation',
      'The status reply is about the reversal of request "a", which is another one.',
    )
    expect(settle({ order, expected: returned, observation })).toHaveProperty(
      'explanation',
      'The status reply is about a reversal and echoes no serial number ("by-request-sn"), so that it may be an earlier one. ' +
        'If this gateway never echoes it, say so with defineProfile({ statusEchoesSerialNumber: false }).',
    )
  })

  it('that the gateway contradicted itself', () => {
    const before = settleWith({ status: 'declined' })
    const observation = { reply: statusReply({ status: 'approved' }), askedAt: 2 }
    const settlement = settle({ order: before.order, expected: sale, observation })
    expect(settlement).toMatchObject({
      kind: 'corrected',
      explanation:
        'The gateway contradicted itself about the sale: "declined", then "approved". Deliver and repeat nothing; a person must look.',
    })
    expect(needsPerson(settlement)).toBe(true)
  })
})

describe('checkExpected', () => {
  const stages = (found: string) =>
    `"stages" must list one or more of ${awaitedStages.join(', ')}, e.g. ['sale']. Found: ${found}.`
  const number =
    '"serialNumber" is empty, has white space around it, is a word for nothing, or is not text. ' +
    'Take it from the reply to the request; if that had none, leave it out.'
  const money = (field: string, found: string) =>
    `"${field}" is ${found}. An amount and its currency go together, as text: ` +
    "amount: '10.00', currency: 'EUR'. Leave both out only for a stage that has none: then nothing is compared."

  it.each([
    [undefined, stages('undefined')],
    [{ stages: [] }, stages('[]')],
    [{ stages: 'sale' }, stages('"sale"')],
    [{ stages: ['sale', 'sail'] }, stages('"sail"')],
    [
      { ...sale, amuont: '1' },
      'What is waited for has no field "amuont". It has: stages, serialNumber, amount, currency.',
    ],
    [{ ...sale, serialNumber: '' }, number],
    [{ ...sale, serialNumber: ' a' }, number],
    [{ ...sale, serialNumber: 'null' }, number],
    [{ ...sale, serialNumber: 7 }, number],
    [{ stages: ['sale'], amount: '10.00' }, money('currency', 'of type undefined')],
    [{ stages: ['sale'], currency: 'EUR' }, money('amount', 'of type undefined')],
    [{ ...sale, amount: null }, money('amount', 'null')],
    [{ ...sale, amount: 10 }, money('amount', 'of type number')],
  ])('of %j', (expected, message) => {
    expect(() => checkExpected(expected as Expected)).toThrow(new TypeError(message))
  })

  it.each([sale, { stages: ['sale'] }, { ...sale, serialNumber: 'a' }])('takes %j', expected => {
    expect(() => checkExpected(expected)).not.toThrow()
  })
})
