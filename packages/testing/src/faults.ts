/**
 * Faults, placed by their effect on money.
 *
 * @module
 */
import type { Effect } from '@tillkit/protocol'

/**
 * - `drop`: the connection breaks before anything happened;
 * - `commit-then-drop`: the operation is carried out, then the connection breaks without an answer;
 * - `server-error-after-commit`: the operation is carried out, then the answer is HTTP 500.
 */
export type FaultName = 'drop' | 'commit-then-drop' | 'server-error-after-commit'

/** A fault to arm. A bare name is for the next good request that creates or changes, whatever its operation. */
export type Fault =
  | FaultName
  | {
      readonly fault: FaultName
      /** Default: any that creates or changes; one that reads has no effect to lose. */
      readonly operation?: string
      /** How many requests it strikes. Default: 1. */
      readonly times?: number
    }

/** The faults of a gateway. They strike requests that would have been accepted, the first one armed first. */
export interface Faults {
  arm(fault: Fault): void
  /** Faults that have not struck yet, or not often enough. */
  armed(): readonly { readonly fault: FaultName; readonly operation?: string; readonly times: number }[]
  clear(): void
}

/** Faults, and the gateway's own way of striking. */
export interface ArmedFaults extends Faults {
  /** Uses up a fault for a request. */
  strike(struck: { readonly operation: string; readonly effect: Effect }): FaultName | undefined
}

const names: readonly FaultName[] = ['drop', 'commit-then-drop', 'server-error-after-commit']

/** Makes a list of faults, empty at first. */
export function createFaults(): ArmedFaults {
  let list: ReturnType<Faults['armed']> = []
  return {
    arm(fault) {
      const { times = 1, ...rest } = typeof fault === 'string' ? { fault } : fault
      if (!names.includes(rest.fault)) {
        throw new TypeError(`"fault" is ${JSON.stringify(rest.fault)}; there are: ${names.join(', ')}.`)
      }
      if (!Number.isInteger(times) || times < 1) {
        throw new TypeError(`"times" is ${times}; it must be a whole number from 1 on.`)
      }
      list = [...list, { ...rest, times }]
    },
    armed: () => list,
    clear: () => {
      list = []
    },
    strike({ operation, effect }) {
      const struck = list.find(each =>
        each.operation === undefined ? effect !== 'reads' : each.operation === operation,
      )
      list = list
        .map(each => (each === struck ? { ...each, times: each.times - 1 } : each))
        .filter(({ times }) => times > 0)
      return struck?.fault
    },
  }
}
