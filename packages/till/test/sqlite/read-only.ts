/** Runs in a process of its own, which may not write to the file that it is given: prints how a read and a write fail. */
import { sqliteStore } from '@tillkit/till/sqlite'

const store = sqliteStore(process.argv[2] ?? '')
const told = (error: { readonly code: string; readonly message: string }) => ({
  code: error.code,
  message: error.message,
})
const read = await store.read('k').catch(told)
const write = await store.write('k', { body: '{}', due: null, list: null }, { after: 'i', id: 'j' }).catch(told)
process.stdout.write(JSON.stringify({ read, write }))
