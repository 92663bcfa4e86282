/** The thread of a campaign. */
import { parentPort, workerData } from 'node:worker_threads'
import fc from 'fast-check'
import { type Campaign, type Order, shared } from './campaign.js'
import { inputsOf, parsers } from './parsers/all.js'

const { parser: name, seconds, seed, shared: buffer } = workerData as Order
const { counter, length, bytes } = shared(buffer)
const parser = parsers.find(each => each.name === name)
if (parser === undefined) throw new Error(`There is no parser ${name}.`)

/** Inputs of one round; the next round has another seed. */
const casesOfRound = 500

/** An input that takes longer is slow, in milliseconds. */
const tooLong = 2000

async function timeOf(input: Buffer): Promise<number> {
  const from = performance.now()
  await parser?.examine(input)
  return performance.now() - from
}

const begun = performance.now()
let [cases, slowest] = [0, 0]
let broken: Campaign['broken']
const inputs = inputsOf(parser)
const property = fc.asyncProperty(inputs, async input => {
  bytes.set(input.subarray(0, bytes.length))
  length[0] = Math.min(input.length, bytes.length)
  cases += 1
  Atomics.store(counter, 0, cases)
  const took = await timeOf(input)
  slowest = Math.max(slowest, took)
  // Another program may have had the core meanwhile.
  if (took > tooLong && (await timeOf(input)) > tooLong) throw new Error(`takes ${Math.round(took)} ms`)
})
for (let round = 0; broken === undefined && performance.now() - begun < seconds * 1000; round += 1) {
  const checked = await fc.check(property, {
    seed: seed + round,
    numRuns: casesOfRound,
    interruptAfterTimeLimit: 60_000,
  })
  if (!checked.failed || checked.counterexample === null) continue
  const what = checked.errorInstance instanceof Error ? checked.errorInstance.message : String(checked.errorInstance)
  broken = { what, input: checked.counterexample[0], seed: seed + round }
}
const took = Math.round((performance.now() - begun) / 1000)
const result: Campaign = { parser: name, cases, seconds: took, slowest: Math.round(slowest), ...(broken && { broken }) }
parentPort?.postMessage(result)
