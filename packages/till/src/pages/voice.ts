import { accentStyle, type TillPages } from './options.js'
import { tillTexts } from './texts.js'

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
