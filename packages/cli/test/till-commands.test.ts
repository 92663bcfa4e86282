/** `tillkit payment`, `report`, `decide` and `store migrate`, on a store of SQLite. */
import { copyFile, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { assertNoSecrets, type FakeGateway, signedCallback, testControlKey } from '@tillkit/testing'
import { StoreError } from '@tillkit/till'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { load } from '../src/till/open-store.js'
import { hourAgo, openTill, sale, secrets, startMerchant } from './merchant.js'
import { runInProcess } from './run-in-process.js'
import { endCommands, runToEnd } from './start-command.js'

let folder: string
let file: string
let gateway: FakeGateway
let env: NodeJS.ProcessEnv
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tillkit till '))
  file = join(folder, 'shop.db')
  ;({ gateway, env } = await startMerchant())
})
afterEach(async () => {
  await endCommands()
  await gateway.close()
  await rm(folder, { recursive: true, force: true })
})

async function run(...words: readonly string[]) {
  const ended = await runToEnd([...words], { env: { ...env, TILLKIT_STORE: file } })
  assertNoSecrets(`${ended.stdout}${ended.stderr}`, secrets)
  return ended
}

const openShop = (clock?: () => number) => openTill(file, env, clock)

/** A store with its tables, made once: opening one costs more than the rest of such a test. */
let made: Promise<string> | undefined
const makeStore = async (): Promise<string> => {
  const path = join(await mkdtemp(join(tmpdir(), 'tillkit till ')), 'made.db')
  expect((await runToEnd(['store', 'migrate'], { env: { TILLKIT_STORE: path } })).code).toBe(0)
  return path
}
async function emptyStore(): Promise<void> {
  made ??= makeStore()
  await copyFile(await made, file)
}
afterAll(async () => {
  if (made !== undefined) await rm(dirname(await made), { recursive: true })
})

/** Works on the file of the store by other means than a till. */
async function inFile(statements: readonly string[]): Promise<void> {
  const { default: Database } = await import('libsql')
  const database = new Database(file)
  for (const statement of statements) database.exec(statement)
  database.close()
}

const payout = { reference: 'payout-7', amount: '10.00', currency: 'EUR', accountNumber: 'NL91ABNA0417164300' }

/** Sends a payout that never gets to the gateway, and is not answered. */
async function loseOne(): Promise<void> {
  const { till, close } = openShop(hourAgo)
  gateway.faults.arm('drop')
  await till.payout(payout)
  await close()
}

describe('tillkit payment', () => {
  it('shows what happened, on 80 columns or as JSON, for the shop of a settings file as well, and asks no gateway', async () => {
    const { till, close } = openShop()
    await till.payout(payout)
    await close()
    const before = gateway.calls().length
    const { code, stdout, stderr } = await run('payment', 'payout-7')
    expect([code, stderr]).toEqual([0, ''])
    expect(stdout).toMatch(/^payout-7: \w+, 10\.00 EUR\n/)
    expect(stdout).toContain('What happened (UTC):\n')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    expect(gateway.calls()).toHaveLength(before)
    // As its page shows: the shop comes from a settings file, and the store from the environment.
    const settings = join(folder, 'test.env')
    const { TILLKIT_BASE_URL, TILLKIT_CONTROL_KEY } = env
    const lines = { TILLKIT_BASE_URL, TILLKIT_CONTROL_KEY, TILLKIT_LOGIN: 'merchant', TILLKIT_ENDPOINT_ID: '39' }
    const written = Object.entries(lines).map(([name, value]) => `${name}=${value}\n`)
    await writeFile(settings, written.join(''))
    const words = ['payment', 'payout-7', '--json', '--settings', settings]
    const asJson = await runToEnd(words, { env: { TILLKIT_STORE: file } })
    expect([asJson.code, JSON.parse(asJson.stdout)]).toMatchObject([
      0,
      { payment: { reference: 'payout-7', amount: '10.00' }, questions: [] },
    ])
  })

  it('says that there is no such payment, and no such store', async () => {
    await emptyStore()
    const said = `tillkit: There is no payment "none" in the store ${file}. The store has no payment at all`
    expect(await run('payment', 'none')).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining(said) })
    const asJson = await run('payment', 'none', '--json')
    expect(asJson).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
    expect(JSON.parse(asJson.stdout)).toMatchObject({ payment: { state: 'new', orders: [] }, questions: [] })
    expect(await run('payment', 'none', '--store', join(folder, 'other.db'))).toMatchObject({
      code: 2,
      stderr: `tillkit: There is no store at ${join(folder, 'other.db')}.\n`,
    })
    await expect(stat(join(folder, 'other.db'))).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('needs the store alone: no address, no key, and no login where one till only has such a payment', async () => {
    const { till, close } = openShop()
    await till.payout(payout)
    await close()
    const alone = (...words: string[]) => runToEnd(['payment', ...words], { env: { TILLKIT_STORE: file } })
    expect(await alone('payout-7')).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^payout-7: \w+, 10\.00 EUR\n {2}Order/),
    })
    expect((await alone('payout-7', '--name', 'till')).stdout).not.toContain('Till ')
    const said = 'There is no payment "payout-7" of the till "tea" in the store'
    expect(await alone('payout-7', '--name', 'tea')).toMatchObject({ code: 1, stderr: expect.stringContaining(said) })
    expect((await alone('payout-7', '--name', 'tea')).stderr).toContain('has payments of the till "till", and none')
    const tea = openTill(file, env, undefined, 'tea')
    await tea.till.payout(payout)
    await tea.close()
    expect(await alone('payout-7')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"tea" (test), "till" (test). Say which one is meant'),
    })
    expect(await alone('payout-7', '--name', 'tea')).toMatchObject({ code: 0 })
  })
})

