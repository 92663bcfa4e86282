/** Texts of the pages, those of 3DS among them, in plain text. */
export interface TillTexts {
  readonly preparingTitle: string
  readonly preparing: string
  readonly bankTitle: string
  readonly bank: string
  readonly bankButton: string
  readonly waitingTitle: string
  readonly waiting: string
  /** On the waiting page, for a customer who came back before the bank's page was done. */
  readonly bankAgain: string
  /** On pages that go on by themselves, for a browser that runs no scripts; and the link below it. */
  readonly withoutScript: string
  readonly lookAgain: string
  /** The title for a customer who came back from an open form, and may have paid on it. */
  readonly openTitle: string
  readonly open: string
  /** Leads back to the form, for a customer who left it. */
  readonly goOn: string
  readonly declinedTitle: string
  readonly declined: string
  /** In place of that text, where nothing more can be sent for now. */
  readonly later: string
  readonly tryAgain: string
  readonly againTitle: string
  readonly again: string
  /** On the button, where the form did not open. */
  readonly tryOnceMore: string
  readonly problemTitle: string
  readonly problem: string
  /** Before the contact. */
  readonly questions: string
  /** Leads to the merchant's page of the payment. */
  readonly back: string
  readonly amount: string
  readonly reference: string
}

/** The texts in English. */
export const tillTexts: TillTexts = {
  preparingTitle: 'Preparing your payment',
  preparing: 'Your bank is getting ready to confirm it. This takes a few seconds; please stay on this page.',
  bankTitle: 'On to your bank',
  bank: 'Your bank wants to confirm that it is you who pays. You come back here afterwards.',
  bankButton: 'Continue to your bank',
  waitingTitle: 'Checking your payment',
  waiting: 'We are waiting to hear how it went. Please do not pay again; this page goes on by itself.',
  bankAgain: 'Not finished at your bank?',
  withoutScript: 'Scripts are off in this browser, so you have to look again yourself, every few seconds.',
  lookAgain: 'Look again',
  openTitle: 'This payment is not finished',
  open: 'If you have not paid yet, go on to the payment page. If you have, stay here: this page goes on by itself.',
  goOn: 'Go on to the payment page',
  declinedTitle: 'The payment was declined',
  declined: 'This card was not charged. You can try another one.',
  later: 'Another payment is not possible right now. Please try again in a few minutes.',
  tryAgain: 'Try another card',
  againTitle: 'The payment page did not open',
  again: 'Nothing was charged. Please try once more.',
  tryOnceMore: 'Try once more',
  problemTitle: 'We are looking into your payment',
  problem: 'Please do not pay again. We check it, and write to you.',
  questions: 'Questions?',
  back: 'Back to your order',
  amount: 'Amount',
  reference: 'Reference',
}
