import type { Payment, PaymentQuestion } from '@tillkit/till'
import { expect, it } from 'vitest'
import { describePayment } from './describe.js'

it('names what callbacks said, and every way to end the question', () => {
  const order = { clientOrderId: 'basket-7', orderId: '77', login: 'merchant', standing: 'approved', stages: [] }
  const payment = {
    reference: 'basket-7',
    state: 'paid',
    allowed: { capture: false, void: false, return: '10.00' },
    uncertain: 'A callback said that the chargeback over 3.00 is approved, and status never showed that.',
    needsPerson: 'A callback of order basket-7 said what status does not show.',
    underWay: [],
    untold: [],
    orders: [order],
    timeline: [],
  } as unknown as Payment
  const question: PaymentQuestion = {
    kind: 'not-shown',
    order: 'basket-7',
    proposed: [],
    callbacks: [
      { status: 'approved', stage: 'chargeback', amount: '3.00', at: 1, since: 2 },
      { status: 'declined', at: 1, since: 2 },
    ],
  }
  const layout = { paint: (_: string, text: string) => text, columns: 200, same: '', account: '', till: undefined }
  const lines = describePayment(payment, [question], layout)
  const text = lines.replaceAll(/\s+/g, ' ')
  expect(text).toContain('said: chargeback, 3.00, approved; a movement, declined. Status did not show that.')
  expect(text).toContain('takes it up with till.adopt and the serial numbers')
  expect(text).toContain('tillkit decide basket-7 noted --who … --why …')
  expect(text).toContain('tillkit decide basket-7 dismissed --who … --why …')
  // A return is possible meanwhile: it is not said that nothing is sent.
  expect(text).toContain('Next Decide first what is asked below. Possible')
})
