import type { Answer } from '@tillkit/express-middleware/core'
import type { Payment } from '../rules/pay/payment.js'
import { documentAnswer, lookAgain, pageAnswer } from './document.js'
import { type Html, html } from './html.js'
import { pageVoice, type TillPage, type TillPageName, type TillPages } from './options.js'
import { marks, tillStyle, watchScript } from './style.js'

/** Makes the answer of a page. @param gateways Origins that a button may lead to, by way of the merchant. */
export function pageAnswers(pages: TillPages = {}, gateways: readonly string[] = []) {
  const { contact, own = {} } = pages
  const voice = pageVoice(pages)
  const { texts } = voice
  const formSources = ["'self'", ...gateways]
  const common = { voice, style: tillStyle }

  const factsOf = ({ payment }: TillPage, hasReference = false): Html | undefined => {
    const amount = shownAmount(payment, voice.language)
    const facts = [
      ...(amount === undefined ? [] : [html`<div><dt>${texts.amount}</dt><dd>${amount}</dd></div>`]),
      ...(hasReference ? [html`<div><dt>${texts.reference}</dt><dd>${payment.reference}</dd></div>`] : []),
    ]
    return facts.length === 0 ? undefined : html`<dl class="facts">${facts}</dl>\n`
  }
  const backLink = ({ back }: TillPage) => html`<a class="back" href="${back}">${texts.back}</a>`

  const waiting = (page: TillPage): Answer => {
    const { form, next } = page
    const [title, text] = form === undefined ? [texts.waitingTitle, texts.waiting] : [texts.openTitle, texts.open]
    const mark = form === undefined ? html`<div class="busy" aria-hidden="true"></div>` : marks.open
    const goOn = form === undefined ? undefined : html`<a class="button" href="${form}">${texts.goOn}</a>\n`
    const watch =
      next === undefined
        ? undefined
        : html`<span data-watch="${next.url}" hidden></span>\n${lookAgain(next.url, voice)}`
    const body = html`${mark}
<h1>${title}</h1>
<p role="status">${text}</p>
${factsOf(page)}${goOn}${watch}${backLink(page)}`
    return documentAnswer({
      ...common,
      title,
      body,
      ...(next === undefined ? {} : { script: watchScript, asksOwnSite: true }),
    })
  }
  const declined = (page: TillPage): Answer => {
    const { payment, again, later } = page
    const isDeclined = payment.state === 'declined'
    const [title, text, button] = isDeclined
      ? [texts.declinedTitle, texts.declined, texts.tryAgain]
      : [texts.againTitle, texts.again, texts.tryOnceMore]
    const form =
      again === undefined ? undefined : html`<form method="post" action="${again}"><button>${button}</button></form>\n`
    const body = html`${isDeclined ? marks.declined : marks.again}
<h1>${title}</h1>
<p role="status">${later ? texts.later : text}</p>
${factsOf(page)}${form}${backLink(page)}`
    return documentAnswer({ ...common, title, body, formSources })
  }
  const problem = (page: TillPage): Answer => {
    const whom =
      contact === undefined ? undefined : html`<p class="contact">${texts.questions} ${contactOf(contact)}</p>\n`
    const body = html`${marks.problem}
<h1>${texts.problemTitle}</h1>
<p role="status">${texts.problem}</p>
${factsOf(page, true)}${whom}${backLink(page)}`
    return documentAnswer({ ...common, title: texts.problemTitle, body })
  }
  const made = { waiting, declined, problem }
  return (name: TillPageName, page: TillPage): Answer => {
    const render = own[name]
    return render === undefined ? made[name](page) : ownAnswer(render(page), formSources)
  }
}

/** An e-mail address is a link; anything else is text. */
const contactOf = (contact: string): Html =>
  /^[^\s@<>?&"']+@[^\s@<>?&"']+\.[^\s@<>?&"']+$/.test(contact)
    ? html`<a href="mailto:${contact}">${contact}</a>`
    : html`<b>${contact}</b>`

/** A page that the merchant wrote. Its buttons may lead to the gateway, and no other site may show it in a frame. */
const ownAnswer = (body: string, formSources: readonly string[]): Answer =>
  pageAnswer(body, `form-action ${formSources.join(' ')}; base-uri 'none'; frame-ancestors 'none'`)

/**
 * An amount as a customer reads it, such as `€10.00`. Every digit stays as it is, also where the currency is written otherwise.
 *
 * @param language BCP 47 tag.
 * @returns undefined where there is no amount.
 */
export function shownAmount(
  { amount, currency }: Pick<Payment, 'amount' | 'currency'>,
  language: string,
): string | undefined {
  if (amount === undefined) return undefined
  const plain = `${amount} ${currency ?? ''}`.trim()
  const fraction = /^\d{1,12}(?:\.(\d{1,3}))?$/.exec(amount)
  if (fraction === null || currency === undefined || !/^[A-Z]{3}$/.test(currency)) return plain
  const digits = fraction[1]?.length ?? 0
  const format = { style: 'currency', currency, minimumFractionDigits: digits, maximumFractionDigits: digits } as const
  return new Intl.NumberFormat(language, format).format(Number(amount))
}
