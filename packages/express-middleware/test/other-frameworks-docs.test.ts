import { readFile } from 'node:fs/promises'
import { expect, it, vi } from 'vitest'
import { callbackQuery } from './callback-desk.js'
import { app } from './frameworks/verify-only.js'

const read = (path: string) => readFile(new URL(path, import.meta.url), 'utf8')

it('docs/other-frameworks.md shows what is compiled and run', async () => {
  const shown = (await read('../../../docs/other-frameworks.md')).match(/(?<=```ts\n).*?(?=```)/gs)
  const files = [
    'payments',
    'fastify',
    'koa',
    'hono',
    'next/callback/route',
    'next/return/[state]/route',
    'next/pay/[id]/route',
  ]
  const texts = await Promise.all(
    files.map(file => read(`frameworks/${encodeURIComponent(file).replaceAll('%2F', '/')}.ts`)),
  )
  // Next.js has an alias for the root of a project.
  expect(shown).toEqual(texts.map(text => text.replace(/'(\.\.\/)+payments\.js'/, "'@/payments'")))
})

it('docs/callbacks.md shows a verification that takes the key of each shop, and no other', async () => {
  expect(await read('../../../docs/callbacks.md')).toContain(await read('frameworks/verify-only.ts'))
  const log = vi.spyOn(console, 'log').mockReturnValue()
  const query = callbackQuery({}, 'control key of north')
  const paths = [`/north/callback?${query}`, `/south/callback?${query}`, `/north/callback?${query}0`]
  const answers = await Promise.all(paths.map(path => app.request(path)))
  expect(await Promise.all(answers.map(async answer => [answer.status, await answer.text()]))).toEqual([
    [200, ''],
    [403, ''],
    [403, ''],
  ])
  expect(log.mock.calls).toEqual([['a hint to ask status of', 'o-1']])
  log.mockRestore()
})
