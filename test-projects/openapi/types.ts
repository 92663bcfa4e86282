import createClient from 'openapi-fetch'
// `main.js` writes it.
import type { components, operations, paths } from './gateway.js'

type Schemas = components['schemas']

const client = createClient<paths>({ baseUrl: 'https://gate.example/paynet' })

export const ask = (body: Schemas['StatusRequest']) =>
  client.POST('/api/v2/status/{endpointId}', { params: { path: { endpointId: 39 } }, body })
export const askGroup = (body: Schemas['StatusRequest']) =>
  client.POST('/api/v2/status/group/{endpointGroupId}', { params: { path: { endpointGroupId: 7 } }, body })

const proof = { login: 'merchant', control: '0'.repeat(40) }
export const asked: Schemas['StatusRequest'][] = [
  { ...proof, client_orderid: 'o-1' },
  { ...proof, orderid: '77' },
  { ...proof, client_orderid: 'o-1', orderid: '77' },
  // @ts-expect-error neither id
  { ...proof },
]

const order = { client_orderid: 'o-1', amount: '12.50', currency: 'EUR', email: 'ada@shop.example', control: '' }
export const byReference: Schemas['SaleRequest'] = { ...order, cardrefid: '31' }
// @ts-expect-error neither a card nor a reference to one
export const withoutCard: Schemas['SaleRequest'] = { ...order }

export async function failed(): Promise<
  Schemas['ValidationErrorResponse'] | Schemas['ServerErrorResponse'] | undefined
> {
  const { data, error } = await ask({ ...proof, orderid: '77' })
  const word: string | undefined = data?.status
  return word === undefined ? error : undefined
}

export type Made = operations['SALE']['responses'][200]['content']['application/vnd.pay+json']
export const orderIdOf = (made: Made): string => String(made['paynet-order-id'])