const ada = ['--who', 'ada', '--why', 'ticket 4711'] as const
const fields = ['amount=10.00', 'currency=EUR', 'accountNumber=NL91ABNA0417164300'].flatMap(each => ['--field', each])

describe('a store of two tills with three hundred payments each', () => {
  /** Runs the command, and counts the documents that its lists hand out. */
  async function counted(words: readonly string[], environment: NodeJS.ProcessEnv) {
    const sqlite = await import('@tillkit/till/sqlite')
    let listed = 0
    const sqliteStore = (path: string) => {
      const store = sqlite.sqliteStore(path)
      const list = async (options: Parameters<typeof store.list>[0]) => {
        const page = await store.list(options)
        listed += page.items.length
        return page
      }
      return { ...store, list }
    }
    const packages = {
      '@tillkit/till': await import('@tillkit/till'),
      '@tillkit/till/sqlite': { ...sqlite, sqliteStore },
    }
    const ended = await runInProcess(words, { environment, packages })
    return { ...ended, listed }
  }

  // documentKey: payment/<environment>/<name>/<reference>. There are two names, and one look behind the last of them.
  it('payment and return learn the names from a document of each', async () => {
    const tea = openTill(file, env, undefined, 'tea/green')
    await tea.till.payout(payout)
    await tea.close()
    await inFile(
      ['tea%2Fgreen', 'till'].map(
        name => `insert into tillkit_documents (key, version, write_id, list, since, due, body)
          with recursive count(n) as (select 1 union all select n + 1 from count where n < 300)
          select 'payment/test/${name}/basket-' || n, version, write_id, null, null, null, body
          from count, tillkit_documents where key = 'payment/test/tea%2Fgreen/payout-7'`,
      ),
    )
    const shown = await counted(['payment', 'payout-7'], { TILLKIT_STORE: file })
    expect(shown).toMatchObject({ code: 0, said: expect.stringContaining('  Till      tea/green\n'), listed: 2 })
    const words = ['return', 'none', ...ada]
    const environment = { ...env, TILLKIT_STORE: file }
    const missing = await counted(words, environment)
    expect(missing).toMatchObject({ code: 1, complaint: expect.stringContaining('of the till "till"'), listed: 4 })
    const other = await counted([...words, '--name', 'coffee'], environment)
    const said = 'has payments of the till "tea/green", "till", and none of "coffee"'
    expect(other).toMatchObject({ code: 2, complaint: expect.stringContaining(said), listed: 2 })
  })
})

