/**
 * Plain data without what is absent: a property that is undefined is one more to compare, to store and to explain.
 *
 * @module
 */

/** What `Value` is once its undefined properties are gone. */
export type Present<Value> = { [Name in keyof Value as undefined extends Value[Name] ? never : Name]: Value[Name] } & {
  [Name in keyof Value as undefined extends Value[Name] ? Name : never]?: Exclude<Value[Name], undefined>
}

/** A copy without the undefined properties. One pass is far cheaper than an object for each that may be absent. */
export function present<const Value extends object>(value: Value): Present<Value> {
  const copy: Record<string, unknown> = {}
  const given = value as Readonly<Record<string, unknown>>
  for (const name in given) if (given[name] !== undefined) copy[name] = given[name]
  return copy as Present<Value>
}
