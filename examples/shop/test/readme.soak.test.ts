/** The examples that readme.test.ts does not run every day. */
import { expect } from 'vitest'
import { itRuns } from './readme-examples.js'

const tickets = ['tickets-7 declined Decline, expired card', 'tickets-7 paid 18.00', 'paid']
const moved = ['web-117 paid 10.00', 'adopted', 'unknown-at-gateway', 'web-117 returned 4.00']
const ownCode = ['we are checking: happened', 'we are checking: ERR_ALREADY_SENT', '1']
const started = [
  ...['baseUrl', 'clock', 'endpoint', 'login', 'controlKey', 'privateKey'].map(each => `${each} ok `),
  expect.stringMatching(/^address cannot-tell Nothing answers this process at http:\/\/127\.0\.0\.1:\d+\/payments: /),
]

itRuns([
  ['docs/take-a-payment.md', 0, tickets],
  ['docs/take-a-payment.md', 1, ['order-9 paid']],
  ['docs/backup-and-restore.md', 0, ['order-7 paid 10.00', 'order-7 paid 10.00', 'over', '1']],
  ['docs/looking-after-the-till.md', 0, ['order-7: your handler fails at paid: Error: the warehouse does not answer']],
  ['docs/migrate-from-php.md', 0, moved],
  ['docs/migrate-from-your-own-code.md', 0, ownCode],
  ['docs/pci.md', 0, ['true true']],
  ['docs/start.md', 0, started],
  ['docs/your-orders.md', 0, ['paid', 'paid']],
  ['packages/cli/README.md', 0, ['true']],
])
