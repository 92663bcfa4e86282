/**
 * The parent of a life: it starts the process, answers it, kills or stops it, and hands what it believes to the books.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Books } from './books.js'
import type { Door } from './door.js'
import type { Ground } from './engines.js'
import type { LifeOptions, Planted, Told } from './messages.js'
import type { Payment } from './payments.js'
import type { Blow } from './points.js'
import type { Wire } from './wire.js'

/** How long a life may last before it counts as hanging, in milliseconds. */
const longestLife = 90_000

/** How a life is to end; without any, by itself. */
export interface Ending {
  readonly blow: Blow & { readonly reference: string }
  /** Milliseconds of work after which it is killed. */
  readonly after: number
}

/** Names a life by how it is to end. Accusations show the name. */
export const nameOf = ({ blow, after }: Partial<Ending>): string =>
  blow === undefined ? (after === undefined ? 'to its end' : `${after} ms`) : `${blow.label} of ${blow.reference}`

interface LifeInput {
  /** Accusations show it. */
  readonly name: string
  readonly program: string
  readonly planted: Planted | undefined
  readonly wire: Wire
  readonly door: Door
  readonly ground: Ground
  readonly gateway: LifeOptions['gateway']
  readonly timeout: number
  readonly books: Books
  readonly payments: readonly Payment[]
  readonly accuse: (what: readonly string[]) => void
}

/** Runs a process until it has died, or is done. */
export async function oneLife(input: LifeInput, { blow, after }: Partial<Ending>) {
  const { name, program, planted, wire, door, ground, gateway, timeout, books, payments, accuse } = input
  const options: LifeOptions = { store: ground.store, gateway, door: door.address, timeout, payments, blow, planted }
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const errors = child.stderr === null ? '' : text(child.stderr)
  const kill = () => child.kill('SIGKILL')
  const freeze = () => {
    wasPaused = true
    child.kill('SIGSTOP')
    clearTimeout(watchdog)
    stop()
  }
  wire.arm(blow, blow?.act === 'stop' ? freeze : kill)
  door.arm(blow, kill)
  let [context, isDone, wasPaused] = ['', false, false]
  let [goOn, stop] = [() => {}, () => {}]
  const isStopped = new Promise<void>(resolve => {
    stop = resolve
  })
  let timer: NodeJS.Timeout | undefined
  let [isHanging, wasKilled, isLate] = [false, false, false]
  const watch = () =>
    setTimeout(() => {
      isHanging = true
      kill()
    }, longestLife)
  let watchdog = watch()

  const answer = async (told: Told): Promise<object> => {
    switch (told.kind) {
      case 'step':
        context = told.context
        wire.step(context, told.reference)
        door.step(context, told.reference)
        books.begin()
        if (after !== undefined) timer ??= setTimeout(kill, after)
        return {}
      case 'listening':
        door.opens(told.port)
        return {}
      case 'belief':
        accuse(books.judge(told.belief, `${name}, in ${context}`, isLate))
        return {}
      case 'paused':
        wasPaused = true
        if (blow?.act === 'stop') {
          freeze()
          await new Promise<void>(resolve => {
            goOn = resolve
          })
          return {}
        }
        await ground.strike(blow?.act ?? 'kill')
        return {}
      case 'person':
        if (planted !== 'hasty') await wire.idle()
        return books.hasArrived(told.key)
          ? { decision: 'accepted', ...books.idsOf(told.key) }
          : { decision: 'not-sent' }
      case 'trouble':
        return {}
      case 'failed':
        accuse([`a process failed: ${told.reason}`])
        return {}
      case 'done':
        isDone = true
        return {}
    }
  }
  child.on('message', (told: Told & { readonly id: number }) => {
    answer(told).then(
      given => child.connected && child.send({ id: told.id, ...given }, () => {}),
      (error: Error) => accuse([`the harness failed: ${error.stack}`]),
    )
  })
  const ended = async (): Promise<void> => {
    const disconnected = once(child, 'disconnect')
    const [code, signal] = await once(child, 'exit')
    door.opens(undefined)
    await disconnected
    clearTimeout(timer)
    clearTimeout(watchdog)
    const said = await errors
    if (isHanging) accuse([`a process hung in ${context}`])
    else if (signal !== 'SIGKILL' && !isDone) accuse([`a process ended by itself, with ${code ?? signal}: ${said}`])
    wasKilled = signal === 'SIGKILL' && !isHanging
  }
  const end = ended()
  await Promise.race([end, isStopped])
  wire.arm(undefined, () => {})
  door.arm(undefined, () => {})
  const thaw = async (): Promise<void> => {
    isLate = true
    watchdog = watch()
    child.kill('SIGCONT')
    goOn()
    await end
  }
  return { isHit: wasPaused || wasKilled, context, thaw: blow?.act === 'stop' && wasPaused ? thaw : undefined }
}
