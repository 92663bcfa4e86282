/** A real server that is away for a whole minute in the middle of payments. Counted in the fake gateway's books. */
import { it } from 'vitest'
import { expectNothingLost, stopInTheMiddle } from './stopped-server.js'

it('a database that is away for a minute costs no payment, and sends none twice', async () => {
  expectNothingLost(await stopInTheMiddle({ sales: 20, away: 60_000 }))
})
