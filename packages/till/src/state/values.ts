type Present<Of extends object> = { readonly [Field in keyof Of]?: Exclude<Of[Field], undefined> }

/** The fields that are there: what is absent survives JSON, what is undefined does not. */
export function present<Of extends object>(of: Of): Present<Of> {
  const there: Partial<Record<keyof Of, unknown>> = {}
  for (const field of Object.keys(of) as (keyof Of)[]) if (of[field] !== undefined) there[field] = of[field]
  return there as Present<Of>
}

/** Whether two values are the same as JSON, in whatever order their fields are. */
export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true
  if (!isObject(one) || !isObject(other) || Array.isArray(one) !== Array.isArray(other)) return false
  // A field that is undefined is absent.
  for (const field in one) if (!isSame(one[field], other[field])) return false
  for (const field in other) if (other[field] !== undefined && !Object.hasOwn(one, field)) return false
  return !Array.isArray(one) || one.length === other.length
}

const isObject = (value: unknown): value is { readonly [field: string]: unknown } =>
  typeof value === 'object' && value !== null
