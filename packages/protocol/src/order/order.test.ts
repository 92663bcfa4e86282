import { describe, expect, it } from 'vitest'
import { aboutRequest, statusReply } from '../../test/status-reply.js'
import type { StatusResponse } from '../operations/records/replies.js'
import { defineProfile } from '../profile/profile.js'
import { emptyOrder, readOrder, reduceOrder } from './order.js'
import { settle } from './settle.js'
import type { Order, Stage, StatusObservation } from './types.js'

const order = emptyOrder({ clientOrderId: 'o-1', orderId: '77' })
const reduce = (...observations: readonly StatusObservation[]) =>
  observations.reduce((state, observation) => reduceOrder(state, observation), order)
const seen = (status: string, askedAt = 1, fields: Parameters<typeof statusReply>[0] | object = {}) => ({
  reply: statusReply({ status, ...fields }),
  askedAt,
})

/** A row of a database: null where nothing was kept. */
const row = (fields: object): Stage =>
  ({
    stage: 'reversal',
    word: null,
    serialNumber: null,
    status: 'approved',
    outcome: 'approved',
    amount: '3.00',
    currency: 'EUR',
    errorCode: null,
    errorMessage: null,
    askedAt: 1,
    corrections: [],
    ...fields,
  }) as unknown as Stage
const sale = row({ stage: 'sale', serialNumber: 'a', amount: '10.00' })
const kept = (...stages: readonly Stage[]): Order => ({ clientOrderId: 'o-1', orderId: '77', stages })
const reply = (fields: object): StatusResponse =>
  ({ status: 'approved', clientOrderId: 'o-1', orderId: '77', transactionType: 'sale', ...fields }) as StatusResponse

describe('emptyOrder', () => {
  it('holds ids as they are sent, without white space at their ends', () => {
    expect(emptyOrder({ clientOrderId: 'order-7 ', orderId: ' 77\n' })).toEqual({
      clientOrderId: 'order-7',
      orderId: '77',
      stages: [],
    })
  })

  it.each([
    [{ clientOrderId: 'x\n10' }, '"clientOrderId" has a line break'],
    [{ clientOrderId: ' ' }, 'needs the merchant'],
    [{ clientOrderId: 'o-1', orderId: '' }, '"orderId" is empty'],
    [{ clientOrderId: 'o-1', orderId: '7\t7' }, '"orderId" has a line break, a tab'],
    [{ clientOrderId: 'o-1', orderId: 77 as unknown as string }, '"orderId" is of type number'],
  ])('refuses ids that could not be sent as they are: %j', (ids, text) => {
    expect(() => emptyOrder(ids)).toThrow(TypeError)
    expect(() => emptyOrder(ids)).toThrow(text)
  })
})

