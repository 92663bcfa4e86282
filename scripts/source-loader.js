/**
 * Lets Node.js run the TypeScript sources of this repository, file by file:
 * `node --conditions=@tillkit/source --import ./scripts/source-loader.js`.
 *
 * Without it `npm run kills` and the pictures of the documentation would be made with what was built last. Node.js 20 strips no types by
 * itself, and no Node.js reads `./name.ts` where an import says `./name.js`.
 */
import { readFile } from 'node:fs/promises'
import { register } from 'node:module'
import { fileURLToPath } from 'node:url'

if (!process.execArgv.some(each => each.includes('@tillkit/source'))) {
  throw new Error('Start with --conditions=@tillkit/source, or the packages resolve to what was built last.')
}
register(import.meta.url)

/** `./name.js` is `./name.ts` here. */
export async function resolve(specifier, context, next) {
  if (!specifier.startsWith('.') || !specifier.endsWith('.js')) return next(specifier, context)
  try {
    return await next(specifier.replace(/\.js$/, '.ts'), context)
  } catch {
    return next(specifier, context)
  }
}

/** esbuild takes the types off. TypeScript would take ten times as long, and a test that starts a process would spend its time on that. */
export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const { transform } = await import('esbuild')
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    loader: 'ts',
    target: 'node20.19',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return { format: 'module', source: code, shortCircuit: true }
}
