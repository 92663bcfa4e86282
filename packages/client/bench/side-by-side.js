/** Measures peers side by side: many short rounds, each peer once a round, so that all see the same machine. */
import { median } from '../../../bench/median.js'

/** Requests under way at a time, each on a connection of its own. */
export const connections = 32

/** By then V8 has compiled what it is going to. */
const warmUpRequests = 20_000
const roundMilliseconds = 300
const rounds = 31

/**
 * Measures peers against each other.
 *
 * @param peers By name; `send` ends with what the answer said.
 * @returns For each name the median requests a second and the median CPU time of one request in microseconds, that of the
 * garbage collector's threads included; and the medians over all rounds of one peer's figure divided by another's in the
 * same round.
 */
export async function sideBySide(peers) {
  const runners = Object.entries(peers).map(([name, { send }]) => ({ name, send, perSecond: [], cpu: [] }))
  for (const { send } of runners) await warmUp(send)
  for (let round = 0; round < rounds; round++) {
    // Each round starts with another peer, so that none always runs after the most wasteful one.
    for (let turn = 0; turn < runners.length; turn++) {
      const { send, perSecond, cpu } = runners[(round + turn) % runners.length]
      const measured = await sendFor(send, roundMilliseconds)
      perSecond.push(measured.perSecond)
      cpu.push(measured.cpu)
    }
  }
  for (const { stop } of Object.values(peers)) await stop()
  const byName = new Map(runners.map(runner => [runner.name, runner]))
  const ratioOf = figure => (a, b) => {
    const others = byName.get(b)[figure]
    return median(byName.get(a)[figure].map((value, round) => value / others[round]))
  }
  return {
    perSecond: Object.fromEntries(runners.map(({ name, perSecond }) => [name, median(perSecond)])),
    microseconds: Object.fromEntries(runners.map(({ name, cpu }) => [name, median(cpu)])),
    speedRatio: ratioOf('perSecond'),
    cpuRatio: ratioOf('cpu'),
  }
}

async function warmUp(send) {
  let requests = 0
  const sendMore = async () => {
    while (requests++ < warmUpRequests) await send()
  }
  await Promise.all(Array.from({ length: connections }, sendMore))
}

async function sendFor(send, milliseconds) {
  let requests = 0
  const start = performance.now()
  const cpuBefore = process.cpuUsage()
  const sendUntilTheEnd = async () => {
    while (performance.now() - start < milliseconds) {
      if ((await send()) === undefined) throw new Error('A peer got no answer.')
      requests += 1
    }
  }
  await Promise.all(Array.from({ length: connections }, sendUntilTheEnd))
  const { user, system } = process.cpuUsage(cpuBefore)
  return { perSecond: (requests * 1000) / (performance.now() - start), cpu: (user + system) / requests }
}