describe('tillkit pay-out, return, capture and void', () => {
  /** A sale that is paid, or a hold, in the store of the shop. */
  async function paidBasket(processingTime = 60_000, hold = false): Promise<void> {
    const { till, close } = openShop()
    await till.pay({ reference: 'basket-7', ...sale, hold, clientOrderId: undefined } as never)
    await gateway.clock.advance(processingTime)
    await till.ask('basket-7')
    await close()
  }
  const booked = () => gateway.orders.find('basket-7')?.stages.map(({ stage, amount }) => `${stage} ${amount}`)

  it('pay-out sends money once, and keeps who wanted it and why', async () => {
    await emptyStore()
    gateway.outcomes.plan({ outcome: 'approved', times: 9 })
    const words = ['pay-out', 'payout-7', ...fields, ...ada]
    const first = await run(...words)
    expect(first).toMatchObject({ code: 0, stdout: 'It is over: payment payout-7 is sent now.\n', stderr: '' })
    await run(...words)
    expect((await run(...words, '--checked')).stderr).toContain('Ask for it without --checked.')
    expect([gateway.calls('payoutV4').length, gateway.orders.list().length]).toEqual([1, 1])
    const shown = await run('payment', 'payout-7')
    expect(shown.stdout.replace(/\s+/g, ' ')).toContain(
      'a payout over 10.00 EUR to account NL91***4300. ada wanted it: "ticket 4711".',
    )
  })

  it('return gives money back once, a part and then the rest, although it is typed twice', async () => {
    await paidBasket()
    const part = ['return', 'basket-7', '--amount', '3.00', '--key', 'cup', ...ada]
    expect(await run(...part)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(
        /^It is over: the money went back\. Payment basket-7: 3\.00 EUR returned so far,\s7\.42 EUR left to return\.\n$/,
      ),
    })
    expect(await run(...part)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/was sent before, and nothing was sent now\. It is over: the\smoney\swent back\./),
    })
    // Another part is declined: that says nothing of this one.
    gateway.outcomes.plan({ outcome: 'declined', operation: 'return' })
    expect((await run('return', 'basket-7', '--amount', '2.00', '--key', 'plate', ...ada)).code).toBe(1)
    expect(await run(...part)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('was sent before, and nothing was sent now'),
    })
    expect((await run('return', 'basket-7', ...ada)).code).toBe(0)
    const amounts = gateway.calls('return').map(({ fields: sent }) => Object.fromEntries(sent).amount)
    expect(amounts).toEqual(['3.00', '2.00', '7.42'])
    expect(await run('capture', 'basket-7', ...ada)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('is not possible'),
    })
  })

  // Interface specification, section 7: what a refused request does is in the books of the gateway.
  it('return after a wrong control key is typed again as it was, and gives the money back once', async () => {
    await paidBasket()
    const wrong = { ...env, TILLKIT_STORE: file, TILLKIT_CONTROL_KEY: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' }
    for (const words of [
      ['return', 'basket-7', '--amount', '3.00', '--key', 'cup', ...ada],
      ['return', 'basket-7', ...ada],
    ]) {
      const refused = await runToEnd(words, { env: wrong })
      expect(refused).toMatchObject({ code: 1, stdout: '' })
      expect(refused.stderr).toMatch(/"tillkit check" says which is wrong\. The gateway did nothing\. .* same command/)
      expect((await run(...words)).stdout).toMatch(/^It is over: /)
    }
    expect(booked()).toEqual(['sale 10.42', 'reversal 3.00', 'reversal 7.42'])
  })

  it('return says what the gateway has answered though nothing can be read or written any more once its request has left', async () => {
    await paidBasket()
    const sqlite = await import('@tillkit/till/sqlite')
    const sqliteStore = (path: string) => {
      const store = sqlite.sqliteStore(path)
      const lost = () => Promise.reject(new StoreError('ERR_STORE_CLOSED', 'The disk is gone.'))
      const isGone = () => gateway.calls('return').length > 0
      return {
        ...store,
        read: (key: string) => (isGone() ? lost() : store.read(key)),
        write: (...given: Parameters<typeof store.write>) => (isGone() ? lost() : store.write(...given)),
      }
    }
    const packages = {
      '@tillkit/till': await import('@tillkit/till'),
      '@tillkit/till/sqlite': { ...sqlite, sqliteStore },
    }
    const words = ['return', 'basket-7', '--amount', '3.00', '--key', 'cup', ...ada]
    const ended = await runInProcess(words, { environment: { ...env, TILLKIT_STORE: file }, packages })
    expect(ended).toMatchObject({ code: 4, said: expect.stringContaining('The gateway has taken it') })
    expect((await run(...words)).stdout).toContain('was sent before, and nothing was sent now')
    expect(booked()).toEqual(['sale 10.42', 'reversal 3.00'])
  })

  it('payment says why totals are not certain after somebody else’s return, and what to type', async () => {
    await paidBasket()
    const { orderId = '' } = gateway.orders.find('basket-7') ?? {}
    gateway.act({ action: 'reverse', orderId, amount: '3.00' })
    const { till, close } = openShop()
    await till.ask('basket-7')
    await close()
    const { stdout } = await run('payment', 'basket-7')
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
    const next = `tillkit status basket-7 --order-id ${orderId}`
    expect(stdout.replace(/\s+/g, ' ')).toMatch(
      new RegExp(
        `Totals not certain\\. Status shows the return over 3\\.00 EUR, and no request .* Status says: ${next} `,
      ),
    )
    const asked = await run(...next.split(' ').slice(1))
    expect(asked).toMatchObject({ code: 0, stdout: expect.stringContaining('3.00 EUR') })
    const refused = await run('return', 'basket-7', ...ada)
    expect(refused).toMatchObject({ code: 1, stdout: '' })
    expect(refused.stderr).toMatch(/at the gateway’s screens.* Name a part with --amount and --key\..*"tillkit payment/)
    await run('return', 'basket-7', '--amount', '2.00', '--key', 'cup', ...ada)
    expect(booked()).toEqual(['sale 10.42', 'reversal 3.00', 'reversal 2.00'])
  })

  it('payment and report name what is under way, and what the handler was not told yet', async () => {
    await gateway.close()
    ;({ gateway, env } = await startMerchant({ processingTime: 3_600_000 }))
    await paidBasket(3_600_000)
    const part = (amount: string, key: string) => run('return', 'basket-7', '--amount', amount, '--key', key, ...ada)
    expect(await part('3.00', 'cup')).toMatchObject({ code: 4 })
    const shown = async (...words: string[]) => (await run(...words)).stdout.replace(/\s+/g, ' ')
    const ends = 'once status shows how: a process of the shop asks by itself.'
    expect(await shown('payment', 'basket-7')).toContain(
      `Under way return of 3.00 EUR, the gateway has it. It ends ${ends}`,
    )
    expect(await shown('report')).toContain(`Under way. Each ends ${ends} basket-7: return of 3.00 EUR`)
    await gateway.clock.advance(3_600_000)
    // Asking about the next part shows how the first one ended: this command tells no handler.
    await part('2.00', 'plate')
    const tells = 'A process of the shop tells its handler: is one running?'
    expect(await shown('payment', 'basket-7')).toContain(`Not told return of 3.00 EUR, approved. ${tells}`)
    expect(await shown('report')).toContain(`Not told yet: 1. ${tells} basket-7: return of 3.00 EUR`)
    expect(booked()).toEqual(['sale 10.42', 'reversal 3.00', 'reversal 2.00'])
    const shop = openShop()
    await shop.till.tick()
    await shop.close()
    expect(shop.told).toEqual(['returned'])
    expect(await shown('payment', 'basket-7')).not.toContain('Not told')
  })

  it('void says after a wrong control key that it may be typed again, and what checks the key', async () => {
    await paidBasket(60_000, true)
    const wrong = { ...env, TILLKIT_STORE: file, TILLKIT_CONTROL_KEY: 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20' }
    const words = ['void', 'basket-7', ...ada]
    expect((await runToEnd(words, { env: wrong })).stderr).toContain('the same command may be typed again')
    // Of a whole, status must show first that nothing was done: with the wrong key it cannot be asked.
    const { code, stderr } = await runToEnd(words, { env: wrong })
    expect([code, stderr]).toEqual([1, expect.stringMatching(/with --amount and --key\. "tillkit check" says whether/)])
    expect(booked()).toEqual(['preauth 10.42'])
    expect((await run(...words)).stdout).toMatch(/^It is over: payment basket-7 is released/)
    expect(booked()).toEqual(['preauth 10.42', 'void 10.42'])
  })

  it('return calls its fields by their options', async () => {
    await paidBasket()
    const words = ['return', 'basket-7', '--amount', '3', '--key', 'cup', ...ada]
    expect(await run(...words)).toMatchObject({ code: 2, stderr: expect.stringContaining('--amount is "3"; it must') })
    const nothing = await run(...words.map(each => (each === '3' ? '0.00' : each)))
    expect(nothing).toMatchObject({ code: 2, stderr: expect.stringContaining('Leave --amount and --key out') })
  })

  // Interface specification, section 4: a change has no order id of its own, so status finds it by its serial number.
  it('payment suggests for a return that was not answered what decide takes, with the settings that it needs', async () => {
    await paidBasket()
    const { till, close } = openTill(file, env, hourAgo)
    gateway.faults.arm({ fault: 'drop', operation: 'return' })
    await till.return('basket-7', { amount: '3.00', key: 'cup' })
    await close()
    const { stdout } = await runToEnd(['payment', 'basket-7', '--store', file], { env: {} })
    const words = `--store '${file}' --settings … --who … --why …`
    expect(stdout).toContain('To decide: the return of 3.00 EUR, sent at ')
    expect(stdout).toContain(`  tillkit decide basket-7 arrived --serial-number … ${words}\n`)
    expect((await run('payment', 'basket-7')).stdout).toContain(
      '  tillkit decide basket-7 arrived --serial-number … --who … --why …\n',
    )
    expect((await run('report')).stdout).toContain('  basket-7: return of 3.00 EUR, ')
  })

  it.each(['return', 'void'])('%s of a payment that is not there says so, and what to look at', async name => {
    await paidBasket()
    const { code, stderr } = await run(name, 'basket-8', ...ada, '--store', file)
    expect(code).toBe(1)
    expect(stderr).toContain(`tillkit: There is no payment "basket-8" of the till "till" in the store ${file}. Check`)
    expect(stderr).toContain(`"tillkit report --store '${file}'" lists`)
  })

  it('names the command that helps where a request did not leave', async () => {
    await paidBasket()
    const nowhere = { ...env, TILLKIT_STORE: file, TILLKIT_BASE_URL: 'http://127.0.0.1:9/paynet' }
    const ended = await runToEnd(['return', 'basket-7', ...ada], { env: nowhere })
    expect(ended).toMatchObject({ code: 1, stderr: expect.stringContaining('"tillkit check" says what is wrong') })
    expect(booked()).toEqual(['sale 10.42'])
  })

  // Interface specification, section 4: what was sent now is in the books of the gateway, which had nothing of it before.
  it.each([
    ['pay-out', ['payout-7', ...fields], ['payout 10.00']],
    ['return', ['basket-7'], ['reversal 10.42']],
  ])('%s says that it was sent now, where the try before did not leave', async (name, about, added) => {
    await paidBasket(60_000, name === 'capture' || name === 'void')
    const all = () => gateway.orders.list().flatMap(({ stages }) => stages.map(each => `${each.stage} ${each.amount}`))
    const before = all()
    const nowhere = { ...env, TILLKIT_STORE: file, TILLKIT_BASE_URL: 'http://127.0.0.1:9/paynet' }
    const words = [name, ...about, ...ada]
    expect(await runToEnd(words, { env: nowhere })).toMatchObject({ code: 1, stdout: '' })
    expect(all()).toEqual(before)
    expect(await run(...words)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^It is over: /) })
    expect(all().slice(before.length)).toEqual(added)
  })

  it.each([
    ['pay-out', 'payoutV4', ['payout-7', ...fields]],
    ['return', 'return', ['basket-7']],
  ])('%s says that the gateway declined it', async (name, operation, words) => {
    await paidBasket()
    gateway.outcomes.plan({ outcome: 'declined', operation })
    const ended = await run(name, ...words, ...ada)
    expect(ended.code).toBe(1)
    expect(ended.stdout.replace(/\s+/g, ' ')).toMatch(
      /^The gateway declined it: \w+, code \d+\. Payment .* shows what happened\. $/,
    )
  })

  it('pay-out sends nothing for a till of another name than the shop, and nothing twice to another recipient', async () => {
    const { till, close } = openShop()
    await till.payout(payout)
    await close()
    const words = ['pay-out', 'payout-7', ...fields, ...ada]
    const other = await run(...words, '--name', 'tea')
    expect(other).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has payments of the till "till", and none of "tea"'),
    })
    const again = await run('pay-out', 'payout-7', ...fields.map(each => each.replace('NL91', 'NL02')), ...ada)
    expect(again).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('to another recipient (account NL91***4300)'),
    })
    const same = await run(...words)
    expect(same).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('was sent before, and nothing was sent now'),
    })
    expect(gateway.orders.list()).toHaveLength(1)
  })

  // The codes are those of docs/command.md: 0 says that the money was sent, and 4 that a request has not ended.
  it('pay-out --checked says that nothing was sent yet, and the same again sends the money', async () => {
    await emptyStore()
    const words = ['pay-out', 'payout-7', '--checked', ...fields, ...ada]
    expect(await run(...words)).toMatchObject({
      code: 6,
      stdout: expect.stringMatching(/^The recipient is right, and nothing/),
    })
    expect(gateway.calls('payoutPay')).toHaveLength(0)
    const dearer = words.map(each => each.replace('10.00', '13.00'))
    expect((await run(...dearer)).stderr).toContain(
      'had its recipient checked for a payout over 10.00, and not over the 13.00 asked for now.',
    )
    const unchecked = await run(...words.filter(each => each !== '--checked'))
    expect(unchecked).toMatchObject({ code: 1, stderr: expect.stringContaining('Ask for it with --checked.') })
    expect(await run(...words)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^It is over: payment payout-7 is sent now/),
    })
    expect(gateway.calls('payoutPay')).toHaveLength(1)
  })

  it.each([
    ['return', ['amount=3.00', 'currency=EUR'], 'return'],
    ['payoutPay', [], 'pay-out'],
  ])('call %s is refused beside a store, which would hear nothing of it', async (operation, more, command) => {
    const words = ['clientOrderId=basket-7', 'orderId=1', ...more].flatMap(each => ['--field', each])
    const said = `Use "tillkit ${command} <reference>`
    expect(await run('call', operation, ...words)).toMatchObject({ code: 2, stderr: expect.stringContaining(said) })
    expect(gateway.calls()).toEqual([])
  })

  it.each([
    [['return', 'basket-7', '--who', 'ada'], '--why is missing'],
    [['void', 'basket-7'], '--who and --why are missing'],
    [['return', 'basket-7', '--who', 'a\nb', '--why', 'x'], '--who has a line break'],
    [['return', 'basket-7', '--amount', '3.00', ...ada], '--amount and --key go together'],
    [['return', 'basket-7', '--amount', '3.00', '--key', ' cup', ...ada], '--key is your name of the part'],
    [['pay-out', 'payout-7', '--field', 'currency=EUR', ...ada], 'The payout was not sent'],
    [['pay-out', 'payout-7', ...fields.slice(0, 4), ...ada], 'it has no recipient'],
    [
      ['pay-out', 'payout-7', ...fields.slice(0, 4), '--field', 'acountNumber=NL91ABNA0417164300', ...ada],
      'Did you mean accountNumber?',
    ],
    [['pay-out', 'payout-7', ...fields.slice(0, 5), `accountNumber=${'7'.repeat(40)}`, ...ada], 'file of --profile'],
    [['pay-out', 'payout-7', ...fields, '--field', 'reference=b', ...ada], 'reference is no field of a payout'],
  ])('%j says what is missing, and sends nothing', async (words, said) => {
    await emptyStore()
    expect(await run(...words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(said) })
    expect(gateway.calls()).toEqual([])
  })
})

