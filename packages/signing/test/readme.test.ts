/**
 * The examples of the README are compiled with the tests, run here, and print what the README says. The one of docs/signing.md over
 * `fetch` is run against the fake gateway in packages/testing/test/signing-readme.test.ts, since nothing here may use the fake.
 */
import { createHmac } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, describe, expect, it, type Mock, vi } from 'vitest'

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), 'utf8')

const blocksOf = (page: string): string[] => page.match(/(?<=```ts\n).*?(?=```)/gs) ?? []

/** An example as a page shows it. */
const shownOf = async (example: string): Promise<string> =>
  (await read(`readme-${example}.ts`))
    .replace('../src/explain/index.js', '@tillkit/signing/explain')
    .replace('../src/index.js', '@tillkit/signing')

const controlKey = 'B17F59B4-A7DC-41B4-8FF9-37D986B43D20'

describe('the README', () => {
  let log: Mock

  beforeEach(() => {
    log = vi.spyOn(console, 'log').mockReturnValue()
  })

  afterEach(() => {
    log.mockRestore()
    vi.resetModules()
  })

  it('shows the examples that are compiled and run, and no others', async () => {
    const shown = await Promise.all(['sign', 'verify', 'explain'].map(shownOf))
    expect(blocksOf(await read('../README.md'))).toEqual(shown)
  })

  it('leaves the one over fetch to docs/signing.md', async () => {
    expect(blocksOf(await read('../../../docs/signing.md'))).toContain(await shownOf('fetch'))
  })

  it('signs a payout, with the signature that node:crypto makes, in ten lines', async () => {
    await import('./readme-sign.js')
    const [authorization, body] = log.mock.calls[0] as [string, string]
    expect(body).toBe('client_orderid=payout-1&amount=10.00&currency=EUR&order_desc=Anna%27s%20share')
    const value = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(authorization)?.[1] ?? ''
    // Written out by hand from RFC 5849 section 3.4.1; only the nonce and the time differ from run to run.
    const baseString =
      'POST&https%3A%2F%2Fgate.example%2Fpaynet%2Fapi%2Fv2%2Fpayout%2F39&amount%3D10.00%26client_orderid%3Dpayout-1' +
      '%26currency%3DEUR%26oauth_consumer_key%3Dmerchant' +
      `%26oauth_nonce%3D${value('oauth_nonce')}%26oauth_signature_method%3DHMAC-SHA1` +
      `%26oauth_timestamp%3D${value('oauth_timestamp')}%26oauth_version%3D1.0%26order_desc%3DAnna%2527s%2520share`
    const signature = createHmac('sha1', `${controlKey}&`).update(baseString).digest('base64')
    expect(decodeURIComponent(value('oauth_signature'))).toBe(signature)
    expect(
      (await read('readme-sign.ts'))
        .trim()
        .split('\n')
        .filter(line => line !== '').length,
    ).toBeLessThanOrEqual(10)
  })

  it('verifies one, and says what is wrong with another', async () => {
    await import('./readme-sign.js')
    const [authorization, body] = log.mock.calls[0] as [string, string]
    const { isOurs } = await import('./readme-verify.js')
    const url = new URL('https://gate.example/paynet/api/v2/payout/39')
    expect(await isOurs(url, body, authorization)).toBe(true)
    expect(log).toHaveBeenLastCalledWith('since May')
    expect(await isOurs(url, body.replace('10.00', '99.00'), authorization)).toBe(false)
    expect(log).toHaveBeenLastCalledWith(expect.stringContaining('does not match'))
  })

  it('finds out why values differ, and prints what the comments say', async () => {
    await import('./readme-explain.js')
    const [value, control, signature] = log.mock.calls.map(line => line.join(' '))
    expect(value).toBe('c6bdd88a78834ef4b863b088827a459f039e8257')
    expect(control).toContain('amount: the value was made over "10.42"; it must be made over "1042"')
    expect(signature).toBe('false scheme')
  })
})
