/**
 * esbuild, which comes with tsup. Loading it takes a tenth of what loading TypeScript takes.
 *
 * @module
 */
import { createRequire } from 'node:module'

/** The part of esbuild used here. */
interface Esbuild {
  build(options: object): Promise<{ readonly outputFiles: readonly { readonly text: string }[] }>
  transform(code: string, options: object): Promise<{ readonly code: string }>
}

const requireHere = createRequire(import.meta.url)

export const esbuild: Esbuild = createRequire(requireHere.resolve('tsup'))('esbuild')

/** Makes the body of a CommonJS module of TypeScript text. It rejects when the text cannot be read. */
export async function commonJs(text: string): Promise<string> {
  const { code } = await esbuild.transform(text, { loader: 'ts', format: 'cjs', target: 'es2022' })
  return code
}
