import { createFakeGateway, testCard } from '@tillkit/testing'
import { createClient, outcomeOf } from '../src/index.js'

const gateway = createFakeGateway({ processingTime: 2_000 })
const client = createClient({ ...gateway.clientOptions, wait: milliseconds => gateway.clock.advance(milliseconds) })
const money = { amount: '10.00', currency: 'EUR' }
const place = { address1: '12 St James Square', city: 'London', zipCode: 'SW1Y 4LB', country: 'GB' }
const customer = { email: 'jane@example.com', phone: '+442079460000', ipAddress: '203.0.113.7', ...place }
const card = { creditCardNumber: testCard, cardPrintedName: 'DOE', expireMonth: '12', expireYear: '2099', cvv2: '123' }

const sale = { clientOrderId: 'o-2', orderDesc: 'Two cups', ...money, ...customer, ...card }
const reply = await client.sale(sale)
const ended = await client.awaitOutcome(outcomeOf('sale', { request: sale, reply }))
console.log(ended.kind, ended.moneyMoved, ended.evidence)
