/** Says what became of mutants, and whether that is enough. */

/** Counts mutants. What is worked out while a module loads is static: it would take most of the time, and is left out. */
export function counted(mutants) {
  const count = { all: 0, killed: 0, survived: 0, uncovered: 0, ignored: 0, static: 0, invalid: 0 }
  for (const { status, statusReason = '' } of mutants) {
    if (status === 'Ignored' && /static/i.test(statusReason)) {
      count.static += 1
      continue
    }
    count.all += 1
    if (status === 'Killed' || status === 'Timeout') count.killed += 1
    else if (status === 'Survived') count.survived += 1
    else if (status === 'NoCoverage') count.uncovered += 1
    else if (status === 'Ignored') count.ignored += 1
    else count.invalid += 1
  }
  return count
}

/** All counts together. */
export const sum = counts =>
  counts.reduce(
    (before, each) =>
      Object.fromEntries(Object.entries(before).map(([name, value]) => [name, value + (each[name] ?? 0)])),
    { ...counted([]), seconds: 0 },
  )

/** Fewest killed of those that are not ignored, and most ignored of all. */
const [fewestKilled, mostIgnored] = [0.92, 0.03]

/** @returns What is not enough, one sentence each. */
export function failures({ all, killed, ignored }) {
  const share = all === ignored ? 1 : killed / (all - ignored)
  return [
    ...(share < fewestKilled
      ? [`Tests noticed ${(100 * share).toFixed(1)} % of the mutants; 92 % are to be noticed.`]
      : []),
    ...(ignored > mostIgnored * all ? [`${ignored} of ${all} mutants are ignored; at most 3 % may be.`] : []),
  ]
}
