/** stripe-node, pointed at the same server, with a request of as many fields. It has no other gateway to speak to. */
import Stripe from 'stripe'
import { nextOrderId } from '../sale.js'

export function stripeNode(port) {
  const stripe = new Stripe('sk_test_none', { host: '127.0.0.1', port, protocol: 'http' })
  return {
    send: async () => {
      const reply = await stripe.paymentIntents.create({
        amount: 1042,
        currency: 'eur',
        confirm: true,
        description: 'Order 902B4FF5, thank you!',
        receipt_email: 'john.smith@gmail.com',
        payment_method_data: {
          type: 'card',
          billing_details: {
            name: 'John Smith',
            email: 'john.smith@gmail.com',
            phone: '+12063582043',
            address: {
              line1: '100 Main st, apt. 7',
              city: 'Seattle',
              state: 'WA',
              postal_code: '98102',
              country: 'US',
            },
          },
        },
        return_url: 'https://shop.example/orders/902B4FF5/return',
        metadata: { client_orderid: nextOrderId(), ip: '65.153.12.232' },
      })
      return reply.type
    },
    stop: async () => {},
  }
}
