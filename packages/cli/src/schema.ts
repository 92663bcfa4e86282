import { describeValue } from '@tillkit/protocol'

/** The part of JSON Schema 2020-12 that is understood here: that of the config file and of the control API. */
export interface Schema {
  readonly $schema?: string
  readonly title?: string
  readonly description?: string
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly minItems?: number
  readonly pattern?: string
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly additionalProperties?: boolean | Schema
  readonly items?: Schema
  /** A secret, which no message may show. */
  readonly writeOnly?: boolean
  readonly anyOf?: readonly Schema[]
  readonly $ref?: string
  readonly $defs?: Readonly<Record<string, Schema>>
}

/**
 * Checks a value against a schema. A library would be the largest dependency of this package, and would not say what a
 * person needs: the place, what is there, and what the schema says about it.
 *
 * @param whole What the value is called, such as `The config`.
 * @returns What is wrong with it, one sentence each, its place first; empty when nothing is wrong.
 */
export function schemaProblems(value: unknown, root: Schema, whole: string): readonly string[] {
  return check(value, root, { root, whole, place: '' })
}

interface Place {
  readonly root: Schema
  readonly whole: string
  /** Such as `merchants[0].login`; empty for the whole. */
  readonly place: string
}

function check(value: unknown, schema: Schema, at: Place): readonly string[] {
  const { anyOf, $ref, writeOnly, description = '' } = schema
  if ($ref !== undefined) {
    const found = at.root.$defs?.[$ref.replace('#/$defs/', '')] ?? {}
    return check(value, { ...found, description: schema.description ?? found.description ?? '' }, at)
  }
  const is = `${where(at)} is ${writeOnly === true ? 'something else' : describeValue(value)}`
  if (anyOf !== undefined) {
    return anyOf.some(each => check(value, each, at).length === 0) ? [] : [`${is}; it must be ${description}.`]
  }
  if (isTooShort(value, schema)) return [`${where(at)} is empty. ${description}`]
  const rule = brokenRule(value, schema)
  if (rule !== undefined) return [`${is}; it must ${rule}. ${description}`.trimEnd()]
  if (Array.isArray(value)) {
    const { items = {} } = schema
    return value.flatMap((each, index) => check(each, items, { ...at, place: `${at.place}[${index}]` }))
  }
  return typeof value === 'object' && value !== null ? checkMembers(value, schema, at) : []
}

/** The only least lengths that are used are 0 and 1. */
function isTooShort(value: unknown, { minLength = 0, minItems = 0 }: Schema): boolean {
  return typeof value === 'string' ? value.length < minLength : Array.isArray(value) && value.length < minItems
}

/** What a value must do or be, and does or is not, whatever its members are. */
function brokenRule(value: unknown, { type, enum: words, pattern, minimum, maximum }: Schema): string | undefined {
  if (words !== undefined && !words.includes(value)) return `be one of ${words.map(each => `"${each}"`).join(', ')}`
  const wanted = type === undefined ? undefined : types[type]
  if (wanted !== undefined && !wanted.has(value)) return `be ${wanted.name}`
  if (typeof value === 'number' && value < (minimum ?? value)) return `be ${minimum} or more`
  if (typeof value === 'number' && value > (maximum ?? value)) return `be ${maximum} or less`
  const isMatch = typeof value !== 'string' || pattern === undefined || new RegExp(pattern, 'u').test(value)
  return isMatch ? undefined : `match ${pattern}`
}

const types: Readonly<Record<string, { readonly name: string; readonly has: (value: unknown) => boolean }>> = {
  array: { name: 'a list', has: Array.isArray },
  object: { name: 'an object', has: value => typeof value === 'object' && value !== null && !Array.isArray(value) },
  string: { name: 'a text in quotes', has: value => typeof value === 'string' },
  boolean: { name: 'true or false', has: value => typeof value === 'boolean' },
  integer: { name: 'a whole number', has: Number.isSafeInteger },
  number: { name: 'a number', has: Number.isFinite },
}

function checkMembers(value: object, { properties = {}, required = [], additionalProperties }: Schema, at: Place) {
  const others = typeof additionalProperties === 'object' ? additionalProperties : undefined
  const below = (name: string): Place => ({ ...at, place: at.place === '' ? name : `${at.place}.${name}` })
  const missing = required.filter(name => !Object.hasOwn(value, name))
  const unknown = Object.keys(value).filter(name => !Object.hasOwn(properties, name))
  const names = Object.keys(properties).join(', ') || 'none'
  return [
    ...missing.map(name => `"${below(name).place}" is missing. ${properties[name]?.description ?? ''}`),
    ...(additionalProperties === false
      ? unknown.map(name => `${where(at)} has no ${describeValue(name)}. There is: ${names}.`)
      : []),
    ...Object.entries(value).flatMap(([name, each]) => {
      const schema = Object.hasOwn(properties, name) ? properties[name] : others
      return schema === undefined ? [] : check(each, schema, below(name))
    }),
  ]
}

const where = ({ place, whole }: Place): string => (place === '' ? whole : `"${place}"`)
