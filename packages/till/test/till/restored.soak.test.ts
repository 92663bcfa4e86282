/** A backup of a file of SQLite is put back. In memory it is so each day. */
import { backupIsPutBack } from './restored-cases.js'
import { places } from './restored-shop.js'

backupIsPutBack(places.file)
