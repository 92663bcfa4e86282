import type { Till } from '@tillkit/till'
import { type ConnectionOptions, Queue, Worker } from 'bullmq'

/** Lets one of all the processes that call this do a round of work every minute. */
export async function workByBullMq(
  till: Till,
  { connection, onError }: { readonly connection: ConnectionOptions; readonly onError: (error: Error) => void },
) {
  const queue = new Queue('till', { connection })
  await queue.upsertJobScheduler(
    'till-tick',
    { every: 60_000 },
    { name: 'tick', opts: { removeOnComplete: true, removeOnFail: 100 } },
  )
  const worker = new Worker('till', () => till.tick(), { connection })
  worker.on('error', onError)
  return {
    /** Call it before `till.close()`. */
    async close(): Promise<void> {
      await worker.close()
      await queue.close()
    },
  }
}
