import { accentStyle, type TillPages } from './options.js'
import { tillTexts } from './texts.js'

/** Pages with their defaults filled in. */
export type PageVoice = ReturnType<typeof pageVoice>

/** Fills in the defaults. @throws {TypeError} when a colour is none. */
export const pageVoice = ({ shopName, language = 'en', texts, accent }: TillPages) => ({
  shopName,
  language,
  direction: directionOf(language),
  texts: { ...tillTexts, ...texts },
  accentStyle: accentStyle(accent),
})

/** Scripts that are written from right to left, ISO 15924. */
const rightToLeft = new Set(['Adlm', 'Arab', 'Hebr', 'Mand', 'Nkoo', 'Rohg', 'Samr', 'Syrc', 'Thaa'])

/** Which way a language is written. One that is no BCP 47 tag is written from left to right. */
function directionOf(language: string): 'ltr' | 'rtl' {
  try {
    return rightToLeft.has(new Intl.Locale(language).maximize().script ?? '') ? 'rtl' : 'ltr'
  } catch {
    return 'ltr'
  }
}
