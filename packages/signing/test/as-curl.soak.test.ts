/** Commands that a shell runs with OpenSSL, judged by the published example and by a public library. */
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { asCurl, readCurl } from '../src/explain/index.js'
import { card, controlKey, form, judge, payout, sale } from './requests-to-write.js'

describe('asCurl', () => {
  /** Runs the commands in a shell in which curl prints what it is given. */
  function run(commands: string, env: Record<string, string> = { CONTROL_KEY: controlKey, CREDIT_CARD_NUMBER: card }) {
    const input = `curl() { printf '%s\\0' "$@"; }\n${commands}\n`
    const { stdout, stderr, status } = spawnSync('sh', {
      input,
      env: { PATH: process.env.PATH ?? '', ...env },
      encoding: 'utf8',
    })
    return { words: stdout.split('\0').slice(0, -1), stderr, status }
  }
  const dataOf = (words: readonly string[]) => words.filter((_word, at) => words[at - 1] === '--data-urlencode')

  it('sends what was sent, with the published control value', () => {
    const { words, stderr } = run(asCurl(sale))
    expect(stderr).toBe('')
    expect(words.slice(0, 3)).toEqual([sale.url.href, '-H', 'Accept: application/vnd.pay+json'])
    const fields = form.map(([name, value]) => `${name}=${value}`)
    expect(dataOf(words)).toEqual([...fields, 'control=c6bdd88a78834ef4b863b088827a459f039e8257'])
  })

  it('signs with HMAC-SHA1, anew each time', () => {
    const headers = [run(asCurl(payout)), run(asCurl(payout))].map(
      ({ words }) => words.find(word => word.startsWith('Authorization: ')) ?? '',
    )
    const judged = headers.map(judge)
    expect(judged.map(({ right }) => right)).toEqual([true, true])
    expect(judged[0]?.signed).toMatchObject({ oauth_consumer_key: 'mer chant', oauth_version: '1.0' })
    expect(judged[0]?.signed.oauth_nonce).not.toBe(judged[1]?.signed.oauth_nonce)
  })

  it('demands the key and what is secret', () => {
    for (const request of [sale, payout]) {
      expect(run(asCurl(request), { CONTROL_KEY: controlKey })).toMatchObject({
        words: [],
        stderr: expect.stringContaining('CREDIT_CARD_NUMBER'),
      })
    }
    expect(asCurl(sale).split('\n')[0]).toBe('# Set CONTROL_KEY, CREDIT_CARD_NUMBER first.')
  })

  // curl(1), --data-urlencode: "name=content" has its content encoded; "name@filename" is read from a file.
  it('names no file, whatever a parameter is called', () => {
    const odd = ['file@/etc/hostname', 'a "b"$(id)'] as const
    const parameters = [
      [odd[0], ''],
      [odd[1], undefined],
    ] as const
    const { words } = run(asCurl({ ...payout, parameters }), { CONTROL_KEY: controlKey, A__B___ID_: '7' })
    expect(dataOf(words)).toEqual(['file%40%2Fetc%2Fhostname=', 'a%20%22b%22%24%28id%29=7'])
  })

  it('is a command that can be read again', () => {
    const again = readCurl(
      asCurl({ ...sale, parameters: sale.parameters.slice(0, 4) })
        .split('\n')
        .slice(2)
        .join('\n')
        .replace('$CONTROL', 'x'),
    )
    expect(again).toMatchObject({
      kind: 'read',
      request: { parameters: [...sale.parameters.slice(0, 4), ['control', 'x']] },
    })
  })
})
