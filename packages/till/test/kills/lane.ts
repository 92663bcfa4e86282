/**
 * A lane: one gateway with its books, one line to it, one store, and one life after the other.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { defineProfile } from '@tillkit/protocol'
import { createFakeGateway } from '@tillkit/testing'
import { type Books, openBooks } from './books.js'
import { type Door, openDoor } from './door.js'
import type { Engine, Ground } from './engines.js'
import type { LifeOptions, Planted, Told } from './messages.js'
import { lateness, type Payment } from './payments.js'
import type { Blow, Case } from './points.js'
import type { Tally } from './tally.js'
import { type Wire, wireTo } from './wire.js'

/** One list of payments, and how its lives end. */
export type Chapter =
  | { readonly kind: 'cases'; readonly cases: readonly Case[] }
  /** Killed after so many milliseconds of work each. */
  | {
      readonly kind: 'random'
      readonly payments: readonly Omit<Payment, 'reference'>[]
      readonly lives: readonly number[]
    }

export interface LaneOptions {
  readonly engine: Engine
  /** The program of a life. */
  readonly program: string
  readonly tally: Tally
  readonly planted?: Planted | undefined
}

/** Works through chapters. */
export interface Lane {
  /** @returns The cases whose last blow was not dealt. */
  work(chapter: Chapter): Promise<readonly Case[]>
  close(): Promise<void>
}

/** How long a life may last before it counts as hanging, in milliseconds. */
const longestLife = 90_000

let chapters = 0

export async function openLane({ engine, program, tally, planted }: LaneOptions): Promise<Lane> {
  const profile = defineProfile({ orderNeverSeen: '4711' })
  const gateway = createFakeGateway({ profile, processingTime: 15, maxCalls: 100_000 })
  const { port } = await gateway.listen()
  // A request that arrives after the word of a hasty person is what finds it, and on a busy machine it may arrive before.
  const wire = await wireTo(port, planted === 'hasty' ? 'held' : lateness)
  const door = await openDoor()
  const { baseUrl, endpointId, login, controlKey } = gateway.clientOptions
  const reached = new URL(baseUrl)
  reached.port = String(wire.port)
  const ground = await engine.open()
  const surroundings = {
    program,
    planted,
    wire,
    door,
    ground,
    gateway: { baseUrl: reached.href, endpointId, login, controlKey },
  }

  const run = async (chapter: Chapter): Promise<readonly Case[]> => {
    chapters += 1
    const list =
      chapter.kind === 'cases' ? chapter.cases.map(({ kind, by = 'status' }) => ({ kind, by })) : chapter.payments
    const payments = list.map((each, index): Payment => ({ reference: `list-${chapters}-${index}`, ...each }))
    // Otherwise callbacks come as early as they come.
    door.hold(chapter.kind === 'cases')
    const books = openBooks(gateway, payments)
    const accuse = (what: readonly string[]) => tally.accuse(engine.name, what)
    let lives = 0
    const live = async (until: number, end: Partial<Ending>) => {
      lives += 1
      const name = `life ${lives}, ${nameOf(end)}`
      const life = await oneLife({ ...surroundings, name, books, accuse, payments: payments.slice(0, until) }, end)
      accuse(books.audit())
      return life
    }
    const missed: Case[] = []
    const stopped: (() => Promise<void>)[] = []
    if (chapter.kind === 'random') {
      for (const after of chapter.lives) {
        const { isHit, context } = await live(payments.length, { after })
        if (isHit) tally.hit(engine.name, `at random, in ${context || 'its start'}`)
      }
    } else {
      for (const [index, each] of chapter.cases.entries()) {
        const { reference = '' } = payments[index] ?? {}
        let isWhole = true
        for (const [place, blow] of each.blows.entries()) {
          const { isHit, thaw } = await live(index + 1, { blow: { ...blow, reference } })
          if (thaw !== undefined) stopped.push(thaw)
          if (isHit) tally.hit(engine.name, place < each.blows.length - 1 ? `${blow.label}` : labelOf(each))
          isWhole &&= isHit
        }
        if (!isWhole) missed.push(each)
      }
    }
    await ground.settle()
    await live(payments.length, {})
    for (const thaw of stopped) await thaw()
    await wire.idle()
    accuse(books.audit())
    accuse(await ground.look(store => books.auditEnd(store, ground.told)))
    door.clear()
    gateway.reset()
    return missed
  }

  return {
    work: run,
    async close() {
      await wire.close()
      await door.close()
      await gateway.close()
      await ground.end()
    },
  }
}

/** The label that a case is counted under. */
export const labelOf = ({ blows }: Case): string => blows.at(-1)?.label ?? ''

/** How a life is to end; without any, by itself. */
interface Ending {
  readonly blow: Blow & { readonly reference: string }
  /** Milliseconds of work after which it is killed. */
  readonly after: number
}

const nameOf = ({ blow, after }: Partial<Ending>): string =>
  blow === undefined ? (after === undefined ? 'to its end' : `${after} ms`) : `${blow.label} of ${blow.reference}`

interface LifeInput {
  /** For whoever reads an accusation. */
  readonly name: string
  readonly program: string
  readonly planted: Planted | undefined
  readonly wire: Wire
  readonly door: Door
  readonly ground: Ground
  readonly gateway: LifeOptions['gateway']
  readonly books: Books
  readonly payments: readonly Payment[]
  readonly accuse: (what: readonly string[]) => void
}

/** Runs a process until it has died, or is done. */
async function oneLife(input: LifeInput, { blow, after }: Partial<Ending>) {
  const { name, program, planted, wire, door, ground, gateway, books, payments, accuse } = input
  const options: LifeOptions = { store: ground.store, gateway, door: door.address, payments, blow, planted }
  const child = spawn(process.execPath, [program, JSON.stringify(options)], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  const errors = child.stderr === null ? '' : text(child.stderr)
  const kill = () => child.kill('SIGKILL')
  wire.arm(blow, kill)
  door.arm(blow, kill)
  let [context, isDone, wasPaused] = ['', false, false]
  let [goOn, stop] = [() => {}, () => {}]
  const isStopped = new Promise<void>(resolve => {
    stop = resolve
  })
  let timer: NodeJS.Timeout | undefined
  let [isHanging, wasKilled] = [false, false]
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
        accuse(books.judge(told.belief, `${name}, in ${context}`))
        return {}
      case 'paused':
        wasPaused = true
        if (blow?.act === 'stop') {
          child.kill('SIGSTOP')
          clearTimeout(watchdog)
          stop()
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
    watchdog = watch()
    child.kill('SIGCONT')
    goOn()
    await end
  }
  return { isHit: wasPaused || wasKilled, context, thaw: blow?.act === 'stop' && wasPaused ? thaw : undefined }
}
