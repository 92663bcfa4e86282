import { proxyActivities } from '@temporalio/workflow'

const { tick } = proxyActivities<{ tick(): Promise<number> }>({
  startToCloseTimeout: '15 minutes',
  // The next round comes by itself.
  retry: { maximumAttempts: 1 },
})

/** One round of the till's work. */
export async function tillTick(): Promise<void> {
  await tick()
}
