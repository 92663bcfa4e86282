/** A process of the shop that may be killed. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { ShopIsOpen, ShopProcess } from '../shop-process.js'

/** A shop that runs in a process of its own. */
export interface ShopChild {
  readonly pid: number
  readonly address: URL
  /** Kills it at once: it can finish nothing. */
  kill(): Promise<void>
}

/**
 * Starts a process of the shop, and waits until it is open.
 *
 * @param program The shop's process as one file of JavaScript. Default: the one of this build.
 * @throws An error where it ends before that.
 */
export async function startShop(options: ShopProcess, program = built): Promise<ShopChild> {
  const child = fork(program, [JSON.stringify(options)], { execArgv: [], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
  const opened = once(child, 'message').then(([message]: ShopIsOpen[]) => message)
  const message = await Promise.race([opened, endOf(child)])
  if (message === undefined) throw new Error('The process of the shop ended before it was open.')
  return {
    pid: child.pid ?? 0,
    address: new URL(message.address),
    async kill() {
      const ended = endOf(child)
      child.kill('SIGKILL')
      await ended
    },
  }
}

const endOf = (child: ChildProcess): Promise<undefined> => once(child, 'exit').then(() => undefined)

const built = fileURLToPath(new URL('./shop-process.js', import.meta.url))
