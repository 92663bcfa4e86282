import { createFakeGateway, testCard } from '@tillkit/testing'
import { createClient } from '../src/index.js'
import type { OutcomeQuestion } from '@tillkit/protocol'

const gateway = createFakeGateway({ processingTime: 2_000 })
const client = createClient({ ...gateway.clientOptions, wait: milliseconds => gateway.clock.advance(milliseconds) })
const money = { amount: '10.00', currency: 'EUR' }
const place = { address1: '12 St James Square', city: 'London', zipCode: 'SW1Y 4LB', country: 'GB' }
const customer = { email: 'jane@example.com', phone: '+442079460000', ipAddress: '203.0.113.7', ...place }
const card = { creditCardNumber: testCard, cardPrintedName: 'DOE', expireMonth: '12', expireYear: '2099', cvv2: '123' }

const sale = { clientOrderId: 'o-2', orderDesc: 'Two cups', ...money, ...customer, ...card }
const { orderId } = await client.sale(sale)
const question: OutcomeQuestion = { order: { clientOrderId: 'o-2', orderId }, expected: { stages: ['sale'], ...money } }

const ended = await client.awaitOutcome(question)
console.log(ended.kind, ended.moneyMoved, ended.evidence)
