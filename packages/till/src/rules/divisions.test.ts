import { defaultProfile, defineProfile } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { doubtAboutShape, otherDivisions } from './divisions.js'

const signed = { status: 'approved', orderId: '12', clientOrderId: 'a-7' }

// Section 5.1: "concatenated in the order written, with no separator". The lists are counted by hand.
describe('otherDivisions', () => {
  it('moves the border of the ids, and leaves the status where the profile has one word for it', () => {
    expect(otherDivisions(signed, defaultProfile)).toEqual([
      { status: 'approved', orderId: '1', clientOrderId: '2a-7' },
      { status: 'approved', orderId: '12a', clientOrderId: '-7' },
      { status: 'approved', orderId: '12a-', clientOrderId: '7' },
    ])
  })

  it('moves the border of the status between two words of which one begins the other', () => {
    const profile = defineProfile({ finalStatuses: { approved: 'approved', approved1: 'approved' } })
    expect(otherDivisions(signed, profile)).toContainEqual({
      status: 'approved1',
      orderId: '2',
      clientOrderId: 'a-7',
    })
  })

  it('follows the order of the items in the profile', () => {
    const profile = defineProfile({ callbackItems: ['clientOrderId', 'orderId', 'status'] })
    expect(otherDivisions({ ...signed, orderId: '9' }, profile)).toEqual([
      { clientOrderId: 'a', orderId: '-79', status: 'approved' },
      { clientOrderId: 'a-', orderId: '79', status: 'approved' },
    ])
  })

  it('takes no half of a character, no word for nothing, and no id that is too long', () => {
    const of = (orderId: string, clientOrderId: string) =>
      otherDivisions({ ...signed, orderId, clientOrderId }, defaultProfile)
    expect(of('1', '😀')).toEqual([])
    expect(of('1n', 'ull').map(({ clientOrderId }) => clientOrderId)).toEqual(['ll', 'l'])
    expect(of('1'.repeat(20), 'x').map(({ orderId }) => orderId.length)).toEqual(
      Array.from({ length: 19 }, (_, index) => index + 1),
    )
  })
})

describe('doubtAboutShape', () => {
  it.each([
    [{ ...signed, status: 'approve' }, 'status is no word that ends an order'],
    [{ ...signed, status: 'processing' }, 'status is no word that ends an order'],
    [{ ...signed, orderId: '1'.repeat(21) }, 'orderId is longer'],
    [{ ...signed, clientOrderId: 'x'.repeat(129) }, 'clientOrderId is longer'],
  ])('is said of %j', (given, words) => {
    expect(doubtAboutShape(given, defaultProfile)).toContain(words)
  })

  it('is nothing where words and lengths are those of the profile', () => {
    expect(doubtAboutShape(signed, defaultProfile)).toBeUndefined()
  })
})
