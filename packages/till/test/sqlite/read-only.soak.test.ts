import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { boundRoot } from '../bound-root.js'
import { commandOf, entry, freshFile, openStore, run } from './ground.js'

const bound = async (file: string) => [...boundRoot, ...(await commandOf('read-only.ts', file))]

describe('a file that may not be written', () => {
  it('refuses writes and reads, for WAL needs files beside it, and names the file', async () => {
    const file = freshFile()
    const store = openStore(file)
    await store.write('k', entry('{}'), { id: 'i' })
    await store.close()
    chmodSync(dirname(file), 0o555)
    chmodSync(file, 0o444)
    const { output, errors } = await run(await bound(file))
    chmodSync(dirname(file), 0o755)
    expect(errors).toBe('')
    const cure = `this process may not write to ${file} or its directory. Give it the right to write to both.`
    expect(JSON.parse(output)).toEqual({
      read: { code: 'ERR_STORE_UNREADABLE', message: `The read of "k" read nothing: ${cure}` },
      write: { code: 'ERR_STORE_REFUSED', message: `The write of "k" wrote nothing: ${cure}` },
    })
  })

  it('refuses to make a file, and names the directory', async () => {
    const file = freshFile()
    chmodSync(dirname(file), 0o555)
    const { output } = await run(await bound(file))
    chmodSync(dirname(file), 0o755)
    expect(JSON.parse(output).write.message).toBe(
      `The write of "k" wrote nothing: this process may not write to the directory ${dirname(file)}. Give it the right to, or name a file elsewhere.`,
    )
  })
})
