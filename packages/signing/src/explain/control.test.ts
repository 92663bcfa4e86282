import { createHash, createHmac } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { controlItems } from '../index.js'
import { explainControl } from './control.js'

const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const values = { endpointId: '39', clientOrderId: 'order-7', amount: '1000', email: 'anna@example.com' }
const request = { items: controlItems.sale, values, controlKey }
const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
const ours = sha1(`39order-71000anna@example.com${controlKey}`)

describe('explainControl', () => {
  it('lays the items out with the key masked', () => {
    expect(explainControl(request)).toEqual({
      items: [
        { name: 'endpointId', value: '39' },
        { name: 'clientOrderId', value: 'order-7' },
        { name: 'amount', value: '1000' },
        { name: 'email', value: 'anna@example.com' },
      ],
      controlString: '39order-71000anna@example.com<control key>',
      lines: [
        { name: 'endpointId', ours: '39' },
        { name: 'clientOrderId', ours: 'order-7' },
        { name: 'amount', ours: '1000' },
        { name: 'email', ours: 'anna@example.com' },
        { name: 'control key', ours: '<control key>' },
      ],
    })
  })

  it('says that the other value is the same', () => {
    expect(explainControl({ ...request, expected: ours })).toMatchObject({ matches: true })
    expect(explainControl({ ...request, expected: ours })).not.toHaveProperty('explanation')
  })

  it.each([ours.toUpperCase(), Buffer.from(ours, 'hex').toString('base64'), `${ours}\n`])(
    'tells another encoding from another value: %j',
    expected => {
      const explained = explainControl({ ...request, expected })
      expect(explained).toMatchObject({ matches: true, explanation: { mistake: 'digest-encoding' } })
    },
  )

  it.each(['', 'abc', sha1('').slice(1), createHash('sha256').digest('hex')])('says that %j is no digest', expected => {
    expect(explainControl({ ...request, expected })).toMatchObject({
      matches: false,
      explanation: { mistake: 'no-digest' },
    })
  })

  // The joined text of the other side, without the key, and what should be said about it.
  it.each([
    [
      '39order-710.00anna@example.com',
      'amount',
      'amount: the value was made over "10.00"; it must be made over "1000"',
    ],
    ['39order-710anna@example.com', 'amount', 'amount: the value was made over "10"; it must be made over "1000"'],
    [
      '39order-7100000anna@example.com',
      'amount',
      'amount: the value was made over "100000"; it must be made over "1000"',
    ],
    [
      '39order-71000ANNA@EXAMPLE.COM',
      'email',
      'email: the value was made over "ANNA@EXAMPLE.COM"; it must be made over "anna@example.com"',
    ],
    ['39order-71000', 'email', 'email: the value was made over ""; it must be made over "anna@example.com"'],
    [
      'order-7391000anna@example.com',
      undefined,
      'the items were joined as clientOrderId, endpointId, amount, email; the order is endpointId, clientOrderId, amount, email',
    ],
  ])('finds the mistake in %j', (joined, item, text) => {
    const { explanation, matches } = explainControl({ ...request, expected: sha1(joined + controlKey) })
    expect(matches).toBe(false)
    expect(explanation?.item).toBe(item)
    expect(explanation?.text).toBe(text)
  })

  it.each([
    ['left out', '39order-71000anna@example.com', 'it was left out'],
    ['first', `${controlKey}39order-71000anna@example.com`, 'it was put first'],
    ['followed by a line feed', `39order-71000anna@example.com${controlKey}\n`, 'white space after it'],
  ])('finds a control key that is %s, without showing it', (_name, text, found) => {
    const explained = explainControl({ ...request, expected: sha1(text) })
    expect(explained.explanation).toMatchObject({ mistake: 'key', text: expect.stringContaining(found) })
    expect(JSON.stringify(explained)).not.toContain(controlKey)
  })

  // The whole text the other side digested; what is found must name the mistake and never the key.
  const rest = '39order-71000anna@example.com'
  it.each([
    [`${rest}${controlKey} `, 'key', 'white space after it'],
    [`${rest}"${controlKey}"`, 'key', 'quotation marks around it'],
    [`${rest}${controlKey.replaceAll('-', '')}`, 'key', 'without its hyphens'],
    [`${rest}${controlKey}&`, 'key', 'that is the key of HMAC-SHA1'],
    [`39|order-7|1000|anna@example.com|${controlKey}`, 'separator', 'joined with "|"'],
    [`39:order-7:1000:anna@example.com${controlKey}`, 'separator', 'joined with ":"'],
    [
      `endpointId=39&clientOrderId=order-7&amount=1000&email=anna@example.com${controlKey}`,
      'separator',
      'joined with "&"',
    ],
    [`39order-71000anna%40example.com${controlKey}`, 'item-encoding', 'over "anna%40example.com"'],
    [`${rest}${controlKey}`.toLowerCase(), 'key', 'in lower case'],
  ])('finds the mistake in %j and never shows the key', (digested, mistake, found) => {
    const explained = explainControl({ ...request, expected: sha1(digested) })
    expect(explained.explanation).toMatchObject({ mistake, text: expect.stringContaining(found) })
    expect(JSON.stringify(explained)).not.toContain(controlKey)
  })

  it.each([
    ['an HMAC', createHmac('sha1', controlKey).update(rest).digest('hex'), 'used for an HMAC;'],
    ['a digest of a digest', sha1(ours), 'digested once more'],
    [
      'SHA-256',
      createHash('sha256')
        .update(rest + controlKey)
        .digest('hex'),
      'with sha256, it must be SHA-1',
    ],
    [
      'MD5',
      createHash('md5')
        .update(rest + controlKey)
        .digest('hex'),
      'with md5, it must be SHA-1',
    ],
  ])('finds that the other side made %s', (_name, expected, found) => {
    const { explanation } = explainControl({ ...request, expected })
    expect(explanation).toMatchObject({ mistake: 'digest', text: expect.stringContaining(found) })
  })

  it('finds text that became bytes as Latin-1', () => {
    const email = 'jörg@example.com'
    const expected = createHash('sha1').update(`39order-71000${email}${controlKey}`, 'latin1').digest('hex')
    const { explanation } = explainControl({ ...request, values: { ...values, email }, expected })
    expect(explanation?.text).toContain('as Latin-1')
  })

  it('finds a word that stands for nothing', () => {
    const status = { login: 'm', clientOrderId: 'o', orderId: '' }
    const expected = sha1(`monull${controlKey}`)
    const { explanation } = explainControl({ items: controlItems.status, values: status, controlKey, expected })
    expect(explanation).toMatchObject({ mistake: 'empty-as-word', item: 'orderId' })
  })

  it('finds quotation marks that came with our own key', () => {
    const explained = explainControl({ ...request, controlKey: `"${controlKey}"`, expected: ours })
    expect(explained.explanation?.text).toContain('ours has quotation marks around it')
  })

  it('finds a key of ours that has white space around it', () => {
    const expected = ours
    const explained = explainControl({ ...request, controlKey: `${controlKey}\n`, expected })
    expect(explained.explanation?.text).toContain('ours has white space around it')
  })

  it('finds a character that nobody sees, in a key of ours or of the other side', () => {
    const hidden = explainControl({ ...request, controlKey: `${controlKey}\u200b`, expected: ours })
    expect(hidden.explanation?.text).toContain('ours has a character in it that nobody sees')
    const theirs = explainControl({ ...request, expected: sha1(`${rest}\ufeff${controlKey}`) })
    expect(theirs.explanation?.text).toContain('a byte order mark before it')
  })

  it('tries the values the caller suggests first', () => {
    const expected = sha1(`39previous-order1000anna@example.com${controlKey}`)
    const candidates = { clientOrderId: ['something', 'previous-order'] }
    const { explanation } = explainControl({ ...request, candidates, expected })
    expect(explanation).toMatchObject({ mistake: 'another-value', item: 'clientOrderId' })
  })

  it('claims nothing when two things differ', () => {
    const explained = explainControl({ ...request, expected: sha1(`41other1000anna@example.com${controlKey}`) })
    expect(explained.matches).toBe(false)
    expect(explained).not.toHaveProperty('explanation')
  })

  it('masks a control key that is written with escapes in a message', () => {
    const awkward = 'a"b\\c'
    const expected = sha1(`39order-71000${awkward}${awkward}`)
    const explained = explainControl({ ...request, controlKey: awkward, candidates: { email: [awkward] }, expected })
    expect(explained.explanation?.text).toContain('over "<control key>"')
  })

  it('masks the control key when it stands in an item as well', () => {
    const explained = explainControl({ ...request, values: { ...values, email: controlKey }, expected: ours })
    expect(JSON.stringify(explained)).not.toContain(controlKey)
  })
})