describe('reduceOrder', () => {
  it('starts a stage when its first word arrives', () => {
    expect(reduce(seen('processing')).stages).toEqual([
      { stage: 'sale', status: 'processing', amount: '10.00', currency: 'EUR', askedAt: 1, corrections: [] },
    ])
  })

  it('learns the gateway order id', () => {
    const unknown = emptyOrder({ clientOrderId: 'o-1' })
    expect(reduceOrder(unknown, seen('processing')).orderId).toBe('77')
  })

  it('moves forward to a final word', () => {
    expect(reduce(seen('processing', 1), seen('approved', 2)).stages[0]).toMatchObject({
      status: 'approved',
      outcome: 'approved',
    })
  })

  it('keeps the codes by which people find a movement of money, and no card number in them', () => {
    const codes = {
      processorRrn: '507015000001',
      approvalCode: '000001',
      cardType: 'VISA',
      lastFourDigits: '4448',
      descriptor: 'BAKERY',
    }
    const quoted = { transactionType: 'reversal', descriptor: 'BAKERY 4444444444444448' }
    const { stages } = reduce(seen('approved', 1, codes), seen('approved', 2, { ...codes, ...quoted }))
    expect(stages).toMatchObject([codes, { ...codes, descriptor: 'BAKERY 444444******4448' }])
  })

  it('keeps why it was declined', () => {
    const reason = { errorCode: '116', errorMessage: 'Decline, insufficient funds' }
    expect(reduce(seen('processing', 1), seen('declined', 2, reason)).stages[0]).toMatchObject(reason)
  })

  it('keeps no card number, should the gateway quote one', () => {
    const stages = reduce(seen('error', 1, { errorMessage: 'Card 4444444444444448 is not known' })).stages
    expect(stages[0]?.errorMessage).toBe('Card 444444******4448 is not known')
  })

  it('keeps a final word when a later reply is not final', () => {
    const settled = reduce(seen('approved', 1))
    expect(reduceOrder(settled, seen('processing', 2))).toBe(settled)
    expect(reduceOrder(settled, seen('unknown', 3))).toBe(settled)
  })

  it('ignores a reply that was asked for earlier, however late it arrives', () => {
    const settled = reduce(seen('processing', 5))
    expect(reduceOrder(settled, seen('declined', 4))).toBe(settled)
  })

  it('appends a contradiction of a final word as a correction, once', () => {
    const corrected = reduce(seen('approved', 1), seen('declined', 2), seen('declined', 3))
    expect(corrected.stages[0]).toMatchObject({
      statusAskedAt: 1,
      status: 'approved',
      outcome: 'approved',
      corrections: [{ from: 'approved', to: 'declined', askedAt: 2 }],
    })
    expect(corrected.stages[0]?.corrections).toHaveLength(1)
  })

  it('appends what the gateway says after a correction as a correction of that', () => {
    const [stage] = reduce(seen('approved', 1), seen('declined', 2), seen('filtered', 3)).stages
    expect(stage?.corrections).toEqual([
      { from: 'approved', to: 'declined', askedAt: 2 },
      { from: 'declined', to: 'filtered', askedAt: 3 },
    ])
  })

  it('appends a contradiction between replies asked for at the same time once, however often they come', () => {
    const both = [seen('approved', 5), seen('declined', 5)]
    const [stage] = reduce(...both, ...both, ...both, ...both).stages
    expect(stage?.corrections).toEqual([{ from: 'approved', to: 'declined', askedAt: 5 }])
  })

  it('takes the final one of two words asked for at the same time', () => {
    const [stage] = reduce(seen('processing', 5), seen('approved', 5), seen('processing', 5)).stages
    expect(stage).toMatchObject({ status: 'approved', corrections: [] })
  })

  it('keeps the first of two words asked for at the same time of which neither is final', () => {
    const first = reduce(seen('processing', 5))
    expect(reduceOrder(first, seen('unknown', 5, { amount: '1.00' }))).toBe(first)
  })

  it('learns the amount of a final word from another reply asked for at the same time', () => {
    const ended = reduce(seen('approved', 5, { amount: undefined }), seen('approved', 5))
    expect(ended.stages[0]).toMatchObject({ amount: '10.00' })
  })

  it('keeps beside it another amount that a reply asked for at the same time states, in whatever order they come', () => {
    const both = [seen('approved', 5), seen('approved', 5, { amount: '1.00' })]
    for (const order of [reduce(...both), reduce(...both.reverse())]) {
      expect(order.stages).toMatchObject([{ outcome: 'approved', restated: { askedAt: 5 }, corrections: [] }])
    }
  })

  it('keeps what a stage is called that nobody here knows, and two of them apart', () => {
    const { stages } = reduce(
      seen('approved', 1, { transactionType: ' Dispute ' }),
      seen('declined', 2, { transactionType: undefined, orderStage: 'fraud_4444444444444448' }),
    )
    expect(stages).toMatchObject([
      { stage: 'unrecognized', word: 'dispute', outcome: 'approved', corrections: [] },
      { stage: 'unrecognized', word: 'fraud_444444******4448', outcome: 'declined' },
    ])
  })

  it('changes nothing on a reply about another order', () => {
    expect(reduce(seen('approved', 1, { orderId: '78' }))).toBe(order)
    expect(reduce(seen('approved', 1, { clientOrderId: 'o-2' }))).toBe(order)
  })

  it.each([{ clientOrderId: 'o-1' }, { clientOrderId: 'o-1', orderId: '77' }])(
    'changes nothing on a reply without the gateway order id, known as %j',
    ids => {
      const known = emptyOrder(ids)
      expect(reduceOrder(known, seen('approved', 1, { orderId: undefined }))).toBe(known)
    },
  )

  it('changes nothing on a reply that names no stage', () => {
    const { transactionType: _, ...reply } = statusReply({ status: 'approved' })
    expect(reduceOrder(order, { reply, askedAt: 1 })).toBe(order)
  })

  it('keeps two equal partial returns apart by their serial numbers', () => {
    const reversal = { transactionType: 'reversal', amount: '3.00' }
    const twice = reduce(
      seen('approved', 1),
      aboutRequest('a', seen('approved', 2, reversal)),
      aboutRequest('b', seen('approved', 3, reversal)),
    )
    expect(twice.stages.map(each => [each.stage, each.serialNumber])).toEqual([
      ['sale', undefined],
      ['reversal', 'a'],
      ['reversal', 'b'],
    ])
  })

  it('does not guess which of two equal returns a reply speaks of', () => {
    const reversal = { transactionType: 'reversal' }
    const twice = reduce(
      aboutRequest('a', seen('processing', 1, reversal)),
      aboutRequest('b', seen('processing', 2, reversal)),
    )
    expect(reduceOrder(twice, seen('approved', 3, reversal))).toBe(twice)
  })

  it('gives a stage that was seen without one its serial number when it becomes known', () => {
    const known = reduce(seen('approved', 1), aboutRequest('a', seen('approved', 2)))
    expect(known.stages).toHaveLength(1)
    expect(known.stages[0]).toMatchObject({ serialNumber: 'a', outcome: 'approved', corrections: [] })
  })

  it('tells chargebacks apart by how much they are over, also when an earlier one is heard of again', () => {
    const chargeback = (amount: string, at: number) => seen('approved', at, { transactionType: 'chargeback', amount })
    const stages = reduce(
      seen('approved', 1),
      ...['4.00', '3.00', '4.0', '1.00', '3.00'].map((amount, index) => chargeback(amount, index + 2)),
    ).stages
    expect(stages.map(({ stage, amount }) => [stage, amount])).toEqual([
      ['sale', '10.00'],
      ['chargeback', expect.stringMatching(/^4\.0/)],
      ['chargeback', '3.00'],
      ['chargeback', '1.00'],
    ])
    expect(stages.flatMap(({ corrections }) => corrections)).toEqual([])
  })

  it('adds a chargeback that arrives later as a stage of its own', () => {
    const stages = reduce(seen('approved', 1), seen('approved', 2, { transactionType: 'chargeback' })).stages
    expect(stages.map(each => each.stage)).toEqual(['sale', 'chargeback'])
  })

  it('ignores a late reply that was asked for before the last confirmation of a final word', () => {
    const confirmed = reduce(seen('approved', 1), seen('approved', 5))
    expect(reduceOrder(confirmed, seen('declined', 3))).toBe(confirmed)
  })

  it('forgets the amount of an earlier reply when the final one states none', () => {
    const ended = reduce(seen('processing', 1), seen('approved', 2, { amount: undefined, currency: undefined }))
    expect(ended.stages[0]).toMatchObject({ outcome: 'approved' })
    expect(ended.stages[0]).not.toHaveProperty('amount')
  })

  it.each([
    ['another amount', { amount: '8.00' }, { amount: '8.00', currency: 'EUR' }],
    ['another currency', { currency: 'USD' }, { amount: '10.00', currency: 'USD' }],
    ['an amount that cannot be read', { amount: 'ten' }, { amount: 'ten', currency: 'EUR' }],
  ])('keeps beside it %s that a later reply states for what had been approved', (_, stated, restated) => {
    const ended = reduce(seen('approved', 1), seen('approved', 2, stated), seen('approved', 3))
    expect(ended.stages).toMatchObject([
      { amount: '10.00', currency: 'EUR', restated: { ...restated, askedAt: 2 }, corrections: [], askedAt: 3 },
    ])
  })

  it.each([
    ['the same amount in other words', 'approved', { amount: '10.0' }],
    ['no amount', 'approved', { amount: undefined, currency: undefined }],
    ['no currency', 'approved', { currency: undefined }],
  ])('takes %s for a confirmation', (_, word, stated) => {
    const ended = reduce(seen('approved', 1), seen(word, 2, stated))
    expect(ended.stages[0]).not.toHaveProperty('restated')
  })

  it('does not mind over how much a declined one was', () => {
    const ended = reduce(seen('declined', 1), seen('declined', 2, { amount: '8.00' }))
    expect(ended.stages[0]).not.toHaveProperty('restated')
  })

  it('learns the amount of a final word from a later confirmation', () => {
    const ended = reduce(seen('approved', 1, { amount: undefined }), seen('approved', 2))
    expect(ended.stages[0]).toMatchObject({ amount: '10.00' })
  })

  describe('with several stages of one name', () => {
    it('adds every further one that nobody has a number for and that is over another amount', () => {
      const back = (amount: string, askedAt: number) =>
        seen('approved', askedAt, { transactionType: 'chargeback', amount })
      const { stages } = reduce(back('3.00', 1), back('4.00', 2), back('4.0', 3), back('5.00', 4), back('3', 5))
      expect(stages.map(({ amount }) => amount)).toEqual(['3.00', '4.00', '5.00'])
      // Asked at the same time as one of them, it may be that one.
      const order = reduce(back('3.00', 1), back('4.00', 2))
      expect(reduceOrder(order, back('6.00', 2))).toBe(order)
    })

    it.each([
      ['is over another amount', seen('approved', 1, { transactionType: 'chargeback', amount: '6.00' })],
      ['ended with another word', seen('declined', 1, { transactionType: 'chargeback', amount: '3.00' })],
    ])(
      'takes a reply that %s and was asked for at the same time for no contradiction, nor for another one',
      (_, reply) => {
        const first = reduce(seen('approved', 1, { transactionType: 'chargeback', amount: '3.00' }))
        expect(reduceOrder(first, reply)).toBe(first)
      },
    )

    it.each([
      ['without codes', {}],
      ['with the codes that it had', { processorRrn: '510458047886' }],
    ])('takes another word about the only chargeback of that amount, %s, for its correction', (_, codes) => {
      const back = (status: string, askedAt: number, amount: string) =>
        seen(status, askedAt, { transactionType: 'chargeback', amount, ...codes })
      const both = reduce(back('approved', 1, '3.00'), back('approved', 2, '4.00'), back('declined', 3, '3.00'))
      expect(both.stages).toMatchObject([
        { amount: '3.00', status: 'approved', corrections: [{ to: 'declined' }] },
        { amount: '4.00', status: 'approved', corrections: [] },
      ])
    })

    it('takes another word about one of two equal chargebacks for neither', () => {
      const moves = { transactionType: 'chargeback', amount: '3.00' }
      const numbered = (processorRrn: string, at: number) => seen('approved', at, { ...moves, processorRrn })
      const both = reduce(numbered('510458047886', 1), numbered('510458047887', 2))
      expect(both.stages).toHaveLength(2)
      expect(reduceOrder(both, seen('declined', 3, moves))).toBe(both)
    })

    it('gives one that is under way its number also where both were asked for at the same time', () => {
      const moves = { transactionType: 'reversal', amount: '3.00' }
      const one = reduce(seen('processing', 1, moves), aboutRequest('a', seen('approved', 1, moves)))
      expect(one.stages).toMatchObject([{ status: 'approved', serialNumber: 'a' }])
    })

    const reversal = { transactionType: 'reversal', amount: '3.00' }
    const about = (serialNumber: string, ...args: Parameters<typeof seen>) => aboutRequest(serialNumber, seen(...args))

    it('does not take a reply without a serial number for the one that has one', () => {
      const first = reduce(about('a', 'processing', 1, reversal))
      expect(reduceOrder(first, seen('approved', 2, reversal))).toBe(first)
      const over = reduce(about('a', 'approved', 1, reversal))
      expect(reduceOrder(over, seen('declined', 2, reversal))).toBe(over)
    })

    it('does not take one that is over for one that is still processing', () => {
      const both = reduce(seen('approved', 1, reversal), about('a', 'processing', 2, reversal))
      expect(both.stages.map(each => [each.serialNumber, each.status])).toEqual([
        [undefined, 'approved'],
        ['a', 'processing'],
      ])
    })

    it('does not take one over 3.00 for one over 5.00', () => {
      const both = reduce(seen('approved', 1, reversal), about('a', 'approved', 2, { ...reversal, amount: '5.00' }))
      expect(both.stages.map(each => each.amount)).toEqual(['3.00', '5.00'])
    })

    it('does not take one that was over before for an equal one that is asked about by number', () => {
      const both = reduce(seen('approved', 1, reversal), about('b', 'approved', 2, reversal))
      expect(both.stages.map(each => each.serialNumber)).toEqual([undefined, 'b'])
    })

    it('gives one that is under way its number, since one change of an order is open at a time', () => {
      const one = reduce(seen('processing', 1, reversal), about('a', 'approved', 2, reversal))
      expect(one.stages).toMatchObject([{ serialNumber: 'a', outcome: 'approved' }])
    })

    it.each(['capture', 'void', 'cancel'])(
      'takes an approved %s for the approved one: a hold ends once',
      transactionType => {
        const profile = defineProfile({ captureEndsHold: true, cancelEndsHold: true })
        const first = reduceOrder(order, seen('approved', 1, { transactionType }), profile)
        const one = reduceOrder(first, about('a', 'approved', 2, { transactionType }), profile)
        expect(one.stages).toMatchObject([{ stage: transactionType, serialNumber: 'a' }])
        const tried = reduce(seen('declined', 1, { transactionType }), about('a', 'approved', 2, { transactionType }))
        expect(tried.stages).toMatchObject([{ outcome: 'declined' }, { outcome: 'approved', serialNumber: 'a' }])
      },
    )

    it.each(['capture', 'cancel'])('takes no %s of a part for another, and one of the whole for itself', name => {
      const preauth = seen('approved', 1, { transactionType: 'preauth', amount: '10.00' })
      const twice = (amount: string) => {
        const fields = { transactionType: name, amount }
        return reduce(preauth, seen('approved', 2, fields), about('a', 'approved', 3, fields)).stages
      }
      expect(twice('4.00').map(each => each.serialNumber)).toEqual([undefined, undefined, 'a'])
      expect(twice('10.00').map(each => each.serialNumber)).toEqual([undefined, 'a'])
    })

    it('takes one that was over before another was seen under way for another, however late it arrives', () => {
      const both = reduce(seen('processing', 5, reversal), about('a', 'approved', 1, reversal))
      expect(both.stages).toMatchObject([{ status: 'processing' }, { status: 'approved', serialNumber: 'a' }])
    })

    it('gives the number of one over 3.00 to none over 5.00, though it is under way', () => {
      const both = reduce(seen('processing', 1, { ...reversal, amount: '5.00' }), about('a', 'approved', 2, reversal))
      expect(both.stages).toMatchObject([{ amount: '5.00' }, { amount: '3.00', serialNumber: 'a' }])
    })

    it('learns a serial number from a reply that comes late, and nothing else', () => {
      const one = reduce(seen('unknown', 5, reversal), about('a', 'processing', 1, reversal))
      expect(one.stages).toMatchObject([{ status: 'unknown', serialNumber: 'a', askedAt: 5 }])
    })

    it('begins no other one on a reply over another amount that comes late', () => {
      const one = reduce(seen('approved', 5, reversal), seen('processing', 1, { ...reversal, amount: '5.00' }))
      expect(one.stages).toMatchObject([{ status: 'approved', amount: '3.00' }])
    })

    it('begins another one when the latest is over another amount', () => {
      const both = reduce(seen('approved', 1, reversal), seen('approved', 2, { ...reversal, amount: '5.00' }))
      expect(both.stages.map(each => each.amount)).toEqual(['3.00', '5.00'])
    })

    it.each(['declined', 'processing'])('sees no contradiction in a second one that is %s', status => {
      const first = reduce(seen('approved', 1, reversal))
      expect(reduceOrder(first, seen(status, 2, reversal))).toBe(first)
    })

    describe('where none is waited for', () => {
      const alone = (known: Order, status: string, fields: object = {}, askedAt = 3) =>
        reduceOrder(known, { ...seen(status, askedAt, { ...reversal, ...fields }), noneAwaited: true })
      const corrections = ({ stages }: Order) => stages.map(each => each.corrections.map(({ to }) => to))
      const first = reduce(seen('approved', 1, reversal))

      it.each([
        ['takes another word about the only one for its correction', first, [['declined']]],
        [
          '… with the code that it had',
          reduce(seen('approved', 1, { ...reversal, processorRrn: '5' })),
          [['declined']],
        ],
        [
          '… about the latest of several that nothing tells apart',
          kept(row({}), row({ askedAt: 2 })),
          [[], ['declined']],
        ],
        ['… about the one over that amount', kept(row({}), row({ amount: '5.00' })), [['declined'], []]],
        ['… not about one that has a number', kept(row({ serialNumber: 'a' })), [[]]],
        ['… nor beside one', kept(row({}), row({ serialNumber: 'a' })), [[], []]],
        [
          '… about the latest, though one before it had failed',
          kept(row({ serialNumber: 'a', status: 'declined', outcome: 'declined' }), row({})),
          [[], ['declined']],
        ],
        [
          '… nor where another one has had that word',
          kept(row({}), row({ status: 'declined', outcome: 'declined' })),
          [[], []],
        ],
        ['… nor where it is under way', kept(row({}), row({ status: 'processing', outcome: null })), [[], []]],
        ['… nor where a later reply was about it', kept(row({ askedAt: 4 })), [[]]],
      ])('%s', (_, known, expected) => {
        expect(corrections(alone(known, 'declined', { processorRrn: known.stages[0]?.processorRrn }))).toEqual(expected)
      })

      it.each([
        ['a failure for another failure', kept(row({ status: 'declined', outcome: 'declined' })), 'filtered', {}],
        [
          'an approval without an amount for one over 3.00',
          kept(row({ status: 'declined', outcome: 'declined' })),
          'approved',
          { amount: undefined },
        ],
        [
          'a word without an amount for one of two unequal ones',
          kept(row({}), row({ amount: '5.00' })),
          'declined',
          { amount: undefined },
        ],
        [
          'what has the code of both, for the one without a number',
          kept(
            row({ processorRrn: '5', status: 'declined', outcome: 'declined' }),
            row({ serialNumber: 'a', processorRrn: '5', askedAt: 3 }),
          ),
          'approved',
          { processorRrn: '5' },
        ],
        [
          'what has the code of one, where another one has had that word',
          kept(row({ processorRrn: '5' }), row({ status: 'declined', outcome: 'declined' })),
          'declined',
          { processorRrn: '5' },
        ],
      ])('does not take %s', (_, known, status, fields) => {
        expect(corrections(alone(known, status, fields))).toEqual(known.stages.map(() => []))
      })

      it('keeps the codes of an approval that came late, so that the next one is another one', () => {
        const approve = (known: Order, processorRrn: string, at: number) =>
          alone(known, 'approved', { processorRrn }, at)
        const declined = kept(row({ status: 'declined', outcome: 'declined' }))
        const { stages } = approve(approve(declined, '12', 4), '13', 5)
        expect(stages.map(each => [each.status, each.processorRrn])).toEqual([
          ['declined', '12'],
          ['approved', '13'],
        ])
      })

      describe('and two of as much have numbers of the acquirer of their own', () => {
        const both = kept(row({ processorRrn: '1' }), row({ processorRrn: '2', askedAt: 2 }))
        const taken = alone(both, 'declined', { processorRrn: '1' }, 4)

        it('takes a word with one of these numbers for the correction of that one, once', () => {
          expect(corrections(taken)).toEqual([['declined'], []])
          expect(corrections(alone(taken, 'declined', { processorRrn: '1' }, 5))).toEqual([['declined'], []])
        })

        it('takes the same word without a number for the correction of no other one', () => {
          expect(alone(taken, 'declined', {}, 5)).toBe(taken)
        })
      })

      it('takes nothing back of an approval that came late while something is waited for', () => {
        const late = alone(kept(row({ status: 'declined', outcome: 'declined' })), 'approved')
        expect(reduceOrder(late, seen('declined', 5, reversal))).toBe(late)
      })

      it('takes each word once, and each that takes one back', () => {
        const declined = alone(first, 'declined')
        expect(corrections(alone(declined, 'declined', {}, 4))).toEqual([['declined']])
        expect(corrections(alone(declined, 'approved', {}, 5))).toEqual([['declined', 'approved']])
      })

      it('takes no word for a correction that is not final', () => {
        expect(alone(first, 'processing')).toBe(first)
      })

      it('takes the approval of one that was declined for its correction, since it moved once in either case', () => {
        expect(corrections(alone(reduce(seen('declined', 1, reversal)), 'approved'))).toEqual([['approved']])
      })
    })

    it('does not believe that a reply is about the request it was asked about, unless it says so', () => {
      const unsaid = { ...seen('approved', 1, reversal), bySerialNumber: 'a' }
      expect(reduce(unsaid).stages[0]).not.toHaveProperty('serialNumber')
      const first = reduce(about('a', 'processing', 0, reversal))
      expect(reduceOrder(first, unsaid)).toBe(first)
      const profile = defineProfile({ statusEchoesSerialNumber: false })
      expect(reduceOrder(order, unsaid, profile).stages).toMatchObject([{ serialNumber: 'a', outcome: 'approved' }])
    })

    it('changes nothing on a reply that echoes another serial number than was asked about', () => {
      const first = reduce(about('a', 'processing', 1, reversal))
      expect(reduceOrder(first, about('a', 'approved', 2, { ...reversal, byRequestSn: 'b' }))).toBe(first)
    })
  })
})

