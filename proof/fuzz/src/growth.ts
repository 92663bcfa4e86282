/**
 * Whether the time that a parser takes grows faster than its input.
 *
 * @module
 */
import type { Parser } from './parser.js'

/** Bytes of the largest input: 1 MB against half of it is the last pair. */
const largest = 1_000_000

/** The smallest input, in bytes. A parser that takes the square of the time is found long before it would take minutes. */
const smallest = largest / 4

/** Twice the bytes may take this many times as long: 2 is linear, 4 a square. */
const mostTimes = 3

/** Below this nobody has to wait, in milliseconds: the two times are not compared. */
const leastTime = 50

/** How often both are measured, in turns. The quickest of each counts: whatever else the machine does only adds time. */
const series = 9

/** Milliseconds since some moment. */
type Clock = () => number

/** @returns what grew too fast, in words; undefined where nothing did. */
export async function tooFastGrowth(
  parser: Parser,
  name: string,
  clock: Clock = () => performance.now(),
): Promise<string | undefined> {
  const make = parser.growing[name]
  if (make === undefined) throw new Error(`${parser.name} has no inputs that grow named ${name}.`)
  for (let size = smallest; size < largest; size *= 2) {
    const [half, whole] = [make(size), make(size * 2)]
    // What another program took meanwhile is no reason: only what is so three times.
    let found: string | undefined
    for (let attempt = 0; attempt < 3; attempt += 1) {
      found = await compared(parser, half, whole, clock)
      if (found === undefined) break
    }
    if (found !== undefined) return `${parser.name}, ${name}: ${found}`
  }
  return undefined
}

async function compared({ examine }: Parser, half: Buffer, whole: Buffer, clock: Clock): Promise<string | undefined> {
  const timeOf = async (input: Buffer): Promise<number> => {
    const from = clock()
    await examine(input)
    return clock() - from
  }
  // Once each is enough where both are far from it.
  const once = await timeOf(whole)
  if (once < leastTime || once < 2.5 * (await timeOf(half))) return undefined
  const [ofHalf, ofWhole]: [number[], number[]] = [[], []]
  for (let nth = 0; nth < series; nth += 1) {
    ofHalf.push(await timeOf(half))
    ofWhole.push(await timeOf(whole))
  }
  const [one, two] = [Math.min(...ofHalf), Math.min(...ofWhole)]
  if (two < leastTime || two < mostTimes * one) return undefined
  return `${whole.length} bytes take ${two.toFixed(1)} ms, half of them ${one.toFixed(1)} ms`
}
