import type { Till } from '@tillkit/till'

/** What a cron starts every minute: one round of work. The process ends once it has closed its database as well. */
export async function workOnce(till: Till): Promise<void> {
  try {
    await till.tick()
  } finally {
    await till.close()
  }
}
