/** How late the event loop of the main thread is while 64 callers write lives, beside an idle one in the same process. */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { median } from '../../../../bench/median.js'
import { engines } from '../engines.js'
import { livesPerSecond } from '../lives.js'

const callers = 64
const rounds = 7
const milliseconds = 1_500

/** Delays while something runs, in microseconds; how long the timer itself takes is part of them. */
async function delaysDuring(work) {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  await work()
  histogram.disable()
  return { p50: histogram.percentile(50) / 1000, p99: histogram.percentile(99) / 1000, most: histogram.max / 1000 }
}

export const rows = []

for (const { name, open } of engines) {
  const { coalesced, close } = await open()
  await livesPerSecond(coalesced, { callers, milliseconds })
  const [idle, busy] = [[], []]
  for (let round = 0; round < rounds; round++) {
    idle.push(await delaysDuring(() => setTimeout(milliseconds)))
    busy.push(await delaysDuring(() => livesPerSecond(coalesced, { callers, milliseconds })))
  }
  const middle = (delays, figure) => median(delays.map(each => each[figure]))
  rows.push({
    name: `${name}, ${callers} callers: delay of the event loop`,
    against: 'ms more at p99 than when idle',
    ratio: median(busy.map(({ p99 }, round) => (p99 - idle[round].p99) / 1000)),
    microseconds: {
      'p50 busy': middle(busy, 'p50'),
      idle: middle(idle, 'p50'),
      'p99 busy': middle(busy, 'p99'),
      'idle at p99': middle(idle, 'p99'),
      'longest busy': middle(busy, 'most'),
      'longest idle': middle(idle, 'most'),
    },
  })
  await close()
}
