import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

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
    'verify-only',
  ]
  const texts = await Promise.all(
    files.map(file => read(`frameworks/${encodeURIComponent(file).replaceAll('%2F', '/')}.ts`)),
  )
  // Next.js has an alias for the root of a project.
  expect(shown).toEqual(texts.map(text => text.replace(/'(\.\.\/)+payments\.js'/, "'@/payments'")))
})
