import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { quote } from '@tillkit/protocol'
import { StoreError } from '../store/store.js'
import type { Failure, Job } from './worker/jobs.js'

/** The request that the file was to serve, for the first words of an error. */
export interface Undertaking extends Pick<Job, 'kind'> {
  /** As the subject of a sentence, such as `The write of "shop/7"`. */
  readonly what: string
  /** How to learn whether it was written, where that is unknown. */
  readonly cure?: string
}

/** Whether it may change the file. */
export const isWrite = ({ kind }: Pick<Job, 'kind'>): boolean => kind !== 'read' && kind !== 'inspect'

/** Why an undertaking came to nothing. `isBefore`: before anything of it was begun. */
export type Problem =
  | { readonly kind: 'failed'; readonly failure: Failure; readonly isBefore: boolean }
  | { readonly kind: 'ended'; readonly cause: unknown; readonly isBefore: boolean }

/** A problem as the error that the caller gets. */
export function wentWrong(
  { what, kind, cure = 'Repeat it with the same id to learn which.' }: Undertaking,
  problem: Problem,
  file: string,
  lockTimeout: number,
): StoreError {
  const cause = problem.kind === 'ended' ? problem.cause : driverError(problem.failure)
  const reason = problem.kind === 'ended' ? endedOf(problem, file) : reasonOf(problem.failure, file, lockTimeout)
  if (!isWrite({ kind })) return new StoreError('ERR_STORE_UNREADABLE', `${what} read nothing: ${reason}`, { cause })
  const isUnknown = problem.kind === 'ended' || problem.failure.isUnknown
  if (!isUnknown || problem.isBefore) {
    return new StoreError('ERR_STORE_REFUSED', `${what} wrote nothing: ${reason}`, { cause })
  }
  return new StoreError('ERR_STORE_UNKNOWN', `${what} was written or not: ${reason} ${cure}`, { cause })
}

/** The driver's message as an error, with the primary result code in the field that Node.js has for it. */
const driverError = ({ code, message }: Failure): Error =>
  Object.assign(new Error(message), code === undefined ? {} : { errcode: code })

/** A call came after `close()`. */
export function closed(what: string, file: string): StoreError {
  return new StoreError(
    'ERR_STORE_CLOSED',
    `${what} came after close(): nothing was read or written in ${file}. Close the store last, once nothing uses it.`,
  )
}

const endedOf = ({ isBefore }: Problem, file: string): string =>
  isBefore
    ? `the worker thread for ${file} did not start. The cause is attached; the next call tries again.`
    : `the worker thread that has ${file} open ended unexpectedly. The cause is attached; the next call starts another.`

/** The likely cause of a failure and what to do about it, by SQLite's primary result code. */
function reasonOf({ code, message, statement }: Failure, file: string, lockTimeout: number): string {
  // Each driver fails at it in its own way.
  if (isDirectory(file)) return `${file} is a directory. Name a file in it.`
  switch (code) {
    case 5:
      return (
        `another process, or another connection of this one, held the lock of ${file} for more than ${lockTimeout} ms. ` +
        'Keep transactions on this file short, or set "lockTimeout" higher.'
      )
    case 8:
      return `this process may not write to ${file} or its directory. Give it the right to write to both.`
    case 10:
      return `the disk failed under ${file} (${message}). Look into the system's log, and check the disk.`
    case 11:
      return `${file} is damaged (${message}). Stop every process that uses it and restore the last backup.`
    case 13:
      return `the disk is full under ${file}. Free some space; what was written before is safe.`
    case 14:
      return cannotOpen(file)
    case 19:
      return `a statement broke a constraint (${message})${ofHandler(statement)}. Correct the statement, or the rows it is about.`
    case 26:
      return `${file} is not an SQLite database. Check the path; a database is never made over another file.`
    default:
      return `SQLite says: ${message}${ofHandler(statement)}.`
  }
}

function isDirectory(file: string): boolean {
  try {
    return statSync(file).isDirectory()
  } catch {
    return false
  }
}

function cannotOpen(file: string): string {
  const directory = dirname(file)
  if (!existsSync(directory)) return `the directory ${directory} is not there. Create it, or correct the path.`
  try {
    accessSync(directory, constants.W_OK)
  } catch {
    return `this process may not write to the directory ${directory}. Give it the right to, or name a file elsewhere.`
  }
  return `${file} could not be opened. Check that this process may read and write it.`
}

const ofHandler = (statement: string | undefined): string =>
  statement === undefined ? '' : `, in this statement of your handler: ${quote(statement.replace(/\s+/g, ' ').trim())}`
