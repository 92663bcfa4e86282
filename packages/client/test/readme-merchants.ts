import { type Client, createClient, type Merchant } from '../src/index.js'
import type { SaleRequest } from '@tillkit/protocol'

export const client = createClient({
  baseUrl: 'https://gate.example/paynet',
  endpointId: 39,
  login: 'bakery',
  controlKey: process.env.BAKERY_CONTROL_KEY,
})

// One object for each merchant, made once: its keys are read once.
const florist: Merchant = { login: 'florist', controlKey: process.env.FLORIST_CONTROL_KEY, endpointId: 40 }

export const sell = (sale: SaleRequest, through: Pick<Client, 'sale'> = client) => [
  through.sale(sale, { endpointId: 41 }), // the bakery, at another endpoint
  through.sale(sale, { endpointGroupId: 7 }), // the bakery, at a group of endpoints
  through.sale(sale, { merchant: florist }),
]
