import type { Till } from '@tillkit/till'
import type PgBoss from 'pg-boss'

/** Lets one of all the processes that call this do a round of work every minute. `boss` was started. */
export async function workByPgBoss(boss: PgBoss, till: Till): Promise<void> {
  const queue = 'till-tick'
  // At most one job waits and one runs: a minute that nobody worked in leaves no heap of jobs behind.
  await boss.createQueue(queue, { name: queue, policy: 'stately', retryLimit: 0, expireInMinutes: 15 })
  await boss.work(queue, async () => {
    await till.tick()
  })
  await boss.schedule(queue, '* * * * *')
}
