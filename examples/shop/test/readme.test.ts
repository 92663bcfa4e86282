/** Some examples, for every day; readme.soak.test.ts has the others. `npm run check` compiles all of them. */
import { itRuns } from './readme-examples.js'

const payout = ['payout-7 sent 7.00', 'sent', 'sent 1']
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
  ['docs/pay-out.md', 0, payout],
  ['docs/troubleshooting.md', 0, checked],
  ['docs/when-you-do-not-know.md', 0, unknown],
  ['packages/testing/README.md', 0, ['approved', 'ERR_OUTCOME_UNKNOWN', '/callback']],
])
