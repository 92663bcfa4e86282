/** Texts of the pages, those of 3DS among them, in plain text. */
export type TillTexts = { readonly [Name in keyof typeof tillTexts]: string }

/** The texts in English. */
export const tillTexts = {
  preparingTitle: 'Preparing your payment',
  preparing: 'Your bank is getting ready to confirm it. This takes a few seconds; please stay on this page.',
  bankTitle: 'On to your bank',
  bank: 'Your bank wants to confirm that it is you who pays. You come back here afterwards.',
  bankButton: 'Continue to your bank',
  waitingTitle: 'Checking your payment',
  waiting: 'We are waiting to hear how it went. Please do not pay again; this page goes on by itself.',
  /** On the waiting page, for a customer who came back before the bank's page was done. */
  bankAgain: 'Not finished at your bank?',
  /** On pages that go on by themselves, for a browser that runs no scripts; and the link below it. */
  withoutScript: 'Scripts are off in this browser, so you have to look again yourself, every few seconds.',
  lookAgain: 'Look again',
  /** The title for a customer who came back from an open form, and may have paid on it. */
  openTitle: 'This payment is not finished',
  open: 'If you have not paid yet, go on to the payment page. If you have, stay here: this page goes on by itself.',
  /** Leads back to the form, for a customer who left it. */
  goOn: 'Go on to the payment page',
  declinedTitle: 'The payment was declined',
  declined: 'This card was not charged. You can try another one.',
  /** In place of that text, where nothing more can be sent for now. */
  later: 'Another payment is not possible right now. Please try again in a few minutes.',
  tryAgain: 'Try another card',
  againTitle: 'The payment page did not open',
  again: 'Nothing was charged. Please try once more.',
  /** On the button, where the form did not open. */
  tryOnceMore: 'Try once more',
  problemTitle: 'We are looking into your payment',
  problem: 'Please do not pay again. We check it, and write to you.',
  /** Before the contact. */
  questions: 'Questions?',
  /** Leads to the merchant's page of the payment. */
  back: 'Back to your order',
  amount: 'Amount',
  reference: 'Reference',
}
