/** Measures servers side by side: many rounds of requests, each server once a round, so that all see the same machine. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { fileURLToPath } from 'node:url'
import { median } from '../../../bench/median.js'

const rounds = 21
const warmUpRounds = 4

/**
 * @param cases By name: `listener`, and `request(number)`, the text of a request; and `prepare(count)`, if something is to be done before
 * so many requests were sent.
 * @param perRound How many requests a round has.
 * @returns For each name requests a second of processor time, and `ratio(a, b)`: the median over all rounds of a's rate divided
 * by b's in the same round.
 */
export async function measureServers(cases, { perRound = 1000 } = {}) {
  const sender = spawn(process.execPath, [fileURLToPath(new URL('send-rounds.js', import.meta.url))], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  const servers = await Promise.all(
    Object.entries(cases).map(async ([name, { listener, request, prepare }]) => {
      const server = createServer(listener).listen(0, '127.0.0.1')
      await once(server, 'listening')
      return { name, request, prepare, server, port: server.address().port, sent: 0, rates: [] }
    }),
  )
  for (let round = 0; round < warmUpRounds + rounds; round++) {
    for (let turn = 0; turn < servers.length; turn++) {
      const each = servers[(round + turn) % servers.length]
      const rate = await rateOf(each, { sender, perRound })
      if (round >= warmUpRounds) each.rates.push(rate)
    }
  }
  sender.disconnect()
  for (const { server } of servers) {
    server.close()
    server.closeAllConnections()
  }
  const rates = Object.fromEntries(servers.map(each => [each.name, each.rates]))
  const perSecond = Object.fromEntries(servers.map(each => [each.name, median(each.rates)]))
  const ratio = (a, b) => median(rates[a].map((rate, round) => rate / rates[b][round]))
  return { perSecond, ratio }
}

async function rateOf(each, { sender, perRound }) {
  await each.prepare?.(each.sent + perRound)
  const requests = Array.from({ length: perRound }, (_, index) => each.request(each.sent + index))
  each.sent += perRound
  const before = process.cpuUsage()
  sender.send({ port: each.port, requests })
  const [answer] = await once(sender, 'message')
  if (answer !== 'done') throw new Error(`${each.name}: ${answer}`)
  const { user, system } = process.cpuUsage(before)
  return (perRound / (user + system)) * 1e6
}