describe('tillkit report and decide', () => {
  it('report what was not answered, and write down what a person decides, once', async () => {
    await loseOne()
    const report = await run('report')
    expect(report.code).toBe(1)
    expect(report.stdout).toContain(
      'Requests were not answered: 1\n  payout-7: payout of 10.00 EUR, 1 h old\n    tillkit payment payout-7\n',
    )
    const settings = join(folder, 'shop.env')
    await writeFile(settings, `TILLKIT_STORE=${file}\n`)
    const named = await runToEnd(['report', '--settings', settings], { env: {} })
    expect(named.stdout).toContain(`    tillkit payment payout-7 --settings '${settings}'\n`)
    const shown = await run('payment', 'payout-7')
    expect(shown.stdout).toContain('payout-7: unknown, 10.00 EUR')
    expect(shown.stdout).toContain('tillkit decide payout-7 failed --who … --why …')
    expect(shown.stdout).toContain('tillkit decide payout-7 arrived --order-id … --who … --why …')
    expect(shown.stdout).toContain('To decide: the payout of 10.00 EUR, sent at ')
    const words = [
      'decide',
      'payout-7',
      'failed',
      '--who',
      'ada',
      '--why',
      'ticket 4711: the gateway has no such order',
    ]
    const decided = await run(...words)
    expect(decided).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Written down\. The payment is \w+ now\.\n$/),
    })
    expect(await run(...words, '--json')).toMatchObject({ code: 0, stdout: expect.stringContaining('"again":true') })
    const after = (await run('payment', 'payout-7')).stdout.replace(/\s+/g, ' ')
    expect(after.match(/ticket 4711/g)).toHaveLength(1)
    expect(after).toMatch(
      /ada decided that the payout .+ So the till goes by it that the payout over 10\.00 EUR .+ did nothing/,
    )
    expect(await run('report')).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing needs attention.') })
  })

  // docs/looking-after-the-till.md, the table of the lists: act when one is older than ten minutes.
  it('report calls for attention where the handler was not told for more than ten minutes', async () => {
    await emptyStore()
    await run('pay-out', 'payout-7', ...fields, ...ada)
    const reportAfter = (minutes: number) =>
      runToEnd(['report'], { env: { TILLKIT_STORE: file }, clock: () => Date.now() + minutes * 60_000 })
    const young = await reportAfter(9)
    expect(young).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Nothing needs attention\.\n\nNot told/) })
    const old = await reportAfter(3 * 24 * 60)
    expect(old).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Not told yet: 1\. A process/) })
    // A busy machine takes seconds meanwhile.
    expect(old.stdout).toMatch(/^ {2}payout-7: payout of 10\.00 EUR, approved, 3 d(?: \d+ s)? old$/m)
  })

  it('report says of a callback that no order stands behind what came, what it means, and what to type', async () => {
    const warned = vi.spyOn(process, 'emitWarning').mockReturnValue()
    onTestFinished(() => warned.mockRestore())
    const shop = openShop()
    const ids = { orderId: '77', clientOrderId: 'elsewhere-7' }
    const callback = signedCallback({ controlKey: testControlKey, status: 'approved', ...ids })
    const request = new Request(callback.url('http://127.0.0.1:9/payments/callback'))
    expect((await shop.till.fetch(request))?.status).toBe(200)
    await shop.close()
    const { code, stdout } = await run('report')
    expect(code).toBe(1)
    expect(stdout).toMatch(
      /\n {2}order elsewhere-7 of account merchant, at the gateway 77: a callback said\n {6}approved on \d{4}-\d\d-\d\d [\d:]{8} UTC\n {4}tillkit status elsewhere-7 --order-id 77\n/,
    )
    expect(stdout.replace(/\s+/g, ' ')).toContain(
      'leaves this list once a program of the shop takes it up with till.adopt',
    )
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  it('report calls for attention where a document cannot be read, and names it', async () => {
    await emptyStore()
    await run('pay-out', 'payout-7', ...fields, ...ada)
    await inFile(["update tillkit_documents set body = '{' where key like 'payment/%'"])
    const { code, stdout } = await run('report')
    expect([code, stdout]).toEqual([1, expect.stringMatching(/^Documents that cannot be read here: 1\. /)])
    expect(stdout).toContain('\n  payment/test/till/payout-7\n')
    expect(JSON.parse((await run('report', '--json')).stdout)).toMatchObject({
      unreadable: ['payment/test/till/payout-7'],
    })
  })

  describe('an outcome that decide learns', () => {
    /** An order that the gateway has, of which no answer and no callback came. */
    async function lostAtGateway(): Promise<void> {
      const { till, close } = openShop(hourAgo)
      gateway.faults.arm({ fault: 'commit-then-drop', operation: 'payout' })
      gateway.faults.arm({ fault: 'callback-never', operation: 'payout' })
      await till.payout(payout)
      await close()
    }
    /** What the command is asked for: status answers it, so that the till learns that the payout was sent. */
    const decide = () => run('decide', 'payout-7', 'failed', '--who', 'ada', '--why', 'a guess')
    const isSent = { code: 1, stdout: expect.stringMatching(/^Refused: [\s\S]*is\ssent\.\n$/) }

    it('decide refuses what status shows otherwise, and leaves the telling to a shop that is down: it is told once when it starts, and no failure is reported meanwhile', async () => {
      await lostAtGateway()
      expect(await decide()).toMatchObject(isSent)
      expect(await run('report')).toMatchObject({
        code: 0,
        stdout: expect.stringContaining('Nothing needs attention.'),
      })
      const shop = openShop()
      await shop.till.start()
      await shop.hasTold
      await shop.close()
      const next = openShop()
      await next.till.tick()
      await next.close()
      expect([shop.told, next.told]).toEqual([['sent'], []])
    })

    it('decide leaves the telling to a shop that runs: it is told once', async () => {
      await lostAtGateway()
      const shop = openShop()
      await shop.till.start()
      expect(await decide()).toMatchObject({ code: 1 })
      await shop.till.tick()
      await shop.hasTold
      expect(await decide()).toMatchObject(isSent)
      await shop.till.tick()
      expect(shop.told).toEqual(['sent'])
      await shop.close()
    })
  })

  it.each([
    [['decide', 'p', 'faild'], 'There is no decision "faild". Did you mean failed?'],
    [
      ['decide', 'p'],
      'Which decision? There are: failed, arrived, settled, give-back, abandon, noted, dismissed, skip. --who and --why are missing too.',
    ],
    [['decide', 'p', 'failed'], '--who and --why are missing: both are kept'],
    [['decide', 'p', 'failed', '--who', 'ada'], '--why is missing'],
    [['report', '--store', 'postgres://u:p@host/db'], '--store takes a file of SQLite.'],
  ])('%j is refused', async (words, text) => {
    expect(await run(...words)).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(text) })
  })

  it('decide refuses fields that do not fit, by the names of its options', async () => {
    await emptyStore()
    for (const [words, text] of [
      [['settled', '--outcome', 'maybe'], 'tillkit: --outcome must be one of approved'],
      [['arrived'], 'tillkit: --order-id is missing: say under which order id'],
      [['failed', '--order-id', '7'], 'tillkit: --order-id is no field of a decision of kind "failed".'],
    ] as const) {
      const { code, stderr } = await run('decide', 'payout-7', ...words, '--who', 'ada', '--why', 'x')
      expect([words, code, stderr]).toEqual([words, 2, expect.stringContaining(text)])
    }
  })

  it('ask for a store, and say what to install', async () => {
    expect(await runToEnd(['report'], { env })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Which store?'),
    })
    // No package has this name: pnpm shows those of the workspace to every folder.
    expect(() => load('tillkit-is-nowhere', { folders: [folder] })).toThrow('npm install tillkit-is-nowhere')
  })
})

