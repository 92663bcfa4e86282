import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { programOf, removeProgram } from '../bundle.js'
import { freshGround, type Ground, serverUrl } from './support/ground.js'

let ground: Ground
let program: string
beforeAll(async () => {
  ground = await freshGround()
  program = await programOf(new URL('support/taker.ts', import.meta.url))
})
afterAll(async () => {
  removeProgram(program)
  await ground.end()
})

/** Starts a process that takes, and waits until it is ready. @returns What lets it begin, and gives the keys that it took. */
async function startTaker(): Promise<() => Promise<readonly string[]>> {
  const child = spawn(process.execPath, [program, serverUrl(), ground.schema], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  expect((await lines.next()).value).toBe('ready')
  return async () => {
    child.stdin.write('go')
    return JSON.parse((await lines.next()).value)
  }
}

describe('take', () => {
  it('hands out each of 10,000 due documents once to eight processes', { timeout: 180_000 }, async () => {
    await ground.admin.query(`insert into "${ground.schema}".documents (key, version, write_id, due, body)
      select 'due-' || n, 1, 'x', n, '{}' from generate_series(1, 10000) n
      union all select 'later-' || n, 1, 'x', 9007199254740991, '{}' from generate_series(1, 5000) n`)
    const takers = await Promise.all(Array.from({ length: 8 }, startTaker))
    const taken = await Promise.all(takers.map(take => take()))
    const keys = taken.flat()
    expect(keys).toHaveLength(10_000)
    expect(new Set(keys).size).toBe(10_000)
    expect(keys.filter(key => !key.startsWith('due-'))).toEqual([])
    // Otherwise they did not take at once, and nothing was tested.
    expect(taken.filter(each => each.length > 0).length).toBeGreaterThan(1)
    const { rows } = await ground.admin.query(`select distinct version from "${ground.schema}".documents`)
    expect(rows).toEqual([{ version: '1' }])
  })
})
