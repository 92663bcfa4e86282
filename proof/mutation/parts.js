/** What is mutated: rooms of packages, each with the tests that have to notice: those beside the code, and tables without I/O. */

/** Tests of a whole package that are tables and properties. */
const tables = {
  signing: 'packages/signing/test/{properties,rfc5849*,vectors}.test.ts',
  protocol: 'packages/protocol/test/properties.test.ts',
  till: 'packages/till/src/history/walks.test.ts',
}

/** A room, or a file of one. The tests of the room have to notice, and the tables of its package. */
function room(place) {
  const [name = ''] = place.split('/')
  const folder = place.endsWith('.ts') ? place.slice(0, place.lastIndexOf('/')) : place
  return {
    name: place.replace('/src', '').replace(/\.ts$/, ''),
    mutate: [place.endsWith('.ts') ? `packages/${place}` : `packages/${place}/*.ts`],
    tests: [`packages/${folder}/*.test.ts`, tables[name]],
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
