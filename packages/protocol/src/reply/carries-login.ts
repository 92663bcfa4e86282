/**
 * Whether the body of a request carries the merchant login.
 *
 * @module
 */

/** What the answer is looked up in: an operation's row, and the profile's list. */
export interface LoginSource {
  readonly operation: { readonly name: string; readonly loginInBody?: boolean }
  readonly profile: { readonly loginInBody: { readonly value: readonly string[] } }
}

/** Whether the body of an operation also carries the merchant login: as its row says, else as the profile lists it. */
export const carriesLogin = ({ operation, profile }: LoginSource): boolean =>
  operation.loginInBody ?? profile.loginInBody.value.includes(operation.name)
