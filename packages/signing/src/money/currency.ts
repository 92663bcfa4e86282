/**
 * Currencies and how many digits their minor unit has: list one of ISO 4217 as published on 25 June 2024, with the later
 * amendments (XCG for ANG in March 2025, the end of BGN in January 2026). Funds are included; metals, units of account and test
 * codes have no minor unit and are not. Currencies that ended lately are readable in replies, see adr/0027.
 */

/** Three letters each, without separators: a bundle gains by it. */
const codesByDigits: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIFCLPDJFGNFISKJPYKMFKRWPYGRWFUGXUYIVNDVUVXAFXOFXPF'],
  [
    2,
    'AEDAFNALLAMDAOAARSAUDAWGAZNBAMBBDBDTBMDBNDBOBBOVBRLBSDBTNBWPBYNBZDCADCDFCHECHFCHWCNYCOPCOUCRCCUC' +
      'CUPCVECZKDKKDOPDZDEGPERNETBEURFJDFKPGBPGELGHSGIPGMDGTQGYDHKDHNLHTGHUFIDRILSINRIRRJMDKESKGSKHRKPW' +
      'KYDKZTLAKLBPLKRLRDLSLMADMDLMGAMKDMMKMNTMOPMRUMURMVRMWKMXNMXVMYRMZNNADNGNNIONOKNPRNZDPABPENPGKPHP' +
      'PKRPLNQARRONRSDRUBSARSBDSCRSDGSEKSGDSHPSLESOSSRDSSPSTNSVCSYPSZLTHBTJSTMTTOPTRYTTDTWDTZSUAHUSDUSN' +
      'UYUUZSVEDVESWSTXCDXCGYERZARZMWZWG',
  ],
  [3, 'BHDIQDJODKWDLYDOMRTND'],
  [4, 'CLFUYW'],
]

/** Every currency code this package knows, in no particular order. */
export const currencyCodes: readonly string[] = /* @__PURE__ */ (() =>
  Object.freeze(codesByDigits.flatMap(([, codes]) => codes.match(/.../g) ?? [])))()

/**
 * Digits of currencies by code, which count before ISO 4217: `{ IDR: 0 }` for an acquirer that counts rupiah whole.
 *
 * The entry `currencyDigits` of a wire profile is one.
 */
export interface CurrencyDigits {
  readonly [code: string]: number
}

/**
 * Says how many digits a currency's minor unit has: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`.
 *
 * @param code Upper-case letters, three in ISO 4217.
 * @param own Digits that count before ISO 4217. Default: none.
 * @returns `undefined` for a code that is in neither.
 * @see ISO 4217, list one
 */
export const currencyDigits = (code: string, own?: CurrencyDigits): number | undefined =>
  own && Object.hasOwn(own, code) ? own[code] : digitsByCode().get(code)

let madeOnce: ReadonlyMap<string, number> | undefined

/** Made for the first currency that is asked for. */
function digitsByCode(): ReadonlyMap<string, number> {
  madeOnce ??= new Map(
    codesByDigits.flatMap(([digits, codes]) => codes.match(/.../g)?.map(code => [code, digits] as const) ?? []),
  )
  return madeOnce
}
