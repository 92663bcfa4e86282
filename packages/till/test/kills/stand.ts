/**
 * A life's position: the points that it has passed in this step, and whether it dies at the next one.
 *
 * @module
 */
import type { Answered, Belief, LifeOptions, Told } from './messages.js'
import type { OwnPoint } from './points.js'

/** The position of a life. */
export interface Stand {
  /** Begins a step: counting starts anew. Resolves once the parent knows. */
  begin(step: { readonly context: string; readonly reference: string; readonly key: string }): Promise<void>
  /** Passes a point, or dies there, or waits while something happens to the database. */
  pass(point: OwnPoint): Promise<void>
  /** Passes a point at which waiting is not possible. */
  passNow(point: OwnPoint): void
  /** Says what is believed, before anything else is done. */
  report(belief: Belief): Promise<void>
  reference(): string
  key(): string
  /** Whether the step sends a request that may move money. */
  isExchanging(): boolean
}

let asked = 0
const waiting = new Map<number, (answer: Answered) => void>()
process.on('message', (answer: Answered) => {
  waiting.get(answer.id)?.(answer)
  waiting.delete(answer.id)
})

/** Tells the parent something, and resolves with its answer. */
export function tell(told: Told): Promise<Answered> {
  asked += 1
  const id = asked
  return new Promise((resolve, reject) => {
    waiting.set(id, resolve)
    process.send?.({ ...told, id }, (error: Error | null) => {
      if (error !== null) reject(error)
    })
  })
}

export function stand(blow: LifeOptions['blow']): Stand {
  let step = { context: '', reference: '', key: '' }
  let passed = new Map<string, number>()
  let left = blow?.skip ?? 0

  /** Whether this passage is the one. */
  const isHit = (point: OwnPoint): boolean => {
    const nth = (passed.get(point) ?? 0) + 1
    passed.set(point, nth)
    if (blow === undefined || blow.reference !== step.reference || blow.context !== step.context) return false
    if (blow.point !== point || blow.nth !== nth) return false
    left -= 1
    return left === -1
  }
  const die = () => process.kill(process.pid, 'SIGKILL')

  const pass = async (point: OwnPoint): Promise<void> => {
    if (!isHit(point)) return
    if (blow?.act === undefined || blow.act === 'kill') die()
    else await tell({ kind: 'paused' })
  }
  return {
    async begin(next) {
      step = next
      passed = new Map()
      await tell({ kind: 'step', context: next.context, reference: next.reference })
    },
    pass,
    passNow(point) {
      if (isHit(point)) die()
    },
    async report(belief) {
      await pass('report.before')
      await tell({ kind: 'belief', belief })
      await pass('report.after')
    },
    reference: () => step.reference,
    key: () => step.key,
    isExchanging: () => !/^(resolve|decide|status|callback)/.test(step.context),
  }
}
