/**
 * Programs of tests, each as one file. A process that reads it is ready in half a second of CPU time; one that reads the sources file by
 * file needs five times as much.
 *
 * @module
 */
import { build } from 'esbuild'

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
