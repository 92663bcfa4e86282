/** The worker thread has to be found from every kind of module, and from one minified file that holds the whole program. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { buildSync } from 'esbuild'

// It never closes its store: the process must end nevertheless.
const program = `
const entry = body => ({ body, due: null, list: null })
async function main() {
  const store = sqliteStore(process.argv[2], { driver: process.argv[3] })
  const { kind } = await store.write('k', entry('{}'), { id: 'i' })
  const work = async ({ run }) => {
    await run\`create table orders (id)\`
    await run\`insert into orders values (\${7})\`
  }
  const outcome = await store.commit('k', work, current => entry(JSON.stringify(current.version)))
  const { stored } = await store.read('k')
  const till = createTill({
    account: { baseUrl: 'https://gate.example/paynet', endpointId: 39, login: 'merchant', controlKey: 'key' },
    store,
    address: 'https://shop.example/payments',
    returnTo: () => '/',
    onOutcome: () => {},
  })
  const { state } = await till.payment('basket-7')
  await till.close()
  process.stdout.write([kind, outcome.kind, stored.body, state].join(' '))
}
main()
`
const asModule = `import { createTill } from '@tillkit/till'\nimport { sqliteStore } from '@tillkit/till/sqlite'\n${program}`
writeFileSync('esm.mjs', asModule)
writeFileSync(
  'cjs.cjs',
  `const { createTill } = require('@tillkit/till')\nconst { sqliteStore } = require('@tillkit/till/sqlite')\n${program}`,
)
for (const folder of ['bundles', 'files']) rmSync(folder, { recursive: true, force: true })
for (const folder of ['bundles', 'files']) mkdirSync(folder)
for (const [format, file] of Object.entries({ esm: 'bundles/esm.mjs', cjs: 'bundles/cjs.cjs' })) {
  buildSync({
    stdin: { contents: asModule, resolveDir: '.' },
    outfile: file,
    format,
    bundle: true,
    platform: 'node',
    // CommonJS, which no bundler turns into a module.
    external: ['undici'],
    minify: true,
    // Adds a helper to every function: text made of functions would not find it in the thread.
    keepNames: true,
    logOverride: { 'empty-import-meta': 'silent' },
  })
}

// Node.js has one of its own from 22.13 on; the package libsql is for all of them.
const [major, minor] = process.versions.node.split('.').map(Number)
const drivers = major > 22 || (major === 22 && minor >= 13) ? ['libsql', 'node:sqlite'] : ['libsql']
for (const file of ['esm.mjs', 'cjs.cjs', 'bundles/esm.mjs', 'bundles/cjs.cjs']) {
  for (const [index, driver] of drivers.entries()) {
    const words = [file, `files/${file.replace('/', '-')}-${index}.db`, driver]
    const { stdout, stderr, status } = spawnSync(process.execPath, words, { encoding: 'utf8', timeout: 60_000 })
    assert.equal(stdout, 'written written 1 new', `${words.join(' ')} ended with ${status}: ${stderr}`)
    assert.equal(status, 0, file)
  }
}
