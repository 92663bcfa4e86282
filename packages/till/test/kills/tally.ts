/**
 * Counts kills per point, and keeps what was found wrong.
 *
 * @module
 */

/** The counts and accusations of a run. */
export interface Tally {
  hit(engine: string, label: string): void
  accuse(engine: string, what: readonly string[]): void
  /** Kills alone: a process that was stopped, and a line that was cut, are in the table only. */
  kills(): number
  /** How often a point was hit, on any engine, or on one. */
  hits(label: string, engine?: string): number
  violations(): readonly string[]
  /** How often each point was hit on each engine. */
  points(): Readonly<Record<string, Readonly<Record<string, number>>>>
}

export function newTally(): Tally {
  const counted = new Map<string, Map<string, number>>()
  const engines = new Set<string>()
  const violations: string[] = []
  const sum = (numbers: Iterable<number>): number => [...numbers].reduce((all, each) => all + each, 0)
  return {
    hit(engine, label) {
      engines.add(engine)
      const of = counted.get(label) ?? new Map<string, number>()
      counted.set(label, of.set(engine, (of.get(engine) ?? 0) + 1))
    },
    accuse(engine, what) {
      for (const each of what) {
        const violation = `${engine}: ${each}`
        if (!violations.includes(violation)) violations.push(violation)
      }
    },
    kills: () => sum([...counted].filter(([label]) => !/^(cut-|stop )/.test(label)).map(([, of]) => sum(of.values()))),
    hits(label, engine) {
      const of = counted.get(label) ?? new Map<string, number>()
      return engine === undefined ? sum(of.values()) : (of.get(engine) ?? 0)
    },
    violations: () => violations,
    points() {
      const rows = [...counted].sort(([one], [other]) => (one < other ? -1 : 1))
      return Object.fromEntries(
        rows.map(([label, of]) => [
          label,
          Object.fromEntries([...engines].sort().map(name => [name, of.get(name) ?? 0])),
        ]),
      )
    },
  }
}
