import {
  aCount,
  aText,
  checkOptions,
  describeValue,
  type Effect,
  mustBe,
  type OptionCheck,
  oneOfWords,
  required,
} from '@tillkit/protocol'
import { longestStep } from '../time/clock.js'
import { type FaultAt, type FaultName, type FaultPlace, type FaultRow, faultNames, faultRows } from './fault-table.js'

/** How a fault is armed. */
export interface FaultOptions {
  readonly fault: FaultName
  /**
   * Strikes only requests of this operation and what becomes of them. Default: every operation that creates or changes.
   */
  readonly operation?: string
  /** How often it strikes. Default: once; with a probability, without end. */
  readonly times?: number
  /** How likely it strikes, above 0 and up to 1, drawn from the gateway's seed. Default: 1. */
  readonly probability?: number
  /** In milliseconds on the gateway's clock, ten years at most, for faults that take one. Default: see `faultTable`. */
  readonly delay?: number
  /** How many questions about the order, for faults that take a number of them. Default: see `faultTable`. */
  readonly questions?: number
  /** A word of status, for faults that take one. Default: see `faultTable`. */
  readonly status?: string
}

/** A fault to arm. A bare name strikes the next good request of any operation that creates or changes. */
export type Fault = FaultName | FaultOptions

/** A fault that waits. */
export interface ArmedFault extends Omit<FaultOptions, 'times'> {
  /** Counts from 1; {@link Faults.disarm} takes it. */
  readonly number: number
  /** How often it will still strike. Absent when it is armed without end. */
  readonly times?: number
  /** How often it struck. */
  readonly struck: number
}

/** The faults of a gateway. They strike requests that would have been accepted, the first one armed first. */
export interface Faults {
  /** @throws {TypeError} that names what is wrong with it. */
  arm(fault: Fault): void
  /** Faults that will still strike. */
  armed(): readonly ArmedFault[]
  /**
   * Disarms one fault.
   *
   * @param number Its number in {@link armed}.
   * @returns False when no fault that will still strike has it.
   */
  disarm(number: number): boolean
  clear(): void
}

export interface StruckFault<Name extends FaultName = FaultName> {
  readonly fault: Name
  /** In milliseconds. */
  readonly delay: number
  readonly questions: number
  readonly status: string
  /** Takes the strike back: the request turned out not to be good. */
  undo(): void
}

interface Target<Place extends FaultPlace> {
  readonly at: Place
  /** Undefined where the operation is not known; faults of one operation do not strike then. */
  readonly operation: string | undefined
  /** What that operation does to the world. Faults without an operation do not strike what only reads. */
  readonly effect?: Effect | undefined
  /** Whether a fault can do anything here. Default: it can. */
  readonly fits?: (fault: FaultAt<Place>) => boolean
}

/** The faults, with what the gateway itself uses to strike them. */
export type ArmedFaults = Faults & ReturnType<typeof createFaults>

interface FaultsOptions {
  readonly random: () => number
  /** Names of the operations a fault may be armed for. */
  readonly operations: readonly string[]
  /** Armed from the beginning, and again after a reset. */
  readonly lasting: readonly Fault[]
  /** Called when faults of connections were armed or disarmed, or all were cleared. */
  readonly onChange: () => void
}

interface Entry extends Omit<ArmedFault, 'times' | 'struck'> {
  times: number
  struck: number
}

export function createFaults({ random, operations, lasting, onChange }: FaultsOptions) {
  let count = 0
  const entryOf = (fault: Fault): Entry => {
    const options = typeof fault === 'string' ? { fault } : fault
    checkFault(options, operations)
    const times = options.times ?? (options.probability === undefined ? 1 : Number.POSITIVE_INFINITY)
    count += 1
    return { ...options, number: count, times, struck: 0 }
  }
  let list: readonly Entry[] = lasting.map(entryOf)
  // A port that a fault has closed stays closed, whatever else is armed or disarmed.
  const changed = (entries: readonly Entry[]): void => {
    if (entries.some(({ fault }) => faultRows[fault].at === 'connection')) onChange()
  }
  const waiting = (): readonly Entry[] => list.filter(({ times }) => times > 0)
  return {
    arm(fault: Fault): void {
      const entry = entryOf(fault)
      list = [...waiting(), entry]
      changed([entry])
    },
    armed: () => waiting().map(shown),
    /** Whether a fault of a place is armed. */
    waits: (place: FaultPlace) => list.length > 0 && waiting().some(({ fault }) => faultRows[fault].at === place),
    disarm(number: number): boolean {
      const gone = waiting().filter(each => each.number === number)
      list = waiting().filter(each => each.number !== number)
      changed(gone)
      return gone.length > 0
    },
    clear(): void {
      list = []
      onChange()
    },
    /** Arms those that last, and no others. */
    reset(): void {
      list = lasting.map(entryOf)
      onChange()
    },
    /** Uses up a fault. */
    strike<Place extends FaultPlace>({
      at,
      operation,
      effect,
      fits = () => true,
    }: Target<Place>): StruckFault<FaultAt<Place>> | undefined {
      if (list.length === 0) return undefined
      const entry = waiting().find(
        each =>
          faultRows[each.fault].at === at &&
          (each.operation === undefined ? effect !== 'reads' : each.operation === operation) &&
          fits(each.fault as FaultAt<Place>) &&
          (each.probability === undefined || random() < each.probability),
      )
      if (entry === undefined) return undefined
      entry.times -= 1
      entry.struck += 1
      const row = faultRows[entry.fault]
      return {
        fault: entry.fault as FaultAt<Place>,
        delay: entry.delay ?? row.delay ?? 0,
        questions: entry.questions ?? row.questions ?? 0,
        status: entry.status ?? row.status?.otherwise ?? '',
        undo() {
          entry.times += 1
          entry.struck -= 1
        },
      }
    },
  }
}

function shown({ times, ...rest }: Entry): ArmedFault {
  return Object.freeze(Number.isFinite(times) ? { ...rest, times } : rest)
}

const isBetween = (value: unknown, least: number, most: number): boolean =>
  typeof value === 'number' && value >= least && value <= most

function checkFault(options: FaultOptions, operations: readonly string[]): void {
  const { fault, operation } = options
  const row: FaultRow | undefined = Object.hasOwn(faultRows, String(fault)) ? faultRows[fault] : undefined
  const takesNone: OptionCheck = (value, name) =>
    value === undefined ? undefined : `"${name}" is ${describeValue(value)}; the fault "${fault}" takes none.`
  checkOptions('A fault', options, {
    fault: required(oneOfWords(...faultNames)),
    operation: oneOfWords(...operations),
    times: aCount(),
    probability: mustBe(value => isBetween(value, Number.MIN_VALUE, 1), 'above 0 and at most 1'),
    delay:
      row?.delay === undefined
        ? takesNone
        : mustBe(
            value => isBetween(value, 0, longestStep),
            `a number of milliseconds from 0 to ${longestStep}, ten years`,
          ),
    questions: row?.questions === undefined ? takesNone : aCount(),
    status:
      row?.status === undefined ? takesNone : row.status.oneOf === undefined ? aText : oneOfWords(...row.status.oneOf),
  })
  if (row?.at === 'status' && operation !== undefined && operation !== 'status') {
    throw new TypeError(`"operation" is "${operation}"; the fault "${fault}" strikes status replies. Leave it out.`)
  }
}
