/** `npm start`: starts the gateway and the shop, walks the tour, and keeps serving. */
import { styleText } from 'node:util'
import { operations } from '@tillkit/protocol'
import { orderPlace } from '@tillkit/till'
import { start } from './start.js'
import { type Paint, walkTour } from './tour/tour.js'

const once = process.argv.includes('--once') || process.env.CI === 'true'
const write = (text: string) => process.stdout.write(`${text}\n`)

// Where payments and orders are kept: PostgreSQL, a file, or a new file that is gone when the shop stops.
const database = process.env.DATABASE_URL ?? process.env.SHOP_DATABASE
const running = await start({ shopPort: 3000, gatewayPort: 4010, database })
const hasColours = process.stdout.isTTY === true && (process.env.NO_COLOR ?? '') === ''
const paint: Paint = (colour, text) => (hasColours ? styleText(colour, text) : text)
const { lines, uncalled, failed } = await walkTour(running, write, paint)

if (failed !== undefined) {
  write(`\nFailed: ${failed.step}`)
  write(failed.error instanceof Error ? (failed.error.stack ?? failed.error.message) : String(failed.error))
} else if (uncalled.length > 0) {
  write(`\nFailed: never called: ${uncalled.join(', ')}`)
} else {
  const { gateway } = running
  const orders = gateway.orders.list()
  const charged = orders
    .filter(({ stages }) => stages.some(({ stage, status }) => stage === 'sale' && status === 'approved'))
    .map(({ clientOrderId }) => orderPlace(clientOrderId).reference)
  const callbacks = gateway.callbacks.list()
  const schemes = new Set(gateway.calls().flatMap(({ scheme = [] }) => scheme))
  write(`
${paint('green', 'Every step did what it should.')}
  ${lines.length} outcomes, all ${Object.keys(operations).length} operations called
  ${gateway.calls().length} requests in ${schemes.size} signing schemes, ${callbacks.length} callbacks
  ${orders.length} orders in the gateway’s books; charged twice: ${charged.length - new Set(charged).size}`)
}

if (once || failed !== undefined || uncalled.length > 0) {
  process.exitCode = failed === undefined && uncalled.length === 0 ? 0 : 1
  await running.close()
} else {
  write(`
  Shop       ${running.shop.href}
  Gateway    ${running.gatewayBaseUrl.href}
  Dashboard  ${new URL('/__gateway/', running.gatewayBaseUrl).href}

Choose something and pay with 4444 4444 4444 4448, any later date and CVV 123
(116 is declined, 321 asks for 3DS). Ctrl+C stops both.`)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void running.close().then(() => process.exit(0)))
  }
}
