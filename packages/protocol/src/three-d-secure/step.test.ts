import { describe, expect, it } from 'vitest'
import { statusReply } from '../../test/status-reply.js'
import type { StatusResponse } from '../operations/records/replies.js'
import { defineProfile } from '../profile/profile.js'
import { threeDSCompInd, threeDSecureStep, threeDSMethodData } from './step.js'

const step = (fields: Partial<StatusResponse>) => threeDSecureStep(statusReply({ status: 'processing', ...fields }))
const transId = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e'
const method = { tdsStatus: 'MethodUrlFrame', tdsMethodUrl: 'https://acs.example/method', tdsServerTransId: transId }
const challenge = { tdsStatus: 'CReqForm', tdsChallengeUrl: 'https://acs.example/creq', tdsCreq: 'eyJ9' }
const pares = { tdsStatus: 'PaReqForm', tdsParesUrl: 'https://acs.example/pa', tdsPareq: 'eJxV', tdsMd: 'md-1' }

describe('threeDSecureStep, where the merchant runs 3DS', () => {
  it('reads the method step and the data for its frame', () => {
    expect(step(method)).toEqual({
      kind: 'method',
      methodUrl: 'https://acs.example/method',
      threeDSServerTransId: transId,
      upload: 'uploadMethodUrlResult',
    })
  })

  it('reads a method step without an address, which is uploaded at once', () => {
    expect(step({ tdsStatus: 'MethodUrlFrame' })).toEqual({ kind: 'method', upload: 'uploadMethodUrlResult' })
  })

  it('reads the challenge', () => {
    expect(step({ ...challenge, tdsServerTransId: transId })).toEqual({
      kind: 'challenge',
      acsUrl: 'https://acs.example/creq',
      creq: 'eyJ9',
      threeDSServerTransId: transId,
      upload: 'uploadCresResult',
    })
  })

  it('reads 3DS 1.0.2', () => {
    expect(step(pares)).toEqual({
      kind: 'pares',
      acsUrl: 'https://acs.example/pa',
      paReq: 'eJxV',
      md: 'md-1',
      upload: 'uploadParesResult',
    })
  })

  it('goes by the words of the profile', () => {
    const profile = defineProfile({ threeDSecureSteps: { method: 'm', challenge: 'c', pares: 'p' } })
    const reply = statusReply({ status: 'processing', ...challenge, tdsStatus: 'c' })
    expect(threeDSecureStep(reply, profile)).toMatchObject({ kind: 'challenge' })
    expect(threeDSecureStep({ ...reply, tdsStatus: 'CReqForm' }, profile)).toMatchObject({ kind: 'unusable' })
  })

  it.each([
    ['tdsChallengeUrl', { ...challenge, tdsChallengeUrl: undefined }],
    ['tdsCreq', { ...challenge, tdsCreq: undefined }],
    ['tdsParesUrl', { ...pares, tdsParesUrl: undefined }],
    ['tdsPareq', { ...pares, tdsPareq: undefined }],
    ['tdsServerTransId', { ...method, tdsServerTransId: undefined }],
  ])('is unusable without %s, and names what is there instead', (field, fields) => {
    const raw = { tds_status: 'X', 'tds-other-acs': 'https://acs.example/?token=secret-1', amount: '10.00' }
    const found = threeDSecureStep({ ...statusReply({ status: 'processing', raw }), ...(fields as object) })
    expect(found).toMatchObject({ kind: 'unusable', explanation: expect.stringContaining(`no ${field}`) })
    expect(found).toMatchObject({ explanation: expect.stringContaining('"tds-other-acs"') })
    expect(JSON.stringify(found)).not.toContain('secret-1')
  })
})

describe('threeDSecureStep, where the gateway runs 3DS', () => {
  it.each([
    [{ html: '<form>' }, { html: '<form>' }],
    [{ redirectTo: 'https://gate.example/3ds' }, { redirectTo: 'https://gate.example/3ds' }],
    [
      { html: '<form>', redirectTo: 'https://gate.example/3ds' },
      { html: '<form>', redirectTo: 'https://gate.example/3ds' },
    ],
  ])('reads %j', (fields, found) => {
    expect(step(fields)).toEqual({ kind: 'gateway-run', ...found })
  })

  it('prefers the step the merchant runs', () => {
    expect(step({ ...challenge, html: '<form>', redirectTo: 'https://gate.example/3ds' })).toMatchObject({
      kind: 'challenge',
    })
  })
})

describe('threeDSecureStep, when there is nothing to do', () => {
  it.each(['approved', 'declined', 'filtered', 'error'])('reads none once the status is %s', status => {
    expect(step({ ...challenge, status })).toBeUndefined()
    expect(step({ redirectTo: 'https://gate.example/3ds', status })).toBeUndefined()
  })

  it('reads none of a reply without signs of 3DS', () => {
    expect(step({})).toBeUndefined()
  })
})

