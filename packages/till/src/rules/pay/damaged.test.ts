/** A disk that flips a bit of what is kept of a payment. */
import { defaultProfile as profile } from '@tillkit/protocol'
import { expect, it } from 'vitest'
import { order, payment, sale, stage } from '../../../test/state/payment-samples.js'
import { StoreError } from '../../store/store.js'
import { entryOf, readDocument } from '../kept/entry.js'
import { nextPayStep } from './next-step.js'

const money = { amount: '10.00', currency: 'EUR' } as const
const terms = { reference: 'basket-7', purpose: 'sale', ...money, login: 'merchant' } as const
const end = { kind: 'accepted', at: 2_000, redirectUrl: 'https://gate.example/form/1' } as const
const form = order({ orderId: '77', attempts: [{ ...sale, operation: 'saleForm', end }] })
const approved = stage({ status: 'approved', outcome: 'approved', askedAt: 6_000, ...money })

/** The next step of `till.pay` by what is kept, or the code of its refusal to read that. */
function stepBy(body: string): string {
  try {
    const document = readDocument({ key: 'payment/test/shop/basket-7', version: 1, writeId: 'w', body })
    const facts = { at: 8_000, asked: new Set(['basket-7']), begun: new Set<string>(), differs: new Set<string>() }
    return nextPayStep(document, terms, { profile, replaceOpenForm: false, mostOrders: 9 }, facts).kind
  } catch (error) {
    if (error instanceof StoreError) return error.code
    throw error
  }
}

it.each([
  ['whose form is open', payment(form), 'go'],
  ['that is paid', payment({ ...form, stages: [approved] }), 'over'],
])('a payment %s never counts as a new one, whichever bit of it was flipped', (_, document, step) => {
  const { body } = entryOf(document)
  expect(stepBy(body)).toBe(step)
  const opened: string[] = []
  for (let at = 0; at < body.length; at += 1) {
    for (let bit = 0; bit < 8; bit += 1) {
      const bytes = Buffer.from(body)
      bytes.writeUInt8(bytes.readUInt8(at) ^ (1 << bit), at)
      if (stepBy(bytes.toString()) === 'open') opened.push(bytes.toString())
    }
  }
  expect(opened).toEqual([])
})
