/** Every field of every record says what it is called on the wire, its unit and its length, and says what the tables say. */
import { describe, expect, it } from 'vitest'
import { type RecordField, readRecords } from '../../../scripts/record-fields.js'
import { type AnyOperation, defaultProfile, maxLength, operations, wireName } from '../src/index.js'
import { commonReplyFields, recordFields } from '../src/operations/reply-fields.js'

const profile = defaultProfile
const records = readRecords()
const rows: readonly (readonly [name: string, row: AnyOperation])[] = Object.entries(operations)

const fieldsOf = (record: string): readonly RecordField[] => {
  const fields = records.get(record)
  if (fields === undefined) throw new Error(`there is no record ${record}`)
  return fields.filter(({ kind }) => kind !== 'other')
}
const wireNameOf = (doc: string): string | undefined => /wire name `([^`]+)`/.exec(doc)?.[1]

/** A number of characters, digits or letters, or that none is known. */
const saysLength = (doc: string): boolean =>
  /\d (characters|digits|letters)|three capital letters|no length (or separator )?is public/.test(doc)

describe.each(rows)('the request record of %s', (_name, row) => {
  it('names each field as it is sent', () => {
    const fields = fieldsOf(row.request)
    expect(fields.length).toBeGreaterThan(0)
    expect(fields.map(({ name, doc }) => [name, wireNameOf(doc)])).toEqual(
      fields.map(({ name }) => [name, wireName(name, { operation: row, profile })]),
    )
  })

  it('says the length of each text, and that of the profile where it has one', () => {
    for (const { name, kind, doc } of fieldsOf(row.request)) {
      const most = maxLength(name, { operation: row, profile })
      if (kind === 'text') expect(saysLength(doc), `${row.request}.${name}: ${doc}`).toBe(true)
      if (most !== undefined) expect(doc, `${row.request}.${name}`).toContain(`at most ${most} `)
    }
  })

  it('says what each field is before it says its name', () => {
    for (const { name, doc } of fieldsOf(row.request)) expect(doc, `${row.request}.${name}`).not.toMatch(/^wire name/i)
  })

  it('requires what the table requires', () => {
    const required = fieldsOf(row.request).filter(({ isRequired }) => isRequired)
    expect(required.map(({ name }) => name).sort()).toEqual([...row.required].sort())
  })
})

describe.each(Object.entries(recordFields))('the reply record %s', (record, listed) => {
  it('has the fields of the table and names each as it is received', () => {
    const fields = fieldsOf(record)
    expect(fields.map(({ name }) => name).sort()).toEqual([...new Set([...commonReplyFields, ...listed])].sort())
    for (const { name, doc } of fields) {
      const names: readonly string[] = profile.replyFields.value[name as keyof typeof profile.replyFields.value]
      expect(names, `${record}.${name}: ${doc}`).toContain(wireNameOf(doc))
    }
  })
})

describe('readRecords', () => {
  it('finds what a docstring lacks', () => {
    expect(saysLength('A field; wire name `field`.')).toBe(false)
    expect(wireNameOf('At most 4 characters.')).toBeUndefined()
  })
})
