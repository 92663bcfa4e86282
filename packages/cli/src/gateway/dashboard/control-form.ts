/**
 * Buttons: each sends one route of the control API what is in its form.
 *
 * @module
 */

import { type Html, html } from '@tillkit/testing/gateway'
import type { ControlRouteName } from '../control/control-routes.js'
import { dashboardPath } from './dashboard-path.js'

/** A form. */
export interface ControlForm {
  readonly route: ControlRouteName
  /** The page to come back to, below {@link dashboardPath}. */
  readonly page: string
  /** What is sent besides what is typed. */
  readonly sends?: Readonly<Record<string, string>>
  /** Inputs and buttons. */
  readonly content: Html
  readonly look?: 'stack' | 'line'
}

/** Writes a form. */
export function writeControlForm({ route, page, sends = {}, content, look = 'line' }: ControlForm): Html {
  const hidden = Object.entries({ ...sends, page }).map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`,
  )
  return html`<form class="${look}" method="post" action="${dashboardPath}do/${route}">${hidden}${content}</form>
`
}

/** An input with its label. */
export interface ControlInputField {
  readonly id: string
  readonly name: string
  readonly label: string
  readonly hint?: string
  readonly inputMode?: 'numeric' | 'decimal'
}

/** Writes an input. */
export const writeInput = ({ id, name, label, hint = '', inputMode }: ControlInputField): Html =>
  html`<div><label for="${id}">${label}</label><input id="${id}" name="${name}" placeholder="${hint}" autocomplete="off"${
    inputMode === undefined ? undefined : html` inputmode="${inputMode}"`
  }></div>`

/** Writes a choice. */
export function writeSelect({
  id,
  name,
  label,
  options,
}: Omit<ControlInputField, 'hint' | 'inputMode'> & { readonly options: readonly Html[] }): Html {
  return html`<div><label for="${id}">${label}</label><select id="${id}" name="${name}">${options}</select></div>`
}

/** Writes an option of a choice. */
export const writeOption = (name: string): Html => html`<option>${name}</option>`

/** The option that leaves it open. */
export const anyOption: Html = html`<option value="">any</option>`
