/** Measures functions side by side: many short rounds, each function once a round, so that all see the same machine. */
import { median } from '../../../bench/median.js'

const warmUpMilliseconds = 150
const rounds = 301

/**
 * Measures functions against each other.
 *
 * @param cases Functions by name. What they return is kept, so that no work can be optimized away.
 * @param roundMilliseconds How long each function runs in a round, at least. Slow functions need longer rounds.
 * @returns For each name the median time of one call, in microseconds, and `ratio(a, b)`: the median over all rounds of
 * a's time divided by b's in the same round.
 */
export function measure(cases, roundMilliseconds = 2) {
  const runners = Object.entries(cases).map(([name, run]) => ({
    name,
    run,
    calls: callsPerRound(run, roundMilliseconds),
    times: [],
  }))
  for (let round = 0; round < rounds; round++) {
    // Each round starts with another function, so that none always runs after the most wasteful one.
    for (let turn = 0; turn < runners.length; turn++) {
      const { run, calls, times } = runners[(round + turn) % runners.length]
      times.push(timeOf(run, calls) / calls)
    }
  }
  const byName = new Map(runners.map(({ name, times }) => [name, times]))
  const microseconds = Object.fromEntries(runners.map(({ name, times }) => [name, median(times) * 1000]))
  const ratio = (a, b) => median(byName.get(a).map((time, round) => time / byName.get(b)[round]))
  return { microseconds, ratio }
}

let kept

function timeOf(run, calls) {
  const start = performance.now()
  for (let call = 0; call < calls; call++) kept = run()
  return performance.now() - start
}

function callsPerRound(run, roundMilliseconds) {
  let calls = 1
  for (const end = performance.now() + warmUpMilliseconds; performance.now() < end; ) {
    const time = timeOf(run, calls)
    if (time < roundMilliseconds) calls *= 2
  }
  if (kept === undefined) throw new Error('A measured function returned nothing.')
  return calls
}
