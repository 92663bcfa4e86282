import { describe, expect, it } from 'vitest'
import { StoreError } from '../store/store.js'
import { isRefusedByServer, isWorthRepeating, NoAnswer, NotSent, readError, sqlState, writeError } from './errors.js'

const serverError = (code: string, more: object = {}) =>
  Object.assign(new Error(`says ${code}`), { code, severity: 'ERROR', ...more })

const write = (error: unknown) => writeError('Writing "a"', error, 'Repeat it.')

describe('writeError', () => {
  it.each([
    ['a refused statement', serverError('23514')],
    ['a serialization failure', serverError('40001')],
    ['a full disk', serverError('53100')],
    ['a cancelled statement', serverError('57014')],
    ['a raised exception', serverError('P0001')],
    ['an error inside of another one, as Drizzle wraps it', new Error('Failed query', { cause: serverError('23514') })],
    ['too many connections', serverError('53300', { severity: 'FATAL' })],
    ['a wrong password', serverError('28P01', { severity: 'FATAL' })],
    ['a server that still starts', serverError('57P03', { severity: 'FATAL' })],
    ['no connection', new NotSent('There was no connection', { cause: new Error('timeout') })],
    [
      'a refused connect',
      Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED', syscall: 'connect' }),
    ],
    ['an unknown host', Object.assign(new Error('ENOTFOUND'), { code: 'ENOTFOUND', syscall: 'getaddrinfo' })],
  ])('says that nothing was written after %s', (_, error) => {
    expect(write(error)).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_REFUSED', cause: error })
    expect(write(error).message).toMatch(/^Writing "a" failed; nothing was written\. PostgreSQL: /)
  })

  it.each([
    ['a reset line', Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' })],
    ['a broken pipe, whose code has five letters', Object.assign(new Error('write EPIPE'), { code: 'EPIPE' })],
    ['a code of Prisma, which has five characters', Object.assign(new Error('Raw query failed'), { code: 'P2010' })],
    ['an error without a code', new Error('Connection terminated unexpectedly')],
    ['something that is no error', 'lost'],
    ['silence', new NoAnswer('There was no answer within 5 ms.')],
    ['a connection failure', serverError('08006')],
    ['an unknown resolution', serverError('08007')],
    ['an unknown completion', serverError('40003')],
    ['a shutdown, which may come after the commit', serverError('57P01', { severity: 'FATAL' })],
    ['a shutdown whose severity is in another language', serverError('57P01', { severity: 'SCHWERWIEGEND' })],
    ['a crash of another session', serverError('57P02')],
    ['a transaction that waited too long, in another language', serverError('25P03', { severity: 'SCHWERWIEGEND' })],
    ['an end of the session for any other reason', serverError('XX000', { severity: 'FATAL' })],
    ['a panic', serverError('58030', { severity: 'PANIC' })],
  ])('says that it is unknown after %s', (_, error) => {
    expect(write(error)).toMatchObject({ name: 'StoreError', code: 'ERR_STORE_UNKNOWN', cause: error })
    expect(write(error).message).toMatch(
      /^Writing "a" got no answer; it may have happened, now or a moment later\. Repeat it\. /,
    )
  })

  it.each(['42P01', '3F000', '42703'])('names migrate where the tables are gone, %s', code => {
    expect(write(serverError(code))).toMatchObject({ code: 'ERR_STORE_SCHEMA' })
    expect(write(serverError(code)).message).toContain('Run migrate(pool) of @tillkit/till/postgres')
  })

  it.each([
    ['25006', 'This server is a read-only standby: connect to the primary.'],
    ['53100', 'The disk of the server is full.'],
    ['42501', 'Grant the role usage on the schema, and select, insert and update on its tables.'],
    ['22P05', 'The database must have the encoding UTF8.'],
    ['XX001', 'SQLSTATE XX001.'],
  ])('says what to do after %s', (code, hint) => {
    expect(write(serverError(code)).message).toBe(
      `Writing "a" failed; nothing was written. PostgreSQL: says ${code}. ${hint}`,
    )
  })

  it('passes on what is said already', () => {
    const error = new StoreError('ERR_STORE_CLOSED', 'closed')
    expect(write(error)).toBe(error)
  })
})

describe('readError', () => {
  it('is unreadable, whatever the reason', () => {
    for (const error of [serverError('57P01'), serverError('53100'), new Error('Connection terminated')]) {
      expect(readError('Reading "a"', error)).toMatchObject({ code: 'ERR_STORE_UNREADABLE', cause: error })
    }
    expect(readError('Reading "a"', serverError('42P01')).code).toBe('ERR_STORE_SCHEMA')
  })
})

describe('sqlState', () => {
  it('finds the code of the server in what drivers make of its errors', () => {
    expect(sqlState(serverError('40P01'))).toBe('40P01')
    expect(sqlState(new Error('a', { cause: new Error('b', { cause: serverError('F0001') }) }))).toBe('F0001')
  })

  it('ends on an error that is its own cause', () => {
    const error = new Error('round')
    error.cause = error
    expect(sqlState(error)).toBeUndefined()
    expect(write(error).code).toBe('ERR_STORE_UNKNOWN')
  })
})

describe('what is done about an error', () => {
  it('repeats serialization failures and deadlocks only', () => {
    const repeated = ['40001', '40P01', '40003', '23505', '57P01'].filter(code => isWorthRepeating(serverError(code)))
    expect(repeated).toEqual(['40001', '40P01'])
  })

  it('takes only what the server said in a session that goes on for a refusal', () => {
    expect(isRefusedByServer(serverError('23514'))).toBe(true)
    expect(isRefusedByServer(serverError('57P01'))).toBe(false)
    expect(isRefusedByServer(new NotSent('There was no connection', { cause: serverError('53300') }))).toBe(false)
    expect(isRefusedByServer(new Error('Connection terminated'))).toBe(false)
  })
})
