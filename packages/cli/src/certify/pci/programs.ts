import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { withoutUser } from '../../command-line/wrap.js'
import { type Search, shown } from '../search/search.js'
import { openPart } from './part.js'
import { type PlaceResult, placeOf } from './places.js'
import { type TimeLimit, takeInTime } from './time-limit.js'

type Environment = Readonly<Record<string, string | undefined>>

/** A command for a shell. */
export interface ShellCommand {
  readonly command: string
  readonly name: string
}

/** Most that is kept of what a program complained of, and most that is shown of it, in bytes. */
const [keptComplaint, mostComplaint] = [4_000, 300]

/** A complaint without the user and the password of an address. It is cut only after that: an address may be cut as well. */
const complaintOf = (bytes: Buffer): string =>
  shown(Buffer.from(withoutUser(bytes.toString('latin1')), 'latin1')).trim() || 'it did not say why'

/** True if the system has groups of processes. A signal to the group ends the shell and all that it started. */
const isGroup = process.platform !== 'win32'

/** Starts a command in a shell. */
function startShell(command: string, environment: Environment) {
  const child = spawn(command, {
    shell: true,
    detached: isGroup,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...environment },
  })
  return {
    child,
    kill(signal: 'SIGTERM' | 'SIGKILL'): void {
      try {
        if (isGroup && child.pid !== undefined) process.kill(-child.pid, signal)
        else child.kill(signal)
      } catch {
        // It has ended by itself.
      }
    },
  }
}

/** Runs a command in a shell, and searches what it writes: a dump of a database, say. */
export async function searchDump(
  { command, name }: ShellCommand,
  search: Search,
  environment: Environment,
  limit: TimeLimit,
): Promise<PlaceResult> {
  const { child, kill } = startShell(command, environment)
  const part = openPart('what it wrote', search)
  let complaint = Buffer.alloc(0)
  child.stderr.on('data', (bytes: Buffer) => {
    complaint = Buffer.concat([complaint, bytes]).subarray(0, keptComplaint)
  })
  const ended = once(child, 'close') as Promise<[number | null]>
  // It is in a group of processes of its own, which Ctrl+C does not reach.
  void limit.over.then(() => kill('SIGKILL'))
  await takeInTime(child.stdout, part.push, limit)
  const ending = await Promise.race([ended, limit.over.then(() => limit.ended() ?? '')])
  child.stdout.destroy()
  child.stderr.destroy()
  const result = await part.end()
  const problems = []
  if (typeof ending === 'string') problems.push(ending)
  else if (ending[0] !== 0)
    problems.push(`It ended with ${ending[0]}: ${complaintOf(complaint).slice(0, mostComplaint)}`)
  if (result.isEmpty) problems.push('It wrote nothing.')
  else if (!result.marked) problems.push("This run's customer is not in it: it may be the dump of another database.")
  return placeOf({ kind: 'dump', name }, [result], problems, search)
}

/** A shop that certify started. */
export interface StartedShop {
  /** Resolves once something listens at the address. @throws When the shop ends before. */
  up(address: URL, wait: (milliseconds: number) => Promise<unknown>): Promise<void>
  /** Ends it, and searches what it wrote. */
  stop(): Promise<PlaceResult>
  kill(): void
}

/** How long a shop may take to come up, and how long one look is from the next, in milliseconds. */
const [longestStart, betweenLooks] = [60_000, 100]
/** How long it may take to end, and how long its outputs may stay open once it was killed, in milliseconds. */
const endTimes = { longestEnd: 5_000, longestOpen: 1_000 }

/** @throws When something listens at the address that a shop is to be started for: that would be tried in its place. */
export async function refuseAnother(address: URL): Promise<void> {
  if (!(await answers(address))) return
  throw new Error(`Something listens at ${address.host} before the shop is started. End it, or leave out --start.`)
}

/** Starts a shop by its command, in a shell. Its outputs are searched as they come. */
export function startShop(
  { command, name }: ShellCommand,
  search: Search,
  environment: Environment,
  { longestEnd, longestOpen } = endTimes,
): StartedShop {
  const { child, kill } = startShell(command, environment)
  const parts = [openPart('standard output', search), openPart('standard error output', search)] as const
  let last = Buffer.alloc(0)
  const reading = [child.stdout, child.stderr].map(async (stream, at) => {
    try {
      for await (const bytes of stream) {
        last = Buffer.concat([last, bytes as Buffer]).subarray(-keptComplaint)
        await parts[at]?.push(bytes as Buffer)
      }
      return true
    } catch {
      return false
    }
  })
  let end: number | string | undefined
  void once(child, 'exit')
    .catch(() => ['no shell'])
    .then(([code, signal]) => {
      end = code ?? signal
    })
  return {
    kill: () => kill('SIGKILL'),
    async up(address, wait) {
      for (let waited = 0; waited < longestStart; waited += betweenLooks) {
        if (end !== undefined) throw new Error(`The shop ended with ${end}: ${complaintOf(last).slice(-mostComplaint)}`)
        if (await answers(address)) return
        await wait(betweenLooks)
      }
      throw new Error(`The shop was started, and nothing listens at ${address.host}.`)
    },
    async stop() {
      const problems = end === undefined ? [] : [`It ended with ${end} before the run was over.`]
      kill('SIGTERM')
      const timers = [
        setTimeout(() => kill('SIGKILL'), longestEnd),
        setTimeout(() => {
          child.stdout.destroy()
          child.stderr.destroy()
        }, longestEnd + longestOpen),
      ]
      // Both outputs are closed once every process has ended that writes to them.
      const wasClosed = await Promise.all(reading)
      for (const timer of timers) clearTimeout(timer)
      if (wasClosed.includes(false)) problems.push('A process that it left behind could still write to its outputs.')
      const results = [await parts[0].end(), await parts[1].end()]
      // All that it wrote was seen, so that silence is no doubt.
      return placeOf({ kind: 'output', name }, results, problems, search)
    },
  }
}

async function answers({ hostname, port, protocol }: URL): Promise<boolean> {
  const socket = connect(Number(port) || (protocol === 'https:' ? 443 : 80), hostname.replace(/^\[|\]$/g, ''))
  try {
    await once(socket, 'connect')
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
