import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { RawReply } from '../operations/records/replies.js'
import { defaultProfile, defineProfile } from '../profile/profile.js'
import {
  describeNoId,
  missingReplyFields,
  noIdAmong,
  notText,
  readReply,
  requiredReplyFields,
  withoutNulls,
} from './read-reply.js'

const profile = defaultProfile

describe('readReply', () => {
  it('reads the published async response, line feeds and all', () => {
    // Values as a host that ends each with a line feed sends them; published example, see test/README.md.
    const raw = {
      type: 'async-response\n',
      'serial-number': '00000000-0000-0000-0000-000002d9b22a\n',
      'merchant-order-id': 'inv4097763\n',
      'paynet-order-id': '6768788\n',
      'end-point-id': '22903\n',
    }
    expect(readReply(raw, { record: 'AsyncResponse', profile })).toEqual({
      type: 'async-response',
      serialNumber: '00000000-0000-0000-0000-000002d9b22a',
      clientOrderId: 'inv4097763',
      orderId: '6768788',
      endpointId: '22903',
    })
  })

  it('keeps the whole reply where logging does not find it', () => {
    const reply = readReply({ status: 'approved', novelty: '1' }, { record: 'StatusResponse', profile })
    expect(reply.raw).toEqual({ status: 'approved', novelty: '1' })
    expect(Object.keys(reply)).toEqual(['status'])
    expect(JSON.stringify(reply)).not.toContain('novelty')
    const everything = { showHidden: true, depth: Number.POSITIVE_INFINITY }
    expect(inspect(reply, everything)).toContain("status: 'approved'")
    expect(inspect(reply, everything)).not.toContain('novelty')
  })

  it('gives every record the reply that it was read from, and a copy of one nobody’s', () => {
    const raws = [{ status: 'approved' }, { status: 'declined' }]
    const replies = raws.map(raw => readReply(raw, { record: 'StatusResponse', profile }))
    expect(replies.map(({ raw }) => raw)).toEqual(raws)
    expect(Object.create(replies[0] ?? null).raw).toBeUndefined()
    expect(Object.getPrototypeOf(replies[0])).toBe(Object.prototype)
  })

  it('reads every group of fields that public documents list for status', () => {
    const raw = {
      status: 'approved',
      'card-exp-month': '12',
      'card-ref-id': '31',
      'dest-bin': '555555',
      'processor-tx-id': 'PN-1',
      'paynet-processing-date': '2015-04-09 17:14:26 MSK',
      'verified-rsc-status': 'UNKNOWN',
      fraud_message: 'velocity',
      'loyalty-bonus': '7',
      'ips-src-payment-type-name': 'phone',
    }
    expect(readReply(raw, { record: 'StatusResponse', profile })).toEqual({
      status: 'approved',
      expireMonth: '12',
      cardRefId: '31',
      destinationBin: '555555',
      processorTxId: 'PN-1',
      processingDate: '2015-04-09 17:14:26 MSK',
      verifiedRscStatus: 'UNKNOWN',
      fraudMessage: 'velocity',
      loyaltyBonus: '7',
      paymentTypeName: 'phone',
    })
  })

  it('reads the fields of each 3DS step', () => {
    const raw = {
      tds_status: 'PaReqForm',
      'tds-method-url-frame-3ds-method-url': 'https://acs.example/method',
      'tds-method-url-frame-3ds-server-trans-id': 'id-1',
      'tds-creq-form-acs-url': 'https://acs.example/creq',
      'tds-creq-form-creq': 'eyJ9',
      'tds-pareq-form-acs-url': 'https://acs.example/pareq',
      'tds-pareq-form-pareq': 'eJxV',
      'tds-pareq-form-md': 'md-1',
      html: '<form>',
      'redirect-to': 'https://gate.example/3ds',
    }
    expect(readReply(raw, { record: 'StatusResponse', profile })).toEqual({
      tdsStatus: 'PaReqForm',
      tdsMethodUrl: 'https://acs.example/method',
      tdsServerTransId: 'id-1',
      tdsChallengeUrl: 'https://acs.example/creq',
      tdsCreq: 'eyJ9',
      tdsParesUrl: 'https://acs.example/pareq',
      tdsPareq: 'eJxV',
      tdsMd: 'md-1',
      html: '<form>',
      redirectTo: 'https://gate.example/3ds',
    })
  })

  it.each([
    [{ 'paynet-order-id': 9223372036854775807n }, '"paynet-order-id" of the reply is of type bigint'],
    [{ status: 'approved', 'paynet-order-id': 5 }, '"paynet-order-id" of the reply is of type number'],
    [{ amount: null }, '"amount" of the reply is null, and readReply takes text only.'],
    [{ status: { approved: true } }, '"status" of the reply is of type object'],
    ['type=status-response', 'Parse the body first.'],
    [null, 'Parse the body first.'],
    [['status'], 'Parse the body first.'],
  ])('says that it takes text: %#', (raw, message) => {
    const read = () => readReply(raw as unknown as RawReply, { record: 'StatusResponse', profile })
    expect(read).toThrow(TypeError)
    expect(read).toThrow(message)
  })

  it('leaves out fields that are empty', () => {
    expect(readReply({ status: ' ', amount: '' }, { record: 'StatusResponse', profile })).toEqual({})
  })

  it('builds the masked PAN from its two ends', () => {
    const raw = { bin: '444455', 'last-four-digits': '1111' }
    expect(readReply(raw, { record: 'CardInfoAsyncResponse', profile })).toMatchObject({
      maskedPan: '444455******1111',
    })
  })

  it('shows six digits of a BIN that has eight', () => {
    const raw = { bin: '44445566', 'last-four-digits': '1111' }
    expect(readReply(raw, { record: 'CardInfoAsyncResponse', profile })).toMatchObject({
      maskedPan: '444455******1111',
    })
  })

  it('takes the masked PAN that a gateway sends', () => {
    const raw = { bin: '444455', 'last-four-digits': '1111', 'masked-pan': '444455XXXXXX1111' }
    expect(readReply(raw, { record: 'CardInfoAsyncResponse', profile })).toMatchObject({
      maskedPan: '444455XXXXXX1111',
    })
  })

  it.each([
    ['only one end', 'CardInfoAsyncResponse', { bin: '444455' }],
    ['only the other', 'CardInfoAsyncResponse', { 'last-four-digits': '1111' }],
    ['another record', 'StatusResponse', { 'masked-pan': '444455XXXXXX1111' }],
  ] as const)('builds no masked PAN of %s', (_what, record, raw) => {
    expect(readReply(raw, { record, profile })).not.toHaveProperty('maskedPan')
  })

  it('reads the fields of your own besides those of every reply', () => {
    const raw = { type: 'async-response', 'wallet-id': ' 7\n', 'wallet-name': '' }
    const reply = readReply(raw, { record: { walletId: 'wallet-id', walletName: 'wallet-name' }, profile })
    expect(reply).toEqual({ type: 'async-response', walletId: '7' })
    expect(reply.raw).toBe(raw)
  })

  it('reads the names that the profile gives', () => {
    const mine = defineProfile({
      replyFields: { ...defaultProfile.replyFields.value, redirectUrl: ['form-url'] },
    })
    const raw = { 'form-url': 'https://gate.example/f/1' }
    expect(readReply(raw, { record: 'AsyncCheckoutFormRedirect', profile: mine })).toMatchObject({
      redirectUrl: 'https://gate.example/f/1',
    })
  })

  it('does not read inherited names', () => {
    const raw = Object.create({ status: 'approved' })
    expect(readReply(raw, { record: 'StatusResponse', profile })).toEqual({})
  })
})

