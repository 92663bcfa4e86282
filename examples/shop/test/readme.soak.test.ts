/** The examples that readme.test.ts does not run every day. */
import { expect } from 'vitest'
import { itRuns } from './readme-examples.js'

const hotel = [
  ...['room-7 held 20.00', 'true', 'sent', 'room-7 paid 20.00', 'true'],
  ...['room-7 returned 5.00', 'room-8 held 20.00', 'room-8 released 20.00'],
]
const cups = [
  ...['order-7 paid 20.00', 'true', 'order-7 returned 5.00', '15.00'],
  ...['unknown', 'order-7 returned 2.00', '2'],
]
const tickets = ['tickets-7 declined Decline, expired card', 'tickets-7 paid 18.00', 'paid']
const magazine = ['reader-7-2026-11 paid 9.00', '444444 4448', 'reader-7-2026-12 paid 9.00', 'paid 1']
const moved = ['web-117 paid 10.00', 'adopted', 'unknown-at-gateway', 'web-117 returned 4.00']
const ownCode = ['ERR_OUTCOME_UNKNOWN', 'approved', 'approved', '1']
const market = [
  ...['bakery bakery-7 paid 8.00', 'florist florist-7 paid 30.00', 'florist florist-7 returned 5.00'],
  ...['bakery share-bakery-2026-11 sent 7.00', 'florist: florist-8 unknown'],
]
const started = [
  ...['baseUrl', 'clock', 'endpoint', 'login', 'controlKey', 'privateKey'].map(each => `${each} ok `),
  expect.stringMatching(/^address cannot-tell Nothing answers this process at http:\/\/127\.0\.0\.1:\d+\/payments: /),
]

itRuns([
  ['docs/give-money-back.md', 0, cups],
  ['docs/hold-and-capture.md', 0, hotel],
  ['docs/assumptions.md', 0, ['hundredths']],
  ['docs/keys.md', 0, ['order-7 paid', '200', 'control-mismatch', '403']],
  ['docs/stored-cards.md', 0, magazine],
  ['packages/protocol/README.md', 0, ['approved captured']],
  ['docs/take-a-payment.md', 0, tickets],
  ['docs/backup-and-restore.md', 0, ['order-7 paid 10.00', 'order-7 paid 10.00', 'over', '1']],
  ['docs/looking-after-the-till.md', 0, ['order-7: your handler fails at paid: Error: the warehouse does not answer']],
  ['docs/marketplace.md', 0, market],
  ['docs/migrate-from-php.md', 0, moved],
  ['docs/migrate-from-your-own-code.md', 0, ownCode],
  ['docs/pci.md', 0, ['true true']],
  ['docs/start.md', 0, started],
  ['docs/without-express.md', 0, ['order-9 paid']],
  ['docs/your-orders.md', 0, ['paid', 'paid']],
  ['packages/cli/README.md', 0, ['true']],
])
