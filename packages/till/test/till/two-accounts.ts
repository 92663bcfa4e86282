/** A gateway with two merchants, and their accounts. */
import { createFakeGateway } from '@tillkit/testing'
import type { TillAccount } from '../../src/index.js'

type Gateway = ReturnType<typeof createFakeGateway>

/** Either takes any currency at the gateway, so that nothing but the till decides whose an order becomes. */
export const twoMerchants = () =>
  createFakeGateway({
    merchants: [
      { login: 'euro', controlKey: 'K-EURO-0001', endpoints: [{ id: '41' }] },
      { login: 'dollar', controlKey: 'K-DOLLAR-0001', endpoints: [{ id: '42' }] },
    ],
  })

export const accountOf = (
  gateway: Gateway,
  login: 'euro' | 'dollar',
  more: Partial<TillAccount> = {},
): TillAccount => ({
  ...gateway.clientOptionsFor({ login }),
  currencies: [login === 'euro' ? 'EUR' : 'USD'],
  ...more,
})

export const twoAccounts = (gateway: Gateway): readonly [TillAccount, TillAccount] => [
  accountOf(gateway, 'euro'),
  accountOf(gateway, 'dollar'),
]

/** Each order in the gateway's books, with whose it is. */
export const booksOf = (gateway: Gateway): readonly string[] =>
  gateway.orders
    .list()
    .map(
      ({ login, clientOrderId, stages }) =>
        `${login} ${clientOrderId} ${stages.map(({ stage, status }) => `${stage} ${status}`).join(', ')}`,
    )

/** The paths of the requests of an operation: the last segment says which endpoint they were for. */
export const endpointsAsked = (gateway: Gateway, operation: string): readonly string[] =>
  gateway.calls(operation).map(({ path, verdict }) => `${/(41|42)$/.exec(path)?.[1]} ${verdict}`)
