/** Opens a store in another process, for `storeConformance`. */
import { type SqliteStoreOptions, sqliteStore } from '@tillkit/till/sqlite'

export const openStore = ({ file, ...options }: { readonly file: string } & Pick<SqliteStoreOptions, 'driver'>) =>
  sqliteStore(file, options)
