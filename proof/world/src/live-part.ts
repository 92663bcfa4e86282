/**
 * A process that lets parts of a world live, one after the other.
 *
 * @module
 */
import type { Part, PartLived } from './processes.js'
import { liveAll } from './world.js'

process.on('message', ({ seed, from, to }: Part) => {
  const { payments, counts, broken } = liveAll(seed, { from, to })
  const { user, system } = process.cpuUsage()
  const memory = process.resourceUsage().maxRSS * 1_024
  process.send?.({ payments, counts: [...counts], broken, memory, cpu: (user + system) / 1_000 } satisfies PartLived)
})
