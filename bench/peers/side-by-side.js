/** Measures merchants side by side, each in a process of its own: short rounds in turn, so that all see the same machine. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { median } from '../median.js'

/** After these V8 has compiled what it is going to, the till included, which has the most to compile. */
const longEnough = { rounds: 5, most: 1_000, milliseconds: 10_000 }

/**
 * @param merchants By name: `program`, a file in `programs`, and `options` for it.
 * @param callers How many buy at a time.
 * @param rounds How many rounds are measured, of `milliseconds` each, after `warmUp`, whose rounds end with so many
 * sales or milliseconds.
 * @returns `middle(name, figure)`, the median of a merchant's figure; and `ratio(a, b, figure)`, the median over all rounds of a's figure
 * divided by b's in the same round. Figures: `cpu` (microseconds of the merchant's process a sale), `perSecond`, `statements` and
 * `requests` a sale.
 */
export async function sideBySide(merchants, { callers, rounds = 11, milliseconds = 1_000, warmUp = longEnough }) {
  const gateway = start('gateway.js')
  const ports = await gateway.next()
  const running = []
  for (const [name, { program, options }] of Object.entries(merchants)) {
    const merchant = start('merchant.js')
    await merchant.ask({ program: new URL(`programs/${program}.js`, import.meta.url).href, ports, options })
    running.push({ name, merchant, figures: [] })
  }
  const sell = async ({ merchant }, limits) => {
    const figures = await merchant.ask({ callers, ...limits })
    const { requests } = await gateway.ask('count')
    return { ...figures, requests: requests / figures.sales }
  }
  const { rounds: warmUpRounds, ...warmUpLimits } = warmUp
  for (let nth = -warmUpRounds; nth < rounds; nth += 1) {
    // Each round starts with another merchant, so that none always runs after the most wasteful one.
    for (let turn = 0; turn < running.length; turn += 1) {
      const each = running[(nth + warmUpRounds + turn) % running.length]
      const figures = await sell(each, nth < 0 ? warmUpLimits : { milliseconds })
      if (nth >= 0) each.figures.push(figures)
    }
  }
  for (const { merchant } of running) await merchant.stop()
  await gateway.stop()
  const figuresOf = (name, figure) => running.find(each => each.name === name).figures.map(each => each[figure])
  const ratio = (a, b, figure) => {
    const others = figuresOf(b, figure)
    return median(figuresOf(a, figure).map((value, nth) => value / others[nth]))
  }
  return { middle: (name, figure) => median(figuresOf(name, figure)), ratio }
}

/** Starts a process that answers each message with one. */
function start(script) {
  const child = fork(fileURLToPath(new URL(script, import.meta.url)))
  const exited = once(child, 'exit')
  const next = async () => {
    const [message] = await Promise.race([once(child, 'message'), exited])
    if (typeof message === 'object' && message !== null) return message
    throw new Error(`${script} ended with ${message}: it says why above.`)
  }
  return {
    next,
    ask(message) {
      const answer = next()
      child.send(message)
      return answer
    },
    async stop() {
      child.disconnect()
      await exited
    },
  }
}
