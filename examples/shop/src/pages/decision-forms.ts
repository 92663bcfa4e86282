/** The questions about a payment that only a person can end, and their answers. */
import { operationInWords } from '@tillkit/protocol'
import type { PaymentQuestion } from '@tillkit/till'
import { type Html, html } from './html.js'
import { money } from './money.js'

/** A form for each question, once the till says that a person is needed. The till asks the gateway once more before it takes an answer. */
export function decisionForms(questions: readonly PaymentQuestion[], path: string): Html {
  return html`${questions.map((question, index) => {
    const form = formOf(question)
    if (form === undefined) return ''
    const { kind, order } = question
    return html`<form method="post" action="${path}/decide" class="decision" aria-labelledby="decision-${index}">
<h3 id="decision-${index}">A person has to decide</h3>
<p dir="auto">${form.text}</p>
<input type="hidden" name="of" value="${order}">
${
  kind === 'unknown' &&
  html`<input type="hidden" name="request" value="${question.request}">
<input type="hidden" name="effect" value="${question.effect}">`
}
<label>Who says so, and where it is written<input name="why" maxlength="200" required autocomplete="off"></label>
${form.answers}</form>`
  })}`
}

/** What the question is, and the buttons that answer it. */
function formOf(question: PaymentQuestion): { readonly text: string; readonly answers: Html } | undefined {
  switch (question.kind) {
    case 'unknown': {
      const { operation, amount, currency } = question
      const name = operationInWords(operation).replace(/^(?:an?|the) /, '')
      const what = amount === undefined ? name : `${name} of ${money(amount, currency ?? '')}`
      return {
        text: `The ${what} was not answered. Ask the gateway’s support whether it has it.`,
        answers: html`<label>Its number at the gateway, if it has it<input name="number" autocomplete="off"></label>
<div class="buttons"><button name="kind" value="arrived">It has it</button>
<button class="quiet" name="kind" value="failed">It did nothing</button></div>`,
      }
    }
    case 'disputed': {
      const { explanation, stage, serialNumber, words, amounts } = question
      const button = (word: string, amount = '') =>
        html`<button class="quiet" name="outcome" value="${word} ${amount}">It is ${word}${amount !== '' && `: ${amount}`}</button>`
      const buttons = [...new Set(words)].flatMap(word =>
        word === 'approved' && amounts.length > 1 ? amounts.map(amount => button(word, amount)) : [button(word)],
      )
      return {
        text: `${explanation} Ask the gateway’s support how the ${stage} ended.`,
        answers: html`<input type="hidden" name="stage" value="${stage}"><input type="hidden" name="number" value="${serialNumber ?? ''}">
<div class="buttons">${buttons}</div>`,
      }
    }
    default:
      return undefined
  }
}
