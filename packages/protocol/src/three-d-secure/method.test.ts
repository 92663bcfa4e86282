import { describe, expect, it } from 'vitest'
import { threeDSCompInd, threeDSMethodData } from './method.js'

describe('threeDSCompInd, section 8: ten seconds', () => {
  const step = { methodUrlGiven: true, startedAt: 1_000 }
  it.each([
    ['U when no method address was given', { ...step, methodUrlGiven: false, now: 1_000 }, 'U'],
    ['nothing yet while there is time', { ...step, now: 10_999 }, undefined],
    ['N once ten seconds have passed', { ...step, now: 11_000 }, 'N'],
    ['Y when the notification came in time', { ...step, notifiedAt: 10_999, now: 60_000 }, 'Y'],
    ['N when the notification came late', { ...step, notifiedAt: 11_000, now: 11_000 }, 'N'],
  ])('is %s', (_, input, indicator) => {
    expect(threeDSCompInd(input)).toBe(indicator)
  })
})

describe('threeDSMethodData', () => {
  it('is what the method frame posts', () => {
    const value = threeDSMethodData({
      threeDSServerTransId: '8a880dc0-d2d2-4067-bcb1-b08d1690b26e',
      notificationUrl: 'https://shop.example/method?o=ü',
    })
    // printf '%s' '{"threeDSServerTransID":…}' | basenc --base64url -w0, padding removed
    expect(value).toBe(
      'eyJ0aHJlZURTU2VydmVyVHJhbnNJRCI6IjhhODgwZGMwLWQyZDItNDA2Ny1iY2IxLWIwOGQxNjkwYjI2ZSIsInRocmVlRFNNZXRob2ROb3RpZmljYXRpb25VUkwiOiJodHRwczovL3Nob3AuZXhhbXBsZS9tZXRob2Q_bz3DvCJ9',
    )
  })
})
