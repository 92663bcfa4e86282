/** The file of the store is deleted or replaced while a till works on it, as by `rm`, `mv` or a script that restores a backup. */
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createFakeGateway } from '@tillkit/testing'
import { expect, it, onTestFinished } from 'vitest'
import { createTill } from '../../src/index.js'
import { sqliteStore } from '../../src/sqlite.js'
import { basket } from '../till/shop.js'

const remove = (folder: string, ending: RegExp) => {
  for (const name of readdirSync(folder)) if (ending.test(name)) rmSync(join(folder, name))
}

it.each([
  ['the file and its parts are deleted', (folder: string) => remove(folder, /^shop\.db/)],
  ['the file alone is deleted', (folder: string) => remove(folder, /^shop\.db$/)],
  ['its log of writes is deleted', (folder: string) => remove(folder, /-wal$/)],
  ['a backup is moved over it', (folder: string) => renameSync(join(folder, 'backup'), join(folder, 'shop.db'))],
])('sqliteStore, while %s: nothing is sent, and it says why', async (_how, replace) => {
  const folder = mkdtempSync(join(tmpdir(), 'tillkit-replaced-'))
  const file = join(folder, 'shop.db')
  const gateway = createFakeGateway()
  const store = sqliteStore(file)
  const till = createTill({
    account: gateway.clientOptions,
    store,
    address: 'http://127.0.0.1:1/payments',
    returnTo: () => '/',
    onOutcome: () => undefined,
  })
  onTestFinished(async () => {
    await till.close()
    await store.close()
    await gateway.close()
    rmSync(folder, { recursive: true, force: true })
  })
  await till.pay(basket)
  copyFileSync(file, join(folder, 'backup'))
  replace(folder)
  const error: Error = await till.pay({ ...basket, reference: 'basket-8' }).then(
    () => expect.fail('it was sent'),
    thrown => thrown,
  )
  expect(`${error.message} ${String(error.cause)}`).toMatch(/shop\.db(-wal)? was deleted, moved or replaced/)
  expect(gateway.calls('saleForm')).toHaveLength(1)
  expect(gateway.orders.list().map(({ clientOrderId }) => clientOrderId)).toEqual(['basket-7'])
})

it('sqliteStore, opened by a link to its file: writes, and notices what happens to the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tillkit-replaced-'))
  const file = join(folder, 'shop.db')
  mkdirSync(join(folder, 'current'))
  symlinkSync(file, join(folder, 'current/shop.db'))
  const store = sqliteStore(join(folder, 'current/shop.db'))
  onTestFinished(async () => {
    await store.close()
    rmSync(folder, { recursive: true, force: true })
  })
  const write = (id: string) => store.write(`payment/${id}`, { body: '{}', due: null, list: null }, { id })
  expect(await write('1')).toMatchObject({ kind: 'written' })
  remove(folder, /^shop\.db$/)
  await expect(write('2')).rejects.toThrow('was deleted, moved or replaced')
})
