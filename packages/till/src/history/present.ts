type Present<Of extends object> = { readonly [Field in keyof Of]?: Exclude<Of[Field], undefined> }

/** The fields that are there: what is absent survives JSON, what is undefined does not. */
export const present = <Of extends object>(of: Of): Present<Of> =>
  Object.fromEntries(Object.entries(of).filter(([, value]) => value !== undefined)) as Present<Of>
