import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { text } from 'node:stream/consumers'

mkdirSync('files', { recursive: true })

async function freePort() {
  const server = createServer()
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address()
  await new Promise(resolve => server.close(resolve))
  return port
}

/** Runs the command on the shop, which it starts itself. */
async function certify(settings) {
  const port = await freePort()
  const shop = `http://127.0.0.1:${port}`
  const dump = `node -e "process.stdout.write(fs.readFileSync('database.json'))"`
  const words = ['certify', `${shop}/pay`, '--is-paid', `${shop}/paid/{order}`, '--port', '0', '--json', '--pci']
  const places = ['--log', 'shop.log', '--folder', 'files', '--dump', dump, '--proxy', '0', '--start', 'node shop.js']
  const command = spawn(process.execPath, ['node_modules/tillkit/dist/bin.js', ...words, ...places], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PORT: String(port), ...settings },
  })
  const [said, complaint, [code]] = await Promise.all([
    text(command.stdout),
    text(command.stderr),
    new Promise(resolve => command.once('close', (...how) => resolve(how))),
  ])
  assert.notEqual(said, '', complaint)
  return { code, said: said.trimEnd(), report: JSON.parse(said) }
}

const placeOf = (report, name) => report.places.find(place => place.name === name)?.kind
const found = report => report.findings.map(({ door, place, form }) => `${door}: ${placeOf(report, place)}, ${form}`)

// Leaks: each is found at its place, in its form, and as what came in by its door.
const leaky = await certify({ LEAKS: 'yes' })
assert.equal(leaky.code, 1)
assert.deepEqual([...new Set(found(leaky.report))].sort(), [
  'callback: log, reversed',
  'card-approved: log, as it is',
  'card-approved: log, beside the name of its field',
  'card-declined: dump, Base64',
  'card-declined: log, as it is',
  'card-declined: log, beside the name of its field',
  'card-given-back: folder, hexadecimal',
  'card-given-back: log, as it is',
  'card-given-back: log, beside the name of its field',
  'card-mistyped: answers, as it is',
  'card-mistyped: output, digits set apart',
  'card-no-answer: proxy, percent-encoded',
])
// An assessor can tell that nobody changed the report: docs/certify-pci.md.
const { sha256 } = leaky.report
const sealed = leaky.said.replace(`,"sha256":"${sha256}"}`, '}')
assert.equal(createHash('sha256').update(sealed).digest('hex'), sha256)

// The same shop keeps the first six and the last four digits in the same places. What the first run left there is not its own.
const tidy = await certify({})
assert.deepEqual([tidy.code, tidy.report.result, tidy.report.findings, tidy.report.problems], [0, 'not-found', [], []])
assert.ok(tidy.report.places.every(({ bytes }) => bytes > 0))

// With the gateway's form no number comes to the shop, but for what a browser brings back.
const form = await certify({ FORM: 'yes', LEAKS: 'yes' })
assert.deepEqual([...new Set(found(form.report))].sort(), [
  'callback: log, reversed',
  'return: log, as it is',
  'return: log, beside the name of its field',
])
const tried = form.report.doors.filter(({ applied }) => applied).map(({ door }) => door)
assert.deepEqual(tried, ['form-approved', 'form-declined', 'form-no-answer', 'form-given-back', 'callback', 'return'])
