/** A cron starts one round of the till's work, and then the process ends by itself. */
import { createTill } from '@tillkit/till'
import { sqliteStore } from '@tillkit/till/sqlite'
import { workOnce } from '../../recipes/cron.js'

const { account, file, ahead } = JSON.parse(process.env.CRON_OPTIONS ?? '{}')
const clock = () => Date.now() + ahead
const store = sqliteStore(file, { clock })
const till = createTill({
  account,
  store,
  address: 'http://127.0.0.1:1/payments',
  returnTo: ({ reference }) => `/orders/${reference}`,
  onOutcome: ({ kind, payment }) => void process.stdout.write(`${payment.reference} ${kind}\n`),
  clock,
})
await workOnce(till)
await store.close()
