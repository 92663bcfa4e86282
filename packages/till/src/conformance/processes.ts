import { spawn } from 'node:child_process'
import { isAbsolute } from 'node:path'
import { pathToFileURL } from 'node:url'
import { StoreError, type StoreErrorCode } from '../store/store.js'
import type { Documents } from './expectations.js'

/** Everything that another process needs to open a store. */
export interface StoreElsewhere {
  /** A module that exports `openStore(data)`, which gives a store or a promise of one: its URL, or its absolute path. */
  readonly module: string | URL
  /** The argument that `openStore` is given. `structuredClone` can copy its values. */
  readonly data: unknown
}

/** Another process, which opens stores for this one. */
export type StoreProcess = Awaited<ReturnType<typeof startProcess>>

/**
 * The program that the process runs. It is text, because no file of this package has one path as source, as a module and in a
 * bundle; it imports nothing but the module that opens the store.
 */
const program = `
const stores = new Map()
process.on('message', async ({ call, ground, method, parameters }) => {
  try {
    if (method === 'open') {
      const { openStore } = await import(parameters[0])
      if (typeof openStore !== 'function') throw new TypeError(parameters[0] + ' exports no function "openStore".')
      stores.set(ground, await openStore(parameters[1]))
      process.send({ call })
    } else process.send({ call, value: await stores.get(ground)[method](...parameters) })
  } catch (error) {
    process.send({ call, error: { message: String(error?.message ?? error), code: error?.code } })
  }
})
process.on('disconnect', () => process.exit())
process.send({ call: 0 })
`

interface Answer {
  readonly call: number
  readonly value?: unknown
  readonly error?: { readonly message: string; readonly code?: unknown }
}

/** Starts a process. @param execArgv Options for Node.js, such as a loader. */
export async function startProcess(execArgv: readonly string[]) {
  const child = spawn(process.execPath, [...execArgv, '--input-type=module', '--eval', program], {
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    serialization: 'advanced',
  })
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>()
  let said = ''
  let end: string | undefined
  let calls = 0
  let grounds = 0

  const answerTo = (call: number): Promise<unknown> =>
    new Promise((resolve, reject) => {
      if (end === undefined) waiting.set(call, { resolve, reject })
      else reject(new StoreError('ERR_STORE_UNKNOWN', end))
    })
  const rejectAll = (why: string): void => {
    end ??= why
    for (const { reject } of waiting.values()) reject(new StoreError('ERR_STORE_UNKNOWN', end))
    waiting.clear()
  }
  const exited = new Promise<void>(resolve => child.once('close', () => resolve()))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    said = `${said}${text}`.slice(-2000)
  })
  child.once('error', error => rejectAll(`The other process failed: ${error.message}`))
  child.once('close', (code, signal) =>
    rejectAll(`The other process ended (${signal ?? `exit code ${code}`}). ${said}`),
  )
  child.on('message', (answer: Answer) => {
    const call = waiting.get(answer.call)
    waiting.delete(answer.call)
    if (answer.error === undefined) call?.resolve(answer.value)
    else call?.reject(errorFrom(answer.error))
  })
  const ask = (ground: number, method: string, ...parameters: readonly unknown[]): Promise<unknown> => {
    calls += 1
    const answer = answerTo(calls)
    child.send({ call: calls, ground, method, parameters }, error => {
      if (error !== null) rejectAll(`The other process takes no messages: ${error.message}`)
    })
    return answer
  }

  await answerTo(0)
  return {
    /** Opens a ground there. */
    async open({ module, data }: StoreElsewhere): Promise<Documents> {
      grounds += 1
      const ground = grounds
      const url = typeof module === 'string' && isAbsolute(module) ? pathToFileURL(module) : module
      await ask(ground, 'open', String(url), data)
      const calls = methods.map(method => [method, (...of: readonly unknown[]) => ask(ground, method, ...of)])
      // The checks judge everything that comes back.
      return Object.fromEntries(calls) as Documents
    },
    /** Ends it with SIGKILL. What has no answer yet rejects. */
    async kill(): Promise<void> {
      child.kill('SIGKILL')
      await exited
    },
  }
}

const methods = ['read', 'write', 'postpone', 'take', 'list', 'close'] as const satisfies (keyof Documents)[]

function errorFrom({ message, code }: NonNullable<Answer['error']>): Error {
  return typeof code === 'string' && code.startsWith('ERR_STORE_')
    ? new StoreError(code as StoreErrorCode, message)
    : Object.assign(new Error(message), code === undefined ? {} : { code })
}
