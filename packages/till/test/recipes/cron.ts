import type { Till } from '@tillkit/till'

/** A cron starts one round of work every minute. The process ends once it has closed its database as well. */
export async function workOnce(till: Till): Promise<void> {
  try {
    await till.tick()
  } finally {
    await till.close()
  }
}
