type Present<Of extends object> = { readonly [Field in keyof Of]?: Exclude<Of[Field], undefined> }

/** The fields that are there: what is absent survives JSON, what is undefined does not. */
export function present<Of extends object>(of: Of): Present<Of> {
  const there: Partial<Record<keyof Of, unknown>> = {}
  for (const field of Object.keys(of) as (keyof Of)[]) if (of[field] !== undefined) there[field] = of[field]
  return there as Present<Of>
}

/** Whether two values are the same as JSON, in whatever order their fields are. */
export const isSame = (one: unknown, other: unknown): boolean => one === other || canonical(one) === canonical(other)

const canonical = (value: unknown): string | undefined =>
  JSON.stringify(value, (_, each) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? Object.fromEntries(Object.entries(each).sort(([first], [second]) => (first < second ? -1 : 1)))
      : each,
  )
