/** Measures batches by the processor time they cost this process. */
import { median } from '../../../bench/median.js'

const batch = 500

/**
 * @param count Requests in all, from number `first` on.
 * @param make Makes the request of a number; not measured.
 * @param prepare Hands a batch to whoever sends it; not measured.
 * @param run Carries out a batch of them.
 * @returns Requests a second of processor time and of the clock on the wall, medians of the batches.
 */
export async function measureBatches({ count, first = 0, make, prepare = async () => {}, run }) {
  const rates = { cpu: [], wall: [] }
  for (let start = first; start < first + count; start += batch) {
    const requests = Array.from({ length: batch }, (_, index) => make(start + index))
    await prepare(requests)
    const before = process.cpuUsage()
    const time = performance.now()
    await run(requests)
    rates.wall.push((batch / (performance.now() - time)) * 1000)
    const { user, system } = process.cpuUsage(before)
    rates.cpu.push((batch / (user + system)) * 1e6)
  }
  return { perSecond: median(rates.cpu), onTheWall: median(rates.wall) }
}
