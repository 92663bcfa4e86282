import { aFunction, checkOptions, mustBe, nested, type OptionTable, required } from '@tillkit/protocol'
import type { Payment } from '../rules/pay/payment.js'
import { type TillTexts, tillTexts } from './texts.js'

const aColour = mustBe(
  value => typeof value === 'string' && /^#[0-9a-f]{6}$/i.test(value),
  'a colour with six digits, such as #23527c',
)

/** Rules of a style sheet for a merchant's colours. */
export function accentStyle(accent: TillPages['accent']): string {
  if (accent === undefined) return ''
  const rule = (colour: string) => `:root { --accent: ${colour}; --on-accent: ${textOn(colour)}; }`
  return `${rule(accent.light)}\n@media (prefers-color-scheme: dark) { ${rule(accent.dark)} }\n`
}

/** Black or white, whichever is easier to read on a colour: its contrast is 4.58 to 1 at least. @see WCAG 2.2, 1.4.3 */
export function textOn(colour: string): '#000000' | '#ffffff' {
  const light = luminance(colour)
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? '#000000' : '#ffffff'
}

/** Relative luminance, from 0 to 1. @see WCAG 2.2, "relative luminance" */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map(at => {
    const channel = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** The till's own pages. */
export type TillPageName = 'waiting' | 'declined' | 'problem'

/** How the till's pages look and speak, those of 3DS among them. */
export interface TillPages {
  /** Shown above the heading and in the title, so that customers see whose page it is. Default: none. */
  readonly shopName?: string
  /** BCP 47 tag of the texts; which way they are written, and how amounts look, follows from it. Default: `en`. */
  readonly language?: string
  /** Texts in place of the English ones. */
  readonly texts?: Partial<TillTexts>
  /** The contact that the page of a problem gives to a customer, such as an e-mail address. Default: none. */
  readonly contact?: string
  /** Your colour of buttons, as `#rrggbb` for light and for dark. The text on it is black or white. Default: blue. */
  readonly accent?: { readonly light: string; readonly dark: string }
  /**
   * Pages of your own, each a whole HTML document; escape what you put into it. Default: the till's. A page of yours has a
   * `Content-Security-Policy` that keeps it out of frames and lets its forms lead to the gateway, in place of one set before.
   */
  readonly own?: { readonly [Name in TillPageName]?: (page: TillPage) => string }
}

/** Everything that a page shows. */
export interface TillPage {
  readonly payment: Payment
  /** Path of the merchant's page of the payment. */
  readonly back: string
  /** Path that a button posts to, to try again; undefined where nothing may be tried. */
  readonly again: string | undefined
  /** Whether nothing more can be sent for now, since the gateway does not say how the last try ended: the customer may try later. */
  readonly later: boolean
  /** Address of the open form, for a customer who left it. */
  readonly form: string | undefined
  /** The address at which the page looks again, and after how many seconds. */
  readonly next: { readonly url: string; readonly seconds: number } | undefined
}

/** Longest name of a shop, and longest contact, in UTF-16 code units. */
const longestLine = 200

const aLine = mustBe(
  value => typeof value === 'string' && value.trim() !== '' && value.length <= longestLine && !/\p{Cc}/u.test(value),
  `one line of text, at most ${longestLine} characters`,
)

const aPageText = mustBe(value => typeof value === 'string' && value.trim() !== '', 'a text that is not empty')

const aLanguage = mustBe(isLanguage, 'a BCP 47 tag, such as en or de-AT')

const pagesOptions: OptionTable<TillPages> = {
  shopName: aLine,
  language: aLanguage,
  texts: nested(Object.fromEntries(Object.keys(tillTexts).map(name => [name, aPageText]))),
  contact: aLine,
  accent: nested<NonNullable<TillPages['accent']>>({ light: required(aColour), dark: required(aColour) }),
  own: nested({ waiting: aFunction, declined: aFunction, problem: aFunction }),
}

/** Checks the options of pages. @throws {TypeError} when one is wrong. */
export function checkPages(pages: TillPages): void {
  checkOptions('createTill', { pages }, { pages: nested(pagesOptions) })
}

function isLanguage(given: unknown): boolean {
  try {
    return typeof given === 'string' && Intl.getCanonicalLocales(given).length === 1
  } catch {
    return false
  }
}

/** Pages with their defaults filled in. */
export type PageVoice = ReturnType<typeof pageVoice>

/** Fills in the defaults. */
export const pageVoice = ({ shopName, language = 'en', texts, accent }: TillPages) => ({
  shopName,
  language,
  direction: directionOf(language),
  texts: { ...tillTexts, ...texts },
  accentStyle: accentStyle(accent),
})

/** Scripts that are written from right to left, ISO 15924. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** Which way a language is written. */
const directionOf = (language: string): 'ltr' | 'rtl' =>
  rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
