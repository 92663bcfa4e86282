/**
 * What the pages of 3DS say to customers. English by default; every text can be replaced.
 *
 * @module
 */

/** The texts, in plain text. */
export interface ThreeDSecureTexts {
  readonly preparingTitle: string
  readonly preparing: string
  readonly bankTitle: string
  readonly bank: string
  readonly bankButton: string
  readonly waitingTitle: string
  readonly waiting: string
  /** On the waiting page, for a customer who came back before the bank's page was done. */
  readonly bankAgain: string
}

/** The texts in English. */
export const englishTexts: ThreeDSecureTexts = {
  preparingTitle: 'Preparing your payment',
  preparing: 'Your bank is getting ready to confirm it. This takes a few seconds; please stay on this page.',
  bankTitle: 'On to your bank',
  bank: 'Your bank wants to confirm that it is you who pays. You come back here afterwards.',
  bankButton: 'Continue to your bank',
  waitingTitle: 'Checking your payment',
  waiting: 'We are waiting to hear how it went. Please do not pay again; this page goes on by itself.',
  bankAgain: 'Not finished at your bank?',
}

/** How the pages look and speak. */
export interface ThreeDSecurePages {
  /** Shown above the heading, so that customers see whose page it is. Default: none. */
  readonly shopName?: string
  /** BCP 47 tag of the texts. Default: `en`. */
  readonly language?: string
  /** Texts in place of the English ones. */
  readonly texts?: Partial<ThreeDSecureTexts>
}

/** Pages with their defaults filled in. */
export interface PageVoice {
  readonly shopName: string | undefined
  readonly language: string
  readonly texts: ThreeDSecureTexts
}

/** Fills in the defaults. */
export const pageVoice = ({ shopName, language = 'en', texts }: ThreeDSecurePages = {}): PageVoice => ({
  shopName,
  language,
  texts: { ...englishTexts, ...texts },
})
