/** What documents list by hand is what there is: codes of errors, exported names, measured figures. */
import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = new URL('../../../', import.meta.url)
const packages = new URL('packages/', root)
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8')

it('docs/errors.md leads from every code of an error or a warning to what it means', () => {
  const ofNodeJs = [
    'ERR_HTTP_REQUEST_TIMEOUT',
    'ERR_INVALID_ARG_TYPE',
    'ERR_OSSL_EVP_UNSUPPORTED',
    'ERR_TLS_CERT_ALTNAME_INVALID',
  ]
  const sources = readdirSync(packages).flatMap(name => {
    const src = new URL(`${name}/src/`, packages)
    const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    return files.filter(path => /(?<!\.test)\.ts$/.test(path)).map(path => readFileSync(new URL(path, src), 'utf8'))
  })
  const written = sources.flatMap(text => text.match(/(?<=')(?:ERR|WARN)_\w*[A-Z](?=')/g) ?? [])
  const codes = [...new Set(written)].filter(code => !ofNodeJs.includes(code)).toSorted()
  const rows = read('docs/errors.md').match(/^\| `.*?(?= \| )/gm)
  expect(rows?.flatMap(row => row.match(/\w+_\w+/g) ?? []).toSorted()).toEqual(codes)
})

it.each([
  ['client', ['client']],
  ['express-middleware', ['express-middleware']],
  ['signing', ['signing', 'signing-explain']],
  ['testing', ['testing', 'testing-jest', 'testing-vectors', 'testing-vitest']],
  ['till', ['till', 'till-postgres', 'till-sqlite']],
  ['cli', ['tillkit']],
])('the README of packages/%s names every function, class and constant that is exported', (name, entries) => {
  const exported = entries.flatMap(entry => Object.entries(JSON.parse(read(`api/${entry}.json`))))
  const names = exported.filter(([, declared]) => !/^(?:type|interface)\b/.test(String(declared))).map(([each]) => each)
  const named = new Set(read(`packages/${name}/README.md`).match(/\w+/g))
  expect(names.filter(each => !named.has(each))).toEqual([])
  expect(names.length).toBeGreaterThan(2)
})

it('docs/scale.md has the figures of the benchmarks', () => {
  const [, list = ''] = /\n(- \*\*One process[\s\S]*?)\n\n/.exec(read('docs/scale.md')) ?? []
  const measured = list.split(/\n(?=- )/).filter(line => line.includes('(measured)'))
  const figures = measured.flatMap(
    line => line.split(' Computed ', 1)[0]?.match(/\b\d[\d,.]*(?= (?:sales|lives|writes|with|ms|µs)\b)/g) ?? [],
  )
  const benchmarks = ['client', 'till'].map(name => read(`packages/${name}/BENCHMARKS.md`)).join('\n')
  const known = new Set(benchmarks.match(/\d[\d.]*/g)?.flatMap(each => [Number(each), Math.round(Number(each))]))
  expect(figures.length).toBeGreaterThan(8)
  expect(figures.filter(figure => !known.has(Number(figure.replaceAll(',', ''))))).toEqual([])
})

// https://www.sqlite.org/c3ref/busy_timeout.html: a connection without it is refused at once while another one writes.
it('documents, examples and test projects give each connection to a file of SQLite a time to wait', () => {
  const below = (folder: string, recursive: boolean): readonly string[] =>
    readdirSync(new URL(folder, root), { recursive, encoding: 'utf8' }).map(path => `${folder}/${path}`)
  const inFolders = (parent: string): readonly string[] =>
    readdirSync(new URL(parent, root), { withFileTypes: true })
      .filter(entry => entry.isDirectory())
      .flatMap(({ name }) => below(`${parent}/${name}`, false))
  const files = [
    ...below('docs', true),
    ...below('examples/shop/src', true),
    ...inFolders('packages'),
    ...inFolders('test-projects'),
  ]
  const texts = ['README.md', ...files.filter(path => /\.(?:md|[cm]?[jt]s)$/.test(path))].map(read)
  const opened = texts.flatMap(text => text.match(/new (?:Database|DatabaseSync|Sqlite)\(.*/g) ?? [])
  expect(opened.filter(each => !each.includes('timeout: '))).toEqual([])
  expect(opened.length).toBeGreaterThan(5)
})
