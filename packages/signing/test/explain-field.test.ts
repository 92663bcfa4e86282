/**
 * The mistakes that public clients of such gateways make. The values of the other side are made with node:crypto over text
 * that is written out here, never by this package.
 */
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { explainControl } from '../src/explain/index.js'
import { controlItems } from '../src/index.js'

const sha1 = (text: string): string => createHash('sha1').update(text).digest('hex')
const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'
const ids = { login: 'merchant', clientOrderId: '902B4FF5', orderId: '1969105' }

describe('a capture whose amount and currency are signed and not sent', () => {
  const request = { items: controlItems.capture, values: { ...ids, amount: '', currency: '' }, controlKey }

  it.each([
    ['the amount and currency of the order', '1042', 'GBP', { amount: ['99', '1042'], currency: ['GBP'] }],
    ['the amount of the order', '1042', 'KWD', { amount: ['1042'] }],
  ])('is named by who knows %s', (_title, amount, currency, candidates) => {
    const expected = sha1(`merchant902B4FF51969105${amount}${currency}${controlKey}`)
    const { matches, explanation } = explainControl({ ...request, candidates, expected })
    expect(matches).toBe(false)
    expect(explanation).toMatchObject({
      mistake: 'amount-and-currency',
      item: 'amount',
      text:
        `amount, currency: the value was made over "${amount}" and "${currency}", and the request has neither; ` +
        'send both, or leave both out of the value',
    })
  })

  it('is told from one that sends them and does not sign them', () => {
    const values = { ...ids, amount: '1042', currency: 'GBP' }
    const expected = sha1(`merchant902B4FF51969105${controlKey}`)
    const { explanation } = explainControl({ ...request, values, expected })
    expect(explanation).toMatchObject({ mistake: 'amount-and-currency', text: expect.stringContaining('without them') })
  })
})

describe('a return that is signed with the formula of a sale', () => {
  const values = { ...ids, amount: '1042', currency: 'EUR' }
  const expected = sha1(`39902B4FF51042john.smith@gmail.com${controlKey}`)
  const request = { items: controlItems.return, controlKey, expected }

  it.each([
    ['whole', { ...values, amount: '', currency: '' }, { amount: ['1042'] }],
    ['partial', values, {}],
  ])('is named, a %s one', (_title, values, more) => {
    const candidates = { endpointId: ['39'], email: ['anna@example.com', 'john.smith@gmail.com'], ...more }
    expect(explainControl({ ...request, values, candidates }).explanation).toMatchObject({
      mistake: 'another-operation',
      text:
        'the value was made over the items of sale, saleForm, preauth, preauthForm, paymentForm: endpointId, ' +
        'clientOrderId, amount, email; this operation has login, clientOrderId, orderId, amount, currency',
    })
  })

  it('is named when it covers no e-mail address', () => {
    const expected = sha1(`39902B4FF51042${controlKey}`)
    const { explanation } = explainControl({ ...request, values, candidates: { endpointId: ['39'] }, expected })
    expect(explanation?.mistake).toBe('another-operation')
  })
})

describe('an account verification by endpoint group', () => {
  it('is named when the value covers an empty endpoint', () => {
    const items = controlItems.accountVerification
    const values = { endpointId: '2545', clientOrderId: '902B4FF5', email: 'john.smith@gmail.com' }
    const expected = sha1(`902B4FF5john.smith@gmail.com${controlKey}`)
    expect(explainControl({ items, values, controlKey, expected }).explanation).toMatchObject({
      mistake: 'item-left-out',
      item: 'endpointId',
      text:
        'endpointId: the value was made over ""; it must be made over "2545"; ' +
        'take the endpoint, or the endpoint group, of the path',
    })
  })
})
