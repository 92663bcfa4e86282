/** What is mutated: rooms of packages, each with the tests that have to notice: those beside the code, then others without I/O. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

const testsIn = folder =>
  readdirSync(join(root, 'packages', folder), { recursive: true })
    .filter(file => file.endsWith('.test.ts'))
    .map(file => `${folder}/${file.replaceAll('\\', '/')}`)
    .sort()

/** Tests of a whole package that need nothing but its code. */
const tables = {
  signing: ['vectors', 'rfc5849', 'rfc5849-corpus', 'rfc5849-signing', 'properties'].map(
    name => `signing/test/${name}.test.ts`,
  ),
  protocol: [...testsIn('protocol/src'), 'protocol/test/properties.test.ts'],
  till: ['till/src/history/walks.test.ts'],
}

/** A room, or a file of one. Its own tests come first: most mutants are noticed there. */
function room(place) {
  const [name = ''] = place.split('/')
  const isFile = place.endsWith('.ts')
  const folder = isFile ? dirname(place) : place
  const own = testsIn(folder).filter(file => dirname(file) === folder)
  return {
    name: place.replace('/src', '').replace(/\.ts$/, ''),
    mutate: [isFile ? `packages/${place}` : `packages/${place}/*.ts`],
    tests: [...new Set([...own, ...tables[name]])].map(file => `packages/${file}`),
  }
}

const rooms = {
  signing: ['encoding.ts', 'errors.ts', 'money.ts', 'profile.ts', 'keys', 'control', 'oauth'],
  protocol: ['redaction', 'options', 'operations', 'profile', 'reply', 'order', 'three-d-secure', 'attempt'],
  till: [
    ...['state', 'rules/orders', 'history', 'history/timeline', 'rules/pay', 'rules/delivery', 'rules/kept'],
    ...['rules/people', 'rules', 'intents', 'intents/customers', 'engine/advance.ts'],
  ],
}

/** In the order of ARCHITECTURE.md. */
export const parts = Object.entries(rooms).flatMap(([name, places]) =>
  places.map(place => room(`${name}/src/${place}`)),
)
