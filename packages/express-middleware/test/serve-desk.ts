/**
 * A desk behind a server, and what a test sends there.
 *
 * @module
 */
import { setImmediate } from 'node:timers/promises'
import { type callbackDesk, callbackQuery } from './callback-desk.js'
import { serve, versions } from './serve.js'

const [, express] = versions[2]

/** Serves a desk under Express 5, at `/callback`. */
export function serveDesk(desk: ReturnType<typeof callbackDesk>) {
  const app = express()
  app.all('/callback', desk.handler)
  return serve(app)
}

/** Sends one callback. @returns The status of the answer. */
export const send = async (origin: string, query = callbackQuery()): Promise<number> =>
  (await fetch(`${origin}/callback?${query}`)).status

/** Turns of the event loop until it holds, however many. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await setImmediate()
}
