import type { Till } from '@tillkit/till'
import express, { type Express } from 'express'

/** The doors of certify, in a test environment only. */
export function addDoors(app: Express, till: Till): void {
  app.post('/test/pay', express.urlencoded({ extended: false }), async (request, response) => {
    const form = request.body as Record<'purchase' | 'amount' | 'currency' | 'email', string>
    const { purchase, amount, currency, email } = form
    const { address } = await till.pay({
      ...{ reference: purchase, amount, currency, orderDesc: 'A jug' },
      ...{ email, phone: '+493012345678', ipAddress: '203.0.113.7' },
      ...{ address1: 'Hauptstr. 1', city: 'Berlin', zipCode: '10115', country: 'DE' },
    })
    response.json({ order: purchase, redirect: address })
  })
  app.get('/test/paid/:order', async (request, response) => {
    const { state } = await till.ask(request.params.order) // asks the gateway now: certify does not wait for the till's own times
    response.json({ paid: words[state] ?? 'not-paid' })
  })
}

/** The states of a payment in which it may yet be paid, or is. In all others the answer is "not-paid". */
const words: Readonly<Record<string, string>> = {
  ...{ paid: 'paid', new: 'open', open: 'open', unknown: 'open' },
  ...{ disputed: 'needs-person', surplus: 'needs-person' },
}
