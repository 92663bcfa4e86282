/** Runs in a process of its own: writes without waiting for it, and never closes its store. */
import { sqliteStore } from '@tillkit/till/sqlite'

const store = sqliteStore(process.argv[2] ?? '')
store.write('k', { body: '{}', due: null, list: null }, { id: 'i' }).then(
  ({ kind }) => process.stdout.write(kind),
  error => process.stdout.write(error.message),
)
