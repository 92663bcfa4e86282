/** A real server that is stopped in the middle of payments, and comes back. Counted in the fake gateway's books. */
import { expect, it } from 'vitest'
import { expectNothingLost, stopInTheMiddle } from './stopped-server.js'

it('a database that is away for a moment costs no payment, and sends none twice', async () => {
  const stopped = await stopInTheMiddle({ sales: 6, away: 0 })
  expectNothingLost(stopped)
  for (const { message } of stopped.refusals) {
    expect(message).toMatch(
      /^The sale request of order "o-\d+" was not sent: the store did not reserve it .*connect ECONNREFUSED 127\.0\.0\.1:\d+.*Is the server up/,
    )
  }
})
