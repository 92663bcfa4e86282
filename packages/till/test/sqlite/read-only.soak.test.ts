import { chmodSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { commandOf, entry, freshFile, openStore, run } from './ground.js'

describe('a file that may not be written', () => {
  it('refuses writes and reads, for WAL needs files beside it, and names the file', async () => {
    const file = freshFile()
    const store = openStore(file)
    await store.write('k', entry('{}'), { version: 0, id: 'i' })
    await store.close()
    // Another user, where this is root: nothing is read-only for root.
    chmodSync(dirname(file), 0o555)
    chmodSync(file, 0o444)
    const root = process.getuid?.() === 0
    const { output, errors } = await run(await commandOf('read-only.ts', file), root ? { uid: 65_534 } : {})
    chmodSync(dirname(file), 0o755)
    expect(errors).toBe('')
    const cure = `this process may not write to ${file} or its directory. Give it the right to write to both.`
    expect(JSON.parse(output)).toEqual({
      read: { code: 'ERR_STORE_UNREADABLE', message: `The read of "k" read nothing: ${cure}` },
      write: { code: 'ERR_STORE_REFUSED', message: `The write of "k" wrote nothing: ${cure}` },
    })
  })
})
