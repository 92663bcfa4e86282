/**
 * A gateway over HTTP, a merchant's settings for the command, and the till of its shop.
 *
 * @module
 */
import { type FakeGateway, type FakeGatewayOptions, testCard, testControlKey, testPrivateKey } from '@tillkit/testing'
import { createTill, type TillOutcome } from '@tillkit/till'
import { sqliteStore } from '@tillkit/till/sqlite'
import { createGateway } from '../src/index.js'

/** A security code that the fake approves. Three digits turn up in times and signatures by chance. */
const cvv2 = '1234'

/** Whatever must be in no output. */
export const secrets = {
  'control key': testControlKey,
  'private key': testPrivateKey.split('\n')[1] ?? '',
  'card number': testCard,
  CVV: cvv2,
} as const

/** A sale, as a file of fields has it. */
export const sale = {
  clientOrderId: 'order-7',
  amount: '10.42',
  currency: 'EUR',
  email: 'ada@shop.test',
  creditCardNumber: testCard,
  cardPrintedName: 'ADA KING',
  expireMonth: '12',
  expireYear: '2099',
  cvv2,
} as const

/** Starts a gateway. @returns It, and the settings of its merchant as variables. */
export async function startMerchant(
  options: FakeGatewayOptions = {},
): Promise<{ readonly gateway: FakeGateway; readonly env: NodeJS.ProcessEnv }> {
  const gateway = createGateway({ dashboard: false, ...options })
  const { baseUrl } = await gateway.listen()
  const env = {
    TILLKIT_BASE_URL: baseUrl.href,
    TILLKIT_ENDPOINT_ID: '39',
    TILLKIT_LOGIN: 'merchant',
    TILLKIT_CONTROL_KEY: testControlKey,
    TILLKIT_PRIVATE_KEY: testPrivateKey,
  }
  return { gateway, env }
}

/** Opens the till of the merchant. @param clock Of the store: a request from long ago will not be answered any more. @param name Default: the login. */
export function openTill(file: string, env: NodeJS.ProcessEnv, clock: () => number = Date.now, name = 'till') {
  const told: TillOutcome['kind'][] = []
  let tell: () => void
  const hasTold = new Promise<void>(resolve => {
    tell = resolve
  })
  const store = sqliteStore(file, { clock })
  const till = createTill({
    account: { baseUrl: env.TILLKIT_BASE_URL ?? '', endpointId: 39, login: 'merchant', controlKey: testControlKey },
    store,
    name,
    address: 'http://127.0.0.1:9/payments',
    returnTo: () => '/',
    onOutcome: ({ kind }) => {
      told.push(kind)
      tell()
    },
  })
  return {
    till,
    told,
    /** Resolves when the first outcome was told. */
    hasTold,
    async close() {
      await till.close()
      await store.close()
    },
  }
}

export const hourAgo = (): number => Date.now() - 3_600_000
