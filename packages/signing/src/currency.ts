/**
 * Currencies and how many digits their minor unit has, ISO 4217.
 *
 * Equal to list one as published on 25 June 2024, see the test, with the later amendments: XCG took the place of ANG in
 * March 2025, and BGN ended in January 2026. Funds of list one are included; metals, units of account and test codes,
 * which have no minor unit, are not. Codes that ended lately are readable in replies, see adr/0027.
 *
 * @module
 */

const codesByDigits: readonly (readonly [digits: number, codes: string])[] = [
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [
    2,
    'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY ' +
      'COP COU CRC CUC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF ' +
      'IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK ' +
      'MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP ' +
      'SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ' +
      'ZAR ZMW ZWG',
  ],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
]

/** Every currency code this package knows, in no particular order. */
export const currencyCodes: readonly string[] = /* @__PURE__ */ (() =>
  Object.freeze(codesByDigits.flatMap(([, codes]) => codes.split(' '))))()

/**
 * Says how many digits a currency's minor unit has: 2 for `EUR`, 0 for `JPY`, 3 for `KWD`.
 *
 * @param code Three upper-case letters.
 * @returns `undefined` for a code that is not in the list.
 * @see ISO 4217, list one
 */
export const currencyDigits = (code: string): number | undefined => digitsByCode().get(code)

let madeOnce: ReadonlyMap<string, number> | undefined

/** Made for the first currency that is asked for. */
function digitsByCode(): ReadonlyMap<string, number> {
  madeOnce ??= new Map(
    codesByDigits.flatMap(([digits, codes]) => codes.split(' ').map(code => [code, digits] as const)),
  )
  return madeOnce
}
