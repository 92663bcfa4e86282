/**
 * A process that lets parts of a world live, one after the other.
 *
 * @module
 */
import { setFlagsFromString } from 'node:v8'
import type { Part, PartLived } from './processes.js'
import { liveAll } from './world.js'

// A third of all time went into compiling the rules anew, each function with all that it calls. A V8 that does not know it does nothing with it.
setFlagsFromString('--max-inlined-bytecode-size-cumulative=200')

process.on('message', ({ seed, from, to }: Part) => {
  const { payments, counts, broken } = liveAll(seed, { from, to })
  const { user, system } = process.cpuUsage()
  const memory = process.resourceUsage().maxRSS * 1_024
  process.send?.({ payments, counts: [...counts], broken, memory, cpu: (user + system) / 1_000 } satisfies PartLived)
})
