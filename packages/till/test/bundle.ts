/**
 * Programs of tests, each as one file. A process that reads it is ready in half a second of CPU time; one that reads the sources file by
 * file needs five times as much.
 *
 * @module
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

const ownModules = fileURLToPath(new URL('../node_modules/', import.meta.url))

/** Makes a program in a folder of its own, below this package, and gives its path. The folder is the caller's to remove. */
export async function programOf(source: URL): Promise<string> {
  const file = join(mkdtempSync(join(ownModules, '.program-')), 'main.mjs')
  await bundle(fileURLToPath(source), file)
  return file
}

/** Removes the program, and its folder. */
export const removeProgram = (file: string): void => rmSync(dirname(file), { recursive: true, force: true })

/** Writes a program, and all that it imports, into `file`. The file ends in `.mjs` and lies below a package that has libsql. */
export async function bundle(program: string, file: string): Promise<void> {
  await build({
    entryPoints: [program],
    outfile: file,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    conditions: ['@tillkit/source'],
    // A native module looks for its binary beside itself.
    external: ['libsql'],
    // CommonJS modules inside the file call `require`.
    banner: {
      js: "import { createRequire as requireFrom } from 'node:module'\nconst require = requireFrom(import.meta.url)",
    },
    logLevel: 'error',
  })
}
