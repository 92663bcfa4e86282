import { readFile } from 'node:fs/promises'
import { encodeForm } from '@tillkit/signing'
import { request } from 'undici'
import { expect, it } from 'vitest'
import { createGateway } from '../src/index.js'

const readme = new URL('../README.md', import.meta.url)
const guide = new URL('../../../docs/fake-gateway.md', import.meta.url)
const read = (page: URL) => readFile(page, 'utf8')

/** What a line with curl sends: `-d` makes it a POST with a form. */
function readCurl(line: string) {
  const words = line.split(' ').slice(1)
  const sent = words.flatMap((word, index) => (words[index - 1] === '-d' ? [word.split('=') as [string, string]] : []))
  const method = words.includes('-X') ? words[words.indexOf('-X') + 1] : sent.length > 0 ? 'POST' : 'GET'
  return { method: method as 'GET', url: new URL(words.at(-1) ?? ''), sent }
}

it('docs/fake-gateway.md shows lines for curl that do what they say', async () => {
  const gateway = createGateway()
  const { origin } = await gateway.listen()
  const before = gateway.clock.now()
  const lines = (await read(guide)).match(/^curl .*$/gm) ?? []
  expect(lines.length).toBeGreaterThan(3)
  for (const { method, url, sent } of lines.map(readCurl)) {
    if (url.pathname.endsWith('/reset')) {
      expect(gateway.faults.armed()).toMatchObject([{ fault: 'commit-then-drop', operation: 'capture' }])
      expect(gateway.clock.now()).toBeGreaterThanOrEqual(before + 3_600_000)
    }
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    const body = sent.length === 0 ? {} : { headers, body: encodeForm(sent) }
    const answer = await request(new URL(url.pathname, origin), { method, ...body })
    expect([url.pathname, answer.statusCode]).toEqual([url.pathname, 200])
    await answer.body.dump()
  }
  expect(gateway.faults.armed()).toEqual([])
  await gateway.close()
})

it('the README shows a picture that is there, and stays short', async () => {
  const text = await read(readme)
  const [, picture = ''] = /\]\(([^)]*\.png)\)/.exec(text) ?? []
  expect((await readFile(new URL(picture, readme))).subarray(1, 4).toString()).toBe('PNG')
  expect(text.split('\n').length).toBeLessThan(120)
})
