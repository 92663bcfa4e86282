/**
 * Words with a sign and a colour; the word alone says it all.
 *
 * @module
 */
import { type Html, html } from '@tillkit/testing/gateway'

/** How something stands. */
export type Standing = 'good' | 'bad' | 'wait'

const signs: Readonly<Record<Standing, string>> = { good: '✓', bad: '✗', wait: '…' }

/** Writes a word. */
export const writeMark = (word: string, standing: Standing): Html =>
  html`<span class="mark ${standing}"><span aria-hidden="true">${signs[standing]}</span> ${word}</span>`

/** Writes a word of status: final ones are good or bad, the others wait. */
export const writeStatus = ({ status, final }: { readonly status: string; readonly final: boolean }): Html =>
  writeMark(status, !final ? 'wait' : status === 'approved' ? 'good' : 'bad')

/** Writes how a request or a delivery was answered. */
export function writeHttpStatus(status: number | undefined, otherwise = 'no answer'): Html {
  if (status === undefined) return writeMark(otherwise, 'bad')
  return writeMark(`HTTP ${status}`, status < 400 ? 'good' : 'bad')
}
