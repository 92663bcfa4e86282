/** Everything of the shipped rules and runner that this process has come to. */
import { Session } from 'node:inspector'
import { placesOf } from './places.js'
import { fileOf, type Reached } from './unreached.js'

const session = new Session()

/** The inspector answers within the call. */
function ask<Answer>(method: string, params: object = {}): Answer {
  let heard: Answer | undefined
  session.post(method, params, (error, answer) => {
    if (error !== null) throw error
    heard = answer as Answer
  })
  if (heard === undefined) throw new Error(`The inspector does not answer "${method}".`)
  return heard
}

/** Counts from now on. What is loaded before that is not counted. */
export function startCounting(): void {
  session.connect()
  ask('Profiler.enable')
  ask('Profiler.startPreciseCoverage', { callCount: false, detailed: true })
}

interface Range {
  readonly startOffset: number
  readonly endOffset: number
  readonly count: number
}

interface Script {
  readonly scriptId: string
  readonly url: string
  readonly functions: readonly { readonly ranges: readonly Range[] }[]
}

/** Says where this process has come to. The places are found in the text that the engine runs, so that they are where its counts are. */
export function reachedBy(): Reached {
  const { result } = ask<{ readonly result: readonly Script[] }>('Profiler.takePreciseCoverage')
  ask('Debugger.enable')
  const reached = Object.fromEntries(
    result.flatMap(({ scriptId, url, functions }) => {
      const file = fileOf(url)
      if (file === undefined) return []
      const { scriptSource } = ask<{ readonly scriptSource: string }>('Debugger.getScriptSource', { scriptId })
      const ranges = functions.flatMap(each => each.ranges)
      return [[file, Object.fromEntries(placesOf(scriptSource).map(({ name, at }) => [name, isReached(ranges, at)]))]]
    }),
  )
  ask('Debugger.disable')
  return reached
}

/** The narrowest range counts. */
function isReached(ranges: readonly Range[], at: number): boolean {
  let narrowest: Range | undefined
  for (const each of ranges) {
    if (at < each.startOffset || at >= each.endOffset) continue
    if (narrowest === undefined || lengthOf(each) <= lengthOf(narrowest)) narrowest = each
  }
  return narrowest !== undefined && narrowest.count > 0
}

const lengthOf = ({ startOffset, endOffset }: Range): number => endOffset - startOffset
