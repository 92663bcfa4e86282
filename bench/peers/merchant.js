/**
 * One merchant, a process of its own. Its first message names the program and its options; each later one asks for a round of sales, which
 * it answers with what they cost this process.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect } from 'node:net'

const [{ program, ports, options }] = await once(process, 'message')
const { open } = await import(program)
const payments = connect(ports.customers, '127.0.0.1').setNoDelay(true)
let paying = ''
let answered = 0
let allAnswered = () => undefined
// Longer than the other programs of a round take.
const server = createServer({ keepAliveTimeout: 600_000 })

/** What every program works with. */
const surroundings = {
  ...options,
  gateway: `http://127.0.0.1:${ports.gateway}`,
  address: await listen(),
  /** Answers what comes to `address`. */
  answer(listener) {
    server.on('request', (request, response) => {
      response.once('finish', () => {
        answered += 1
        allAnswered()
      })
      listener(request, response)
    })
  },
  /** A customer pays an order. Those of one turn go together. */
  pays(orderId) {
    if (paying === '') setImmediate(sendPaying)
    paying += `${orderId}\n`
  },
}

function sendPaying() {
  payments.write(paying)
  paying = ''
}

async function listen() {
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return `http://127.0.0.1:${server.address().port}`
}

const shop = await open(surroundings)
let last = 0

async function sellFor({ callers, milliseconds, most = Number.POSITIVE_INFINITY }) {
  let begun = 0
  answered = 0
  const statementsBefore = shop.statements?.() ?? 0
  const start = performance.now()
  const before = process.cpuUsage()
  const sellOn = async () => {
    while (begun < most && performance.now() - start < milliseconds) {
      begun += 1
      await shop.sell(`sale-${++last}`)
    }
  }
  await Promise.all(Array.from({ length: callers }, sellOn))
  // What follows an outcome is part of its sale.
  if (answered < begun) {
    await new Promise(resolve => {
      allAnswered = () => answered >= begun && resolve()
    })
  }
  const { user, system } = process.cpuUsage(before)
  const elapsed = performance.now() - start
  return {
    sales: begun,
    cpu: (user + system) / begun,
    perSecond: (begun * 1000) / elapsed,
    statements: ((shop.statements?.() ?? 0) - statementsBefore) / begun,
  }
}

process.send({ isOpen: true })
process.on('message', limits => {
  sellFor(limits).then(
    figures => process.send(figures),
    error => {
      throw error
    },
  )
})
process.on('disconnect', () => process.exit())
