import { type Client, ScheduleAlreadyRunning, ScheduleOverlapPolicy } from '@temporalio/client'
import type { Till } from '@tillkit/till'

/** For `activities` of your worker, beside `workflowsPath`. */
export const tillActivities = (till: Till) => ({ tick: () => till.tick() })

/** Begins a round of work every minute, unless the one before still runs. Safe to call at every start. */
export async function scheduleTillTicks(client: Client, taskQueue: string): Promise<void> {
  try {
    await client.schedule.create({
      scheduleId: 'till-tick',
      spec: { intervals: [{ every: '1 minute' }] },
      action: { type: 'startWorkflow', workflowType: 'tillTick', taskQueue },
      policies: { overlap: ScheduleOverlapPolicy.SKIP },
    })
  } catch (error) {
    if (!(error instanceof ScheduleAlreadyRunning)) throw error
  }
}
