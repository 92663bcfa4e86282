import { defineConfig } from 'tsup'
import { base } from '../../tsup.base.js'

/**
 * The worker's program is put into the build as finished text: functions that are turned to text at run time would break where
 * an application's bundler renames what they use, or adds helpers of its own.
 */
const finishedWorkerText = {
  name: 'finished-worker-text',
  setup({ onLoad, esbuild }: PluginBuild) {
    onLoad({ filter: /worker-text\.ts$/ }, async ({ path }) => {
      const { outputFiles } = await esbuild.build({
        entryPoints: [path],
        bundle: true,
        write: false,
        format: 'esm',
        target: base.target,
      })
      const module: unknown = await import(`data:text/javascript,${encodeURIComponent(outputFiles?.[0]?.text ?? '')}`)
      const { workerText } = module as { readonly workerText: string }
      return { contents: `export const workerText = ${JSON.stringify(workerText)}` }
    })
  },
}

/** The part of esbuild's plugin interface that is used. */
interface PluginBuild {
  readonly esbuild: {
    build(
      options: Readonly<Record<string, unknown>>,
    ): Promise<{ readonly outputFiles?: readonly { text: string }[] | undefined }>
  }
  onLoad(options: { filter: RegExp }, load: (file: { path: string }) => Promise<{ contents: string }>): void
}

export default defineConfig({
  ...base,
  entry: ['src/index.ts', 'src/sqlite.ts', 'src/postgres.ts', 'src/conformance.ts'],
  splitting: true,
  esbuildPlugins: [finishedWorkerText, ...base.esbuildPlugins],
  // CommonJS has no `import.meta`; with `splitting` tsup would leave it in.
  esbuildOptions(options, { format }) {
    base.esbuildOptions(options)
    if (format === 'cjs') options.define = { ...options.define, 'import.meta.url': '__filename' }
  },
})
