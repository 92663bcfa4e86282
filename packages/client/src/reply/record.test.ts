import { createScrubber, defaultProfile, type RawReply, readReply } from '@tillkit/protocol'
import { describe, expect, it } from 'vitest'
import { RedactedRecord } from './record.js'

const controlKey = '7e1d0a36-control-key-of-tests'
const scrubber = createScrubber(() => ({ texts: [controlKey], cardNumbers: [], digits: [] }))
const profile = defaultProfile

const recordOf = (raw: RawReply) =>
  new RedactedRecord(readReply(raw, { record: 'AsyncCheckoutFormRedirect', profile }), scrubber, profile)

describe('RedactedRecord', () => {
  it('says what the record says of its order', () => {
    const url = 'https://gate.example/form/1'
    const record = recordOf({ 'paynet-order-id': '77', 'serial-number': 's-1', 'redirect-url': url })
    expect([record.orderId(), record.serialNumber(), record.redirectUrl()]).toEqual(['77', 's-1', url])
    expect(record.received()).toEqual({
      'paynet-order-id': '77',
      'serial-number': 's-1',
      'redirect-url': 'https://gate.example/***',
    })
  })

  it('shows no secret that the gateway echoes, whatever field it is in', () => {
    const record = recordOf({
      'paynet-order-id': controlKey,
      'serial-number': `s-${controlKey}`,
      'redirect-url': `https://gate.example/${controlKey}`,
    })
    const texts = [record.orderId(), record.serialNumber(), record.redirectUrl(), JSON.stringify(record.received())]
    expect(texts.slice(0, 3)).toEqual(['***', 's-***', 'https://gate.example/***'])
    expect(texts.join()).not.toContain(controlKey)
  })

  it('knows the order id under the name that requests have for it, if it is one', () => {
    expect(recordOf({ orderid: ' 77\n' }).orderId()).toBe('77')
    for (const orderid of ['', ' ', 'null', 'false']) expect(recordOf({ orderid }).orderId()).toBeUndefined()
    expect(recordOf({ 'paynet-order-id': '78', orderid: '77' }).orderId()).toBe('78')
  })

  it('leaves out what is not to be believed, one field after the other, and only there', () => {
    const record = recordOf({ 'paynet-order-id': '77', 'serial-number': 's-1' })
    const other = record.without('orderId').without('redirectUrl')
    expect([other.orderId(), other.serialNumber()]).toEqual([undefined, 's-1'])
    expect(other.without('serialNumber').serialNumber()).toBeUndefined()
    expect(other.without('serialNumber').orderId()).toBeUndefined()
    expect(record.orderId()).toBe('77')
  })
})
