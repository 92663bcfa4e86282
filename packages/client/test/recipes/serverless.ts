import { createClientFromEnv } from '../../src/index.js'

// Made at the cold start, once: a wrong setting fails the deployment, and not a payment.
const client = createClientFromEnv(process.env, { freshConnection: true, timeout: 8_000, uses: ['capture'] })

/** Captures a hold. */
export async function handler(hold: { readonly clientOrderId: string; readonly orderId: string }) {
  const { serialNumber } = await client.capture(hold)
  return { serialNumber }
}

process.once('SIGTERM', () => void client.close())
