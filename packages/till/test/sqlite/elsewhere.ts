/** Opens a store in another process, for `storeConformance`. */
import { sqliteStore } from '@tillkit/till/sqlite'

export const openStore = ({ file }: { readonly file: string }) => sqliteStore(file)
