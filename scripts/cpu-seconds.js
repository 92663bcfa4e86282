/**
 * What a command has cost so far, in CPU seconds: this process, every process below it that has ended, and those above it up to npm.
 *
 * A time on the wall says how busy the machine was; this says what the command asked of it. Node.js has no call for the children's
 * part, and Linux has it in /proc (proc(5): utime, stime, cutime, cstime, in hundredths of a second).
 */
import { readFileSync } from 'node:fs'

/** @returns CPU seconds, or undefined on a machine that does not tell. */
export function cpuSeconds() {
  try {
    const own = times('self')
    let total = own.self + own.children
    for (let { parent, group } = own; parent > 1; ) {
      const above = times(parent)
      if (above.group !== group) break
      total += above.self
      parent = above.parent
    }
    return total / 100
  } catch {
    return undefined
  }
}

/** The name of the program, in brackets, may hold spaces. */
function times(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number)
  const [, parent, group] = fields
  const [user, system, childUser, childSystem] = fields.slice(11, 15)
  return { parent, group, self: user + system, children: childUser + childSystem }
}
