/** What is mutated: rooms of packages, each with the tests that have to notice: those beside the code, and tables without I/O. */
import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')

/** Tests of a whole package that are tables and properties. */
const tables = {
  signing: ['vectors', 'rfc5849', 'rfc5849-corpus', 'rfc5849-signing', 'properties'].map(
    name => `signing/test/${name}`,
  ),
  protocol: ['protocol/test/properties'],
  till: ['till/src/history/walks'],
}

/** A room, or a file of one. The tests of the room have to notice, and the tables of its package; those of the room come first. */
function room(place) {
  const [name = ''] = place.split('/')
  const folder = place.endsWith('.ts') ? dirname(place) : place
  const beside = readdirSync(join(root, 'packages', folder)).filter(file => file.endsWith('.test.ts'))
  return {
    name: place.replace('/src', '').replace(/\.ts$/, ''),
    mutate: [place.endsWith('.ts') ? `packages/${place}` : `packages/${place}/*.ts`],
    tests: [
      ...new Set([
        ...beside.map(file => `packages/${folder}/${file}`),
        ...tables[name].map(each => `packages/${each}.test.ts`),
      ]),
    ],
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