describe('missingReplyFields', () => {
  it('names what a reply lacks', () => {
    const reply = readReply({ type: 'async-response' }, { record: 'AsyncResponse', profile })
    expect(missingReplyFields(reply, ['orderId'])).toEqual(['orderId'])
    expect(missingReplyFields(reply, ['type'])).toEqual([])
  })

  it('asks for all fields of your own', () => {
    expect(requiredReplyFields({ walletId: 'wallet-id' })).toEqual(['walletId'])
  })
})

describe('describeNoId', () => {
  it.each([
    [' NaN ', '"NaN", which is not an id: programs write it where a value is missing'],
    ['', 'empty or blank'],
    [' \u200b\t', 'empty or blank'],
  ])('says of %j that it is %s', (text, said) => {
    expect(describeNoId(text)).toBe(said)
  })
})

describe('what was kept', () => {
  it('is read without nulls, and is the same object where there are none', () => {
    const stored = { a: 1, b: undefined, c: '' }
    expect(withoutNulls(stored)).toBe(stored)
    expect(withoutNulls({ ...stored, d: null })).toStrictEqual(stored)
  })

  it('is searched for words in the place of ids', () => {
    const stored = { a: '77', b: 5, c: 'null' }
    expect(noIdAmong(stored, ['a', 'b', 'd', 'c'])).toEqual({ field: 'c', found: describeNoId('null') })
    expect(noIdAmong(stored, ['a', 'b', 'd'])).toBeUndefined()
  })

  it('is searched for what is no text', () => {
    const stored = { a: '77', b: 5, c: { d: 1 } }
    expect(notText(stored, ['a', 'd', 'b', 'c'])).toEqual({ field: 'b', found: 'a number' })
    expect(notText(stored, ['c'])).toEqual({ field: 'c', found: 'an object' })
    expect(notText(stored, ['a', 'd'])).toBeUndefined()
  })
})