describe('threeDSecureStep, of a word the profile does not know', () => {
  it.each(['CREQFORM', 'RedirectForm'])('says that somebody has to do something: %s', tdsStatus => {
    const redirectTo = 'https://gate.example/3ds?token=secret-1'
    const raw = { tds_status: tdsStatus, 'tds-redirect-form-url': 'secret-2', 'redirect-to': redirectTo, amount: '1' }
    expect(step({ tdsStatus, redirectTo, raw })).toEqual({
      kind: 'unusable',
      explanation:
        `The status reply says "${tdsStatus}", which is none of "MethodUrlFrame", "CReqForm", "PaReqForm". Its own fields ` +
        'for 3DS are "tds_status", "tds-redirect-form-url", "redirect-to": correct "threeDSecureSteps" with defineProfile.',
    })
    expect(step({ status: 'approved', tdsStatus, raw })).toBeUndefined()
  })
})

describe('addresses of a step', () => {
  it.each(['http://acs.example/', 'https://user:pass@acs.example/', 'javascript:alert(1)', '//acs.example', 'acs'])(
    'are refused and not repeated: %s',
    address => {
      const steps = [
        step({ ...method, tdsMethodUrl: address }),
        step({ ...challenge, tdsChallengeUrl: address }),
        step({ ...pares, tdsParesUrl: address }),
        step({ html: '<form>', redirectTo: address }),
      ]
      for (const each of steps) expect(each?.kind).toBe('unusable')
      expect(JSON.stringify(steps)).not.toContain(address)
    },
  )

  it('may be on this machine', () => {
    expect(step({ redirectTo: 'http://127.0.0.1:8080/3ds' })).toMatchObject({ kind: 'gateway-run' })
  })
})

describe('what a step says that cannot be used', () => {
  const own = (...names: string[]) =>
    `Its own fields for 3DS are ${names.join(', ')}: correct "replyFields" with defineProfile.`
  it.each<[Partial<StatusResponse>, string]>([
    [{ ...method, tdsServerTransId: undefined } as never, 'says "MethodUrlFrame" and has no tdsServerTransId. '],
    [{ tdsStatus: 'CReqForm' }, 'says "CReqForm" and has no tdsChallengeUrl and no tdsCreq. '],
    [{ ...challenge, tdsCreq: undefined } as never, 'says "CReqForm" and has no tdsCreq. '],
    [{ ...pares, tdsParesUrl: undefined } as never, 'says "PaReqForm" and has no tdsParesUrl. '],
  ])('%j', (fields, said) => {
    expect(step(fields)).toEqual({ kind: 'unusable', explanation: `The status reply ${said}${own('none')}` })
  })

  it('names twenty of its own fields, cut to sixty characters', () => {
    const names = Array.from({ length: 21 }, (_, at) => `tds-${at}-${'x'.repeat(60)}`)
    const raw = Object.fromEntries(names.map(name => [name, '']))
    const shown = names.slice(0, 20).map(name => `"${name.slice(0, 60)}"`)
    expect(step({ tdsStatus: 'CReqForm', raw })).toHaveProperty('explanation', expect.stringContaining(own(...shown)))
  })

  it('names no field that only begins or ends like one', () => {
    const raw = { 'my-tds-a': '', 'html-size': '', 'redirect-to-me': '', my_html: '', HTML: '' }
    expect(step({ tdsStatus: 'CReqForm', raw })).toHaveProperty('explanation', expect.stringContaining(own('"HTML"')))
  })

  it('cuts a long word', () => {
    const explanation = expect.stringContaining(`says "${'x'.repeat(40)}", which is none of`)
    expect(step({ tdsStatus: 'x'.repeat(41) })).toHaveProperty('explanation', explanation)
  })

  it('names the field of an address that is not safe', () => {
    const explanation =
      '"redirectTo" of the status reply is not an https address, or carries a user name. The customer was not sent there.'
    expect(step({ redirectTo: 'acs' })).toEqual({ kind: 'unusable', explanation })
    expect(step({ ...method, tdsMethodUrl: 'acs' })).toHaveProperty(
      'explanation',
      explanation.replace('redirectTo', 'tdsMethodUrl'),
    )
    expect(step({ ...challenge, tdsChallengeUrl: 'acs' })).toHaveProperty(
      'explanation',
      expect.stringMatching(/^"tdsChallengeUrl"/),
    )
    expect(step({ ...pares, tdsParesUrl: 'acs' })).toHaveProperty(
      'explanation',
      expect.stringMatching(/^"tdsParesUrl"/),
    )
  })
})

describe('threeDSCompInd, section 8: ten seconds', () => {
  const step = { methodUrlGiven: true, startedAt: 1_000 }
  it.each([
    ['U when no method address was given', { ...step, methodUrlGiven: false, now: 1_000 }, 'U'],
    ['nothing yet while there is time', { ...step, now: 10_999 }, undefined],
    ['N once ten seconds have passed', { ...step, now: 11_000 }, 'N'],
    ['Y when the notification came in time', { ...step, notifiedAt: 10_999, now: 60_000 }, 'Y'],
    ['N when the notification came late', { ...step, notifiedAt: 11_000, now: 11_000 }, 'N'],
    ['N when it came late and the clock went back', { ...step, notifiedAt: 11_000, now: 10_000 }, 'N'],
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