describe('tillkit store migrate', () => {
  it('says what it would do, does it, and has nothing to do then', async () => {
    const planned = await run('store', 'migrate', '--dry-run')
    expect(planned).toMatchObject({ code: 0, stdout: expect.stringContaining('Would make it, with the tables') })
    await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' })
    expect(await run('store', 'migrate')).toMatchObject({
      code: 0,
      stdout: `${file}\nMade the file and its tables tillkit_store, tillkit_documents.\n`,
    })
    expect(await run('store', 'migrate', '--json')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing to do'),
    })
  })

  it('looks at a file that is there without changing it, and names the tables that are not its own', async () => {
    await inFile(['create table orders (id text)', 'create table users (id text)'])
    const before = await readFile(file)
    const would =
      'Would make the tables tillkit_store, tillkit_documents in this file. Others there, which it does not touch: orders, users.'
    const planned = await run('store', 'migrate', '--dry-run')
    expect([planned.code, planned.stdout.replace(/\s+/g, ' ')]).toEqual([0, `${file} ${would} `])
    expect(await readFile(file)).toEqual(before)
    expect((await run('store', 'migrate')).stdout).toContain('Made the tables')
    const { code, stdout } = await run('store', 'migrate', '--dry-run', '--json')
    expect([code, JSON.parse(stdout)]).toMatchObject([
      0,
      { done: false, says: expect.stringMatching(/^Nothing to do: .* orders, users\.$/) },
    ])
  })

  it('does not change a byte of a copy that it only looks at', async () => {
    await emptyStore()
    const copy = join(folder, 'copy.db')
    await inFile([`vacuum into '${copy}'`])
    const before = await readFile(copy)
    const looked = await run('store', 'migrate', '--dry-run', '--store', copy)
    expect(looked).toMatchObject({ code: 0, stdout: expect.stringContaining('Nothing to do') })
    expect(await readFile(copy)).toEqual(before)
  })

  it('says of tables of a newer release that it cannot work on them, dry or not', async () => {
    await emptyStore()
    await inFile(['update tillkit_store set version = 2'])
    for (const words of [[], ['--dry-run']]) {
      const { code, stderr } = await run('store', 'migrate', ...words)
      expect([code, stderr]).toEqual([1, expect.stringContaining('has tables of version 2')])
    }
  })

  it.each([
    ['text.db', 'not a database', 'is not an SQLite database'],
    ['none/shop.db', undefined, 'There is no folder'],
  ])('refuses %s, dry or not', async (name, content, problem) => {
    if (content !== undefined) await writeFile(join(folder, name), content.repeat(100))
    for (const words of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await run('store', 'migrate', '--store', join(folder, name), ...words)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain(problem)
    }
  })

  it.each(['report', 'store migrate', 'store migrate --dry-run'])(
    'does not repeat an address of a kind that it does not know: %s',
    async words => {
      const other = { TILLKIT_STORE: 'mysql://shop:open-sesame@db.internal/till' }
      const { code, stdout, stderr } = await runToEnd(words.split(' '), { env: other })
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toContain('an address of a kind that is not known here')
      expect(stderr).not.toContain('open-sesame')
    },
  )

  it('says that a server does not answer, without its password', async () => {
    const words = { env: { TILLKIT_STORE: 'postgres://shop:open-sesame@127.0.0.1:9/shop' } }
    for (const dry of [[], ['--dry-run']]) {
      const { code, stdout, stderr } = await runToEnd(['store', 'migrate', ...dry], words)
      expect([code, stdout]).toEqual([1, ''])
      expect(stderr).toMatch(/ECONNREFUSED.*Is the server up/)
      expect(stderr).not.toContain('open-sesame')
    }
  })
})
