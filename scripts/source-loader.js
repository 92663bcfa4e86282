/** Lets Node.js run the TypeScript sources of this repository, file by file: `node --conditions=@tillkit/source --import ./scripts/source-loader.js`. */
import { readFileSync } from 'node:fs'
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

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context)
  const { default: ts } = await import('typescript')
  const { outputText } = ts.transpileModule(readFileSync(fileURLToPath(url), 'utf8'), {
    compilerOptions: { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2022, verbatimModuleSyntax: true },
  })
  return { format: 'module', source: outputText, shortCircuit: true }
}