describe('readOrder', () => {
  it('leaves out what is null, in the order and in its stages', () => {
    const read = readOrder('order', { ...kept(row({})), orderId: null } as unknown as Order)
    expect(JSON.parse(JSON.stringify(read))).toEqual({
      clientOrderId: 'o-1',
      stages: [
        {
          stage: 'reversal',
          status: 'approved',
          outcome: 'approved',
          amount: '3.00',
          currency: 'EUR',
          askedAt: 1,
          corrections: [],
        },
      ],
    })
    expect(Object.values(read.stages[0]!)).not.toContain(null)
  })

  it('is the very order where nothing is null', () => {
    const order = readOrder('order', kept(sale))
    expect(readOrder('order', order)).toBe(order)
  })

  it.each([
    ['no order', null, '"known" is not an order'],
    ['no stages', { clientOrderId: 'o-1' }, '"known.stages" is not a list'],
    ['a stage that is null', kept(null as unknown as Stage), '"known.stages[0]" is not a stage'],
    ['a stage without corrections', kept(sale, row({ corrections: null })), '"known.stages[1]" is not a stage'],
    ['an amount that is a number', kept(row({ amount: 3 })), '"known.stages[0].amount" is a number'],
    ['an outcome that is a list', kept(row({ outcome: [] })), '"known.stages[0].outcome" is an object'],
  ])('refuses %s', (_, wrong, text) => {
    const read = () => readOrder('known', wrong as unknown as Order)
    expect(read).toThrow(TypeError)
    expect(read).toThrow(text)
  })
})

describe('an order that came back with nulls', () => {
  it('moves a stage on that was under way, and appends no correction', () => {
    const order = kept(row({ stage: 'sale', status: 'processing', outcome: null, amount: null, currency: null }))
    const next = reduceOrder(order, { reply: reply({ amount: '10.00', currency: 'EUR' }), askedAt: 2 })
    expect(next.stages).toMatchObject([{ outcome: 'approved', amount: '10.00', corrections: [] }])
  })

  it('takes the amount that it did not know', () => {
    const next = reduceOrder(kept(row({ stage: 'sale', amount: null, currency: null })), {
      reply: reply({ amount: '10.00', currency: 'EUR' }),
      askedAt: 2,
    })
    expect(next.stages).toMatchObject([{ amount: '10.00', currency: 'EUR' }])
  })

  it('learns its order id', () => {
    const order = { clientOrderId: 'o-1', orderId: null, stages: [] } as unknown as Order
    const settled = settle({ order, expected: { stages: ['sale'] }, observation: { reply: reply({}), askedAt: 2 } })
    expect(settled).toMatchObject({ kind: 'approved', order: { orderId: '77' } })
    expect(emptyOrder(order)).toEqual({ clientOrderId: 'o-1', stages: [] })
  })
})
