/**
 * Records the runs of one process and its calls of the store, a line for each thing that happens.
 *
 * @module
 */
import { type Recorder, recordedBy } from '../../../packages/till/src/engine/engine.js'
import {
  type Entry,
  type Store,
  type Stored,
  StoreError,
  type Written,
} from '../../../packages/till/src/store/store.js'
import { createEncoder, digestOf, isPlain, isProfile } from './codec.js'
import type { AnswerLine, Asked, Line, SeenDocument } from './lines.js'

/** The place where the lines of one process go. */
export interface Writing {
  /** The name of the process: never the same one twice. */
  readonly process: string
  readonly write: (line: Line) => void
  /** Gives a higher number with each line, in all processes together. */
  readonly order: () => number
  /** Milliseconds by the gateway's clock. */
  readonly now: () => number
}

/** A store as a process sees it; not every one has transactions. */
export type SeenStore = Omit<Store, 'commit'> & Partial<Pick<Store, 'commit'>>

/** The same store, for a till whose runs and whose calls of the store are recorded. */
export function recording<Kept extends SeenStore>(store: Kept, writing: Writing): Kept {
  const { write, process } = writing
  const place = () => ({ t: writing.order(), process, now: writing.now() })
  const named = new Set<string>()
  const once = (name: string, line: () => Line): string => {
    if (!named.has(name)) write(line())
    named.add(name)
    return name
  }
  const encode = createEncoder(profile => {
    const name = digestOf(JSON.stringify(profile))
    return once(name, () => ({ line: 'profile', name, profile }))
  })
  const digest = (value: unknown): string => digestOf(JSON.stringify(encode(value)))
  const bodyOf = (body: string): string => {
    const digest = digestOf(body)
    return once(digest, () => ({ line: 'body', digest, body }))
  }
  const tools = { encode, digest, write, place }
  return recordedBy({ ...store, ...recordedCalls(store, { ...tools, bodyOf, process }) }, recorderOf(tools))
}

interface Tools {
  readonly encode: (value: unknown) => unknown
  readonly digest: (value: unknown) => string
  readonly write: (line: Line) => void
  readonly place: () => { readonly t: number; readonly process: string; readonly now: number }
}

/** Makes what sees the runs of a till. */
const recorderOf =
  ({ encode, digest, write, place }: Tools): Recorder =>
  ({ id: run, key, next, patience, staged = [], profileOf }) => {
    const { intent } = next
    if (intent === undefined) throw new TypeError(`Run ${run} has no plan: it cannot be lived again.`)
    const { name, plan, make } = intent
    let asked: Asked[] = []
    let profiles: (readonly [string, string])[] = []
    const questions = asking({ encode, digest }, each => asked.push(each))
    write({
      line: 'run',
      ...place(),
      run,
      key,
      intent: name,
      plan: encode(plan),
      patience,
      staged: encode(staged),
    })
    let nth = 0
    return {
      next: make(questions(plan, '') as object),
      profileOf(login) {
        const profile = profileOf(login)
        const { name } = encode(profile) as { readonly name: string }
        profiles.push([login, name])
        return profile
      },
      record({ at, event, effect }) {
        nth += 1
        write({
          line: 'step',
          ...place(),
          run,
          nth,
          at: encode(at),
          event: encode(named(event)),
          effect: effect.kind,
          digest: digest(effect),
          asked,
          profiles,
        })
        asked = []
        profiles = []
      },
    }
  }

/** An event whose document is named by the write that left it so, where one has. */
function named(event: object): object {
  const { known } = event as { readonly known?: { readonly document?: unknown; readonly writeId?: string | undefined } }
  return known?.writeId === undefined ? event : { ...event, known: { writeId: known.writeId } }
}

/** Makes what lets each function of a plan tell what it was asked. What has no functions stays the very same. */
function asking({ encode, digest }: Pick<Tools, 'encode' | 'digest'>, tell: (asked: Asked) => void) {
  const through = (value: unknown, path: string): unknown => {
    if (typeof value === 'function')
      return (...args: unknown[]): unknown => {
        const given = digest(args)
        let gave: unknown
        try {
          gave = value(...args)
        } catch (error) {
          tell({ path, given, threw: encode(error) })
          throw error
        }
        tell({ path, given, gave: encode(gave) })
        return through(gave, `${path}()`)
      }
    if (!isPlain(value) || isProfile(value)) return value
    const all = Object.entries(value).map(([name, each]) => [name, through(each, `${path}.${name}`)] as const)
    return all.every(([name, each]) => each === value[name]) ? value : Object.fromEntries(all)
  }
  return through
}

/** The calls of a store that say how a document stands, or change it. */
function recordedCalls(
  store: SeenStore,
  { write, place, bodyOf, process }: Tools & { readonly bodyOf: (body: string) => string; readonly process: string },
): Partial<SeenStore> {
  let calls = 0
  const seenIn = (stored: Stored | undefined): { readonly seen?: SeenDocument } => {
    if (stored === undefined) return {}
    const { writeId, version, body } = stored
    return { seen: { writeId, version, body: bodyOf(body) } }
  }
  const answer = (call: string, came: Omit<AnswerLine, 'line' | 'call' | 't' | 'process' | 'now'>): void =>
    write({ line: 'answer', ...place(), call, ...came })
  const threw = (call: string, cause: unknown): void => {
    const isKnown = cause instanceof StoreError && cause.code !== 'ERR_STORE_UNKNOWN'
    answer(call, { came: isKnown ? 'not-done' : 'threw' })
  }
  const written = (call: string, came: Written): void =>
    came.kind === 'written'
      ? answer(call, { came: 'written', version: came.version })
      : answer(call, { came: 'conflict', ...seenIn(came.current) })
  const begin = (): string => {
    calls += 1
    return `${process}/${calls}`
  }
  const through = async <Came>(call: string, came: Promise<Came>, tell: (came: Came) => void): Promise<Came> => {
    try {
      const result = await came
      tell(result)
      return result
    } catch (cause) {
      threw(call, cause)
      throw cause
    }
  }
  const { commit } = store
  return {
    read(key) {
      const call = begin()
      write({ line: 'call', ...place(), call, does: 'read', key })
      return through(call, store.read(key), ({ stored }) => answer(call, { came: 'read', ...seenIn(stored) }))
    },
    write(key, entry, options) {
      const call = begin()
      const { id, after } = options
      const body = bodyOf(entry.body)
      write({ line: 'call', ...place(), call, does: 'write', key, id, ...(after === undefined ? {} : { after }), body })
      return through(call, store.write(key, entry, options), came => written(call, came))
    },
    ...(commit === undefined
      ? {}
      : {
          commit(key, work, finish, known) {
            const call = begin()
            write({ line: 'call', ...place(), call, does: 'commit', key })
            const finished = (current: Stored | undefined): Entry | undefined => {
              const entry = finish(current)
              const { writeId: after } = current ?? {}
              const body = entry && bodyOf(entry.body)
              write({ line: 'finish', ...place(), call, ...(after && { after }), ...(body && { body }) })
              return entry
            }
            return through(call, commit(key, work, finished, known), came => written(call, came))
          },
        }),
  }
}
