import { createTill } from '@tillkit/till'
import { sqliteStore } from '@tillkit/till/sqlite'

const { GATEWAY, LOGIN, CONTROL_KEY, ENDPOINT_ID, SHOP = 'https://shop.example', DATABASE = ':memory:' } = process.env

export const till = createTill({
  account: {
    baseUrl: GATEWAY ?? 'https://gate.example/paynet',
    allowPlainHttp: true,
    login: LOGIN ?? 'merchant',
    controlKey: CONTROL_KEY ?? 'there is none while it is built',
    endpointId: Number(ENDPOINT_ID ?? 1),
  },
  store: sqliteStore(DATABASE),
  address: `${SHOP}/payments`,
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: ({ kind, payment }) => void process.stdout.write(`told ${payment.reference} ${kind}\n`),
})
