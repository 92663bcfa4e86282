/**
 * Answers of the gateway: a line with the Content-Type, and the body behind it. JSON, and the forms of old hosts.
 *
 * @module
 */
import { createScrubber, defaultProfile, defineProfile, type RawReply, readReply } from '@tillkit/protocol'
import { encodeForm } from '@tillkit/signing'
import fc from 'fast-check'
import { isGateways, parseReply } from '../../../../packages/client/src/reply/parse-reply.js'
import { mediaType } from '../../../../packages/client/src/request/form.js'
import { recordFields } from '../../../../packages/protocol/src/operations/reply-fields.js'
import { alteredJson, asJson, bracketsWithoutEnd, oddValue, repeated } from '../inputs.js'
import { cardNumber, type Parser, printed, promise, promiseQuiet, promiseSame, secret } from '../parser.js'

const scrubber = createScrubber(() => ({ texts: [secret], cardNumbers: [cardNumber], digits: [] }))
const [json, form] = ['application/json;charset=UTF-8', 'text/html;charset=utf-8']
const profiles = { json: defaultProfile, form: defineProfile({ formReplies: true }) }
type Kind = keyof typeof profiles

const ownType = mediaType
const types = fc.constantFrom(form, json, ownType, 'text/html', 'TEXT/HTML ; a=b', '')
const wireNames = Object.values(defaultProfile.replyFields.value).flat()
const field = fc.constantFrom('type', 'status', 'paynet-order-id', 'merchant-order-id', ...wireNames)
const words = ['status-response', 'async-response', 'approved', '10.00', '9223372036854775807', 'a b', '', cardNumber]
const record = fc.dictionary(field, fc.oneof(fc.constantFrom<unknown>(...words, 12.5, true, null), oddValue), {
  maxKeys: 8,
})

const withType = (bodies: fc.Arbitrary<Buffer>): fc.Arbitrary<Buffer> =>
  fc.tuple(types, bodies).map(([type, body]) => Buffer.concat([Buffer.from(`${type}\n`), body]))

const formBody = fc
  .array(fc.tuple(field, fc.constantFrom(...words, '%C3%A9', '%E9', '+')), { maxLength: 8 })
  .map(pairs =>
    Buffer.from(
      [['type', 'status-response'], ...pairs]
        .map(pair => pair.join('='))
        .join('\n&')
        .concat('\n'),
    ),
  )

/** The answer that an input stands for. */
function answerOf(input: Buffer) {
  const border = input.indexOf('\n')
  const type = input.subarray(0, Math.max(border, 0)).toString('latin1')
  const body = input.subarray(border + 1)
  return { httpStatus: 200, headers: type === '' ? {} : { 'content-type': type }, body, isTooLong: false }
}

/** Records are read out of replies with no more names than this. */
const mostNames = 1000

function examine(input: Buffer, kind: Kind): void {
  const profile = profiles[kind]
  const answer = answerOf(input)
  const read = parseReply(answer, { scrubber, profile })
  promise(typeof isGateways(answer, profile) === 'boolean', 'does not say whose answer it is')
  if (read.kind === 'unreadable') {
    promiseQuiet(read.problem)
    return
  }
  const { raw } = read
  promise(Object.isFrozen(raw), 'gives a record that can be changed')
  promise(
    Object.values(raw).every(value => typeof value === 'string'),
    'gives a value that is no text',
    raw,
  )
  if (kind === 'json') asJsonReadsIt(answer.body, raw)
  promiseSame(read, parseReply(writtenAs(kind, raw), { scrubber, profile }), 'reads another record than it wrote')
  if (Object.keys(raw).length > mostNames) return
  for (const name of Object.keys(recordFields)) {
    const reply = readReply(raw, { record: name as keyof typeof recordFields, profile })
    const isText = Object.values(reply).every(value => typeof value === 'string' && value.trim() !== '')
    promise(isText, 'gives an empty field', reply)
    promise(!printed(reply).includes('raw:'), 'prints the raw reply', reply)
  }
}

/** The same values that JSON.parse gives, but with the digits of numbers as they were written. */
function asJsonReadsIt(body: Buffer, raw: RawReply): void {
  const parsed = JSON.parse(body.toString('utf8').replace(/^\ufeff/, '')) as Record<string, unknown>
  const names = Object.keys(parsed).filter(name => parsed[name] !== null)
  promiseSame(names.sort(), Object.keys(raw).sort(), 'has other names than JSON.parse')
  for (const name of names) {
    const [theirs, ours] = [parsed[name], raw[name]]
    promise(typeof theirs === 'number' ? Object.is(Number(ours), theirs) : String(theirs) === ours, 'differs', name)
  }
}

/** Nothing of a form may be left to be trimmed, so the record is written as a form would have it. */
function writtenAs(kind: Kind, raw: RawReply) {
  const text = kind === 'json' ? JSON.stringify(raw) : `${encodeForm(Object.entries(raw)).replaceAll('&', '\n&')}\n`
  return answerOf(Buffer.from(`${kind === 'json' ? ownType : form}\n${text}`))
}

const manyNames = (length: number): string =>
  Array.from({ length: Math.ceil(length / 12) }, (_, at) => `"n${at}":"x"`).join(',')

/** A reply in JSON. */
export const reply: Parser = {
  name: 'reply',
  written: withType(asJson(alteredJson(record, ['status', 'type']))),
  tokens: [
    secret,
    '{',
    '}',
    '[',
    ']',
    '":"',
    ',',
    'null',
    '\\u0061',
    '\\ud800',
    'true',
    '1.50',
    '"type":"status-response"',
  ],
  examine: input => examine(input, 'json'),
  growing: {
    'a long value': repeated('x', { before: `${ownType}\n{"a":"`, after: '"}' }),
    'many names': length => Buffer.from(`${ownType}\n{${manyNames(length)}}`),
    'escapes in a value': repeated('\\"', { before: `${ownType}\n{"a":"`, after: '"}' }),
    'quotes between colons': repeated('\\":\\"', { before: `${ownType}\n{"a":"`, after: '"}' }),
    'spaces before a colon': repeated(' ', { before: `${ownType}\n{"a"`, after: ':"b"}' }),
    'brackets without end': bracketsWithoutEnd(`${ownType}\n`),
    'nested members': repeated('{"a":', { before: `${ownType}\n` }),
    'a long media type': repeated('x/', { after: '\n{}' }),
  },
}

/** A reply as a form, as old hosts give it. */
export const formReply: Parser = {
  name: 'form',
  written: withType(formBody),
  tokens: [secret, '&', '=', '\n&', '%26', '%3D', '%0A', '+', '<html>', 'type=status-response\n'],
  examine: input => examine(input, 'form'),
  growing: {
    'a long value': repeated('x', { before: 'text/html\ntype=a&b=', after: '\n' }),
    'many names': length =>
      Buffer.from(
        `text/html\ntype=a\n&${manyNames(length).replaceAll(/["{}]/g, '').replaceAll(':', '=').replaceAll(',', '&')}\n`,
      ),
    'spaces in a value': repeated(' ', { before: 'text/html\ntype=a', after: 'x\n' }),
    'line feeds': repeated('\n', { before: 'text/html\ntype=a' }),
    'types that do not end': repeated('&type=a', { before: 'text/html\nx=1', after: '<' }),
    'escapes that are cut off': repeated('%C3', { before: 'text/html\ntype=a&b=', after: '\n' }),
    'a page': repeated('<p class="a">', { before: 'text/html\n' }),
  },
}
