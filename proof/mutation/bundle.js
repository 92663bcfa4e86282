/** All tests of a part, with what they import from this repository, as one script: each run of it begins with new modules. */
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import { build } from 'esbuild'

/** Code that reads a file beside it is told where it lay. */
const places = {
  name: 'places',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      loader: 'ts',
      contents: readFileSync(path, 'utf8').replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }))
  },
}

/** Packages of others are loaded once, and are the same for all runs. */
const others = {
  name: 'others',
  setup({ onResolve, resolve }) {
    onResolve({ filter: /^[^./]/ }, async ({ path, kind, resolveDir, pluginData }) => {
      if (pluginData === others) return undefined
      const found = await resolve(path, { kind, resolveDir, pluginData: others })
      return found.path.includes('node_modules') ? { path: found.path, external: true } : found
    })
  },
}

/** Takes the script's imports from `load`, since a module that is imported once is never forgotten. */
const asScript = (text, names) =>
  text.replace(/^import (?:(.*) from )?"(.*)";$/gm, (line, bound, name) => {
    if (!names.has(name)) return line
    const from = `load(${JSON.stringify(name)})`
    if (bound === undefined) return ''
    if (bound.startsWith('* as ')) return `const ${bound.slice(5)} = ${from};`
    return bound.startsWith('{')
      ? `const ${bound.replaceAll(' as ', ': ')} = ${from};`
      : `const ${bound} = ${from}.default;`
  })

/** Stryker's changed code counts which test comes where. That is asked once, and would take much of the time of each run. */
const counts = /stryCov_[0-9a-f]+\("\d+"(?:, "\d+")*\)/g

/** @returns A function that begins anew: it gives for each file a function that runs it. */
export async function bundle(tests) {
  const { outputFiles, metafile } = await build({
    stdin: {
      contents: `begun({${tests.map(path => `${JSON.stringify(path)}: () => import('./${path}')`)}})`,
      resolveDir: process.cwd(),
    },
    bundle: true,
    write: false,
    metafile: true,
    // As it is while nothing is bundled: every module is loaded whole.
    treeShaking: false,
    ignoreAnnotations: true,
    format: 'esm',
    target: 'esnext',
    platform: 'node',
    conditions: ['@tillkit/source', 'node'],
    plugins: [others, places],
  })
  const names = new Set(Object.values(metafile.outputs).flatMap(({ imports }) => imports.map(({ path }) => path)))
  const loaded = new Map()
  for (const name of names) {
    const module = await import(name.startsWith('/') ? pathToFileURL(name).href : name)
    // Any counterexample will do, the same one each time.
    if (name.includes('/fast-check/')) module.configureGlobal({ seed: 1, endOnFailure: true })
    loaded.set(name, module)
  }
  const text = asScript(outputFiles[0].text, names)
  const compiled = body => new Script(`(async function (load, begun) {${body}\n})`).runInThisContext()
  const [counting, quick] = [compiled(text), compiled(text.replace(counts, '0'))]
  return async ({ isCounting }) => {
    const run = isCounting ? counting : quick
    let files
    await run(
      name => loaded.get(name),
      given => {
        files = given
      },
    )
    return files
  }
}
