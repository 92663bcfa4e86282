/** One example of each kind, for every day; readme.soak.test.ts has the others. `npm run check` compiles all of them. */
import { itRuns } from './readme-examples.js'

const hotel = [
  ...['room-7 held 20.00', 'true', 'sent', 'room-7 paid 20.00', 'true'],
  ...['room-7 returned 5.00', 'room-8 held 20.00', 'room-8 released 20.00'],
]
const cups = [
  ...['order-7 paid 20.00', 'true', 'order-7 returned 5.00', '15.00'],
  ...['unknown', 'order-7 returned 2.00', '2'],
]
const payout = ['payout-7 sent 7.00', 'sent', 'sent 1']
const magazine = ['reader-7-2026-11 paid 9.00', '444444 4448', 'reader-7-2026-12 paid 9.00', 'paid 1']
const checked = [
  'baseUrl ok',
  'clock ok',
  'endpoint ok',
  'login ok',
  'controlKey wrong',
  'privateKey ok',
  'address cannot-tell',
  '0 0',
]
const unknown = [
  ...['wait unknown', 'wait', 'order-1 paid 10.00', '1'],
  ...['order-2', 'unknown', 'done', 'order-2 paid 10.00'],
]

itRuns([
  ['README.md', 0, ['order-7 declined 10.00 EUR', 'order-7 paid 10.00 EUR', 'paid']],
  ['docs/hold-and-capture.md', 0, hotel],
  ['docs/assumptions.md', 0, ['hundredths']],
  ['docs/give-money-back.md', 0, cups],
  ['docs/keys.md', 0, ['order-7 paid', '200', 'control-mismatch', '403']],
  ['docs/pay-out.md', 0, payout],
  ['docs/stored-cards.md', 0, magazine],
  ['docs/troubleshooting.md', 0, checked],
  ['docs/when-you-do-not-know.md', 0, unknown],
  ['packages/protocol/README.md', 0, ['approved captured 10.50']],
  ['packages/testing/README.md', 0, ['approved', 'ERR_OUTCOME_UNKNOWN', '/callback']],
])
